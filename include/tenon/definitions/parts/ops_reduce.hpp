/// @file ops_reduce: definitions of reductions.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/ops/graph/reduce.eval.ipp>
#include <tenon/ops/graph/reduce.ipp>
#include <tenon/ops/graph/reduce.lower.ipp>
#include <tenon/ops/graph/reduce.simplify.ipp>
