/// @file ops_reduce: the reductions, compiled once.
#include <tenon/ops/graph/reduce.ipp>

#include <tenon/ops/graph/reduce.eval.ipp>
#include <tenon/ops/graph/reduce.lower.ipp>
