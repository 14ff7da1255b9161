/// @file ops_movement: definitions of ops that move elements.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/ops/graph/moved_elements.eval.ipp>
#include <tenon/ops/graph/movement.eval.ipp>
#include <tenon/ops/graph/movement.ipp>
#include <tenon/ops/graph/movement.lower.ipp>
#include <tenon/ops/graph/movement.simplify.ipp>
#include <tenon/ops/graph/symbolic_values.ipp>
