// The ops of ops/graph/movement.hpp, compiled once.
#include <tenon/ops/graph/movement.ipp>
#include <tenon/ops/graph/symbolic_values.ipp>

#include <tenon/ops/graph/movement.eval.ipp>
#include <tenon/ops/graph/movement.lower.ipp>
