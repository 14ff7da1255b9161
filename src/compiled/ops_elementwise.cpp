/// @file ops_elementwise: the elementwise ops and the scalar functions beneath them, compiled once.
#include <tenon/ops/graph/elementwise.ipp>

#include <tenon/interpret/scalar.ipp>
#include <tenon/ops/graph/elementwise.eval.ipp>
#include <tenon/ops/graph/elementwise.lower.ipp>
