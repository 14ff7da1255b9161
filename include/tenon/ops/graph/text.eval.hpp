/// @file text.eval: evaluations of ops/graph/text.hpp.
#pragma once

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/text.hpp>

namespace tenon::op {

void evaluate(const string_concat&, eval_context&);
void evaluate(const string_split&, eval_context&);
void evaluate(const string_normalize&, eval_context&);
void evaluate(const regex_full_match&, eval_context&);
void evaluate(const format_text&, eval_context&);
void evaluate(const parse_text&, eval_context&);
void evaluate(const lookup&, eval_context&);

}  // namespace tenon::op
