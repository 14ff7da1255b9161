/// @file ops_elementwise: definitions of elementwise ops.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/interpret/scalar.ipp>
#include <tenon/ops/graph/elementwise.eval.ipp>
#include <tenon/ops/graph/elementwise.ipp>
#include <tenon/ops/graph/elementwise.lower.ipp>
#include <tenon/ops/graph/elementwise.simplify.ipp>
