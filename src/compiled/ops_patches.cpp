// The ops of ops/graph/patches.hpp, compiled once.
#include <tenon/ops/graph/patches.ipp>

#include <tenon/ops/graph/patches.eval.ipp>
#include <tenon/ops/graph/patches.lower.ipp>
