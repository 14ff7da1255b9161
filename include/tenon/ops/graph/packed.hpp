/// @file packed: calls of functions of the program that runs the model, by name. They run on the host.
///
/// Functions are registered in that program (runtime/host_functions.hpp). Operands and results are tensors; results
/// have the types that the module states, and are held to them. Errors: "host_function.absent", "eval".
#pragma once

#include <tenon/op.hpp>

namespace tenon::op {

/// `%r... = call_packed(%v...) {function = "audit.check"}`: runs exactly as often as it stands there, in order.
struct call_packed {
  static constexpr fixed_string name = "call_packed";
  static constexpr op_traits traits{.effects = effect_bits::io, .results = -1};
  std::string function;
  TENON_ATTRIBUTES(function)
};
/// `%r... = call_pure_packed(%v...) {function}`: of a function that does nothing besides computing its results, as
/// whoever writes the call answers for. `unwrap_pure_calls` makes the other one of it.
struct call_pure_packed {
  static constexpr fixed_string name = "call_pure_packed";
  static constexpr op_traits traits{.results = -1};
  std::string function;
  TENON_ATTRIBUTES(function)
};

void evaluate(const call_packed&, eval_context&);
void evaluate(const call_pure_packed&, eval_context&);

}  // namespace tenon::op
