/// @file ops_patches: definitions of ops on windows.
#pragma once

#include <tenon/ops/graph/patches.eval.ipp>
#include <tenon/ops/graph/patches.ipp>
#include <tenon/ops/graph/patches.lower.ipp>
