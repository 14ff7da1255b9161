/// @file ops_reduce: definitions of reductions.
#pragma once

#include <tenon/ops/graph/reduce.eval.ipp>
#include <tenon/ops/graph/reduce.ipp>
#include <tenon/ops/graph/reduce.lower.ipp>
