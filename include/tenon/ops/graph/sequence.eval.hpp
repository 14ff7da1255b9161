/// @file sequence.eval: evaluations of ops/graph/sequence.hpp.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/sequence.hpp>

namespace tenon::op {

void evaluate(const sequence_empty&, value_context&);
void evaluate(const sequence_of&, value_context&);
void evaluate(const sequence_at&, value_context&);
void evaluate(const sequence_insert&, value_context&);
void evaluate(const sequence_erase&, value_context&);
void evaluate(const sequence_length&, value_context&);
void evaluate(const split_to_sequence&, value_context&);
void evaluate(const concat_from_sequence&, value_context&);
void evaluate(const optional_of&, value_context&);
void evaluate(const optional_has&, value_context&);
void evaluate(const optional_get&, value_context&);

}  // namespace tenon::op
