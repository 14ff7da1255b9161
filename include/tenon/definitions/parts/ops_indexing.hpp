/// @file ops_indexing: definitions of ops that gather and scatter.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/ops/graph/indexing.eval.ipp>
#include <tenon/ops/graph/indexing.ipp>
#include <tenon/ops/graph/indexing.lower.ipp>
#include <tenon/ops/graph/selection.eval.ipp>
#include <tenon/ops/graph/top_k.lower.ipp>
