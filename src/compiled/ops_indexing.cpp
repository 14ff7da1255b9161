// The ops of ops/graph/indexing.hpp, compiled once.
#include <tenon/ops/graph/indexing.ipp>

#include <tenon/ops/graph/indexing.eval.ipp>
#include <tenon/ops/graph/indexing.lower.ipp>
