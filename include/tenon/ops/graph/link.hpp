/// @file link: what stands at the borders between the parts of a program that runs on several devices.
///
///     %1 = transfer(%0) {from = "host", to = "npu"}
///     %2 = launch(%1) {part = "main.part0", on = "npu"}
///     await() {on = "npu"}
///     %3 = transfer(%2) {from = "npu", to = "host"}
#pragma once

#include <tenon/op.hpp>

namespace tenon::op {

/// `%r = transfer(%v) {from, to}`: the tensor in another member's memory. The work that made it has been awaited.
struct transfer {
  static constexpr fixed_string name = "transfer";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  std::string from, to;
  TENON_ATTRIBUTES(from, to)
};
/// `%r... = launch(%v...) {part, on}`: starts a part of the program; its results are there after the next `await`.
struct launch {
  static constexpr fixed_string name = "launch";
  static constexpr op_traits traits{.results = -1};
  std::string part, on;
  TENON_ATTRIBUTES(part, on)
};
/// `await() {on}`: everything that was launched on a member is done.
struct await {
  static constexpr fixed_string name = "await";
  static constexpr op_traits traits{.effects = effect_bits::sync, .max_operands = 0, .results = 0};
  std::string on;
  TENON_ATTRIBUTES(on)
};

}  // namespace tenon::op
