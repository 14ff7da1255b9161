// The ops of ops/graph/resize.hpp, compiled once.
#include <tenon/ops/graph/resize.ipp>

#include <tenon/ops/graph/resize.eval.ipp>
#include <tenon/ops/graph/resize.lower.ipp>
