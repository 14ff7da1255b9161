/// @file ops_patches: definitions of ops on windows.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/ops/graph/patches.eval.ipp>
#include <tenon/ops/graph/patches.ipp>
#include <tenon/ops/graph/patches.lower.ipp>
