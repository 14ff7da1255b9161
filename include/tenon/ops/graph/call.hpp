/// @file call: functions, calls and results: what ties graphs, kernels and storage together.
#pragma once

#include <tenon/op.hpp>

namespace tenon::op {

/// `return %v...`: ends a graph function's body. In `lowering` and `build` it has no operands: results are stored.
struct return_ {
  static constexpr fixed_string name = "return";
  static constexpr op_traits traits{.terminator = true, .results = 0};
};
/// `yield %v...`: ends a region of a graph op (if, loop, fused).
struct yield {
  static constexpr fixed_string name = "yield";
  static constexpr op_traits traits{.terminator = true, .results = 0};
};
/// `%r... = call(%v...) {callee = @f}`: a call between top-level graph functions.
struct call {
  static constexpr fixed_string name = "call";
  static constexpr op_traits traits{.results = -1};
  ir::function_ref callee;
  TENON_ATTRIBUTES(callee)
};
/// `%f = closure(%captures...) ({ body })`: an inner function; its region's arguments are its parameters.
struct closure {
  static constexpr fixed_string name = "closure";
  static constexpr op_traits traits{.regions = 1};
};
/// `%r... = call_closure(%f, %v...)`: calls an inner function.
struct call_closure {
  static constexpr fixed_string name = "call_closure";
  static constexpr op_traits traits{.min_operands = 1, .results = -1};
};
/// `%r... = fused(%v...) ({ graph ops; yield })`: graph ops that become one kernel.
struct fused {
  static constexpr fixed_string name = "fused";
  static constexpr op_traits traits{.regions = 1, .results = -1};
};
/// `%r... = call_kernel(%v...) {kernel = @k}`: tensors in, fresh tensors out. The kernel's arguments are buffers for
/// the operands, then for the results, then scratch.
struct call_kernel {
  static constexpr fixed_string name = "call_kernel";
  static constexpr op_traits traits{.results = -1};
  ir::function_ref kernel;
  std::vector<i64> in_place;  ///< operands whose storage the first result may take: read at the written index only
  TENON_ATTRIBUTES(kernel, in_place)
};
/// `%r = view(%v)`: the same elements in row-major order with the result's shape; costs nothing.
struct view {
  static constexpr fixed_string name = "view";
  static constexpr op_traits traits{.view = true, .min_operands = 1, .max_operands = 1};
};

/// `%r... = call_external(%v...) {symbol, format}`: runs the module's artifact that defines `symbol`.
struct call_external {
  static constexpr fixed_string name = "call_external";
  static constexpr op_traits traits{.results = -1};
  std::string symbol, format;
  TENON_ATTRIBUTES(symbol, format)
};

// -- lowering: destination passing ---------------------------------------------------------------------------------

/// `%b = alloc`: a fresh buffer, dead after its last use; `plan_memory` gives it a place in the arena.
struct alloc {
  static constexpr fixed_string name = "alloc";
  static constexpr op_traits traits{.effects = effect_bits::allocates, .max_operands = 0};
  i64 offset = -1;  ///< bytes from the arena's start; -1: not planned yet; -2 - k: the program's k-th run-time buffer
  TENON_ATTRIBUTES(offset)
};
/// `%b = constant_buffer {value}`: the elements of a constant of the module; never written.
struct constant_buffer {
  static constexpr fixed_string name = "constant_buffer";
  static constexpr op_traits traits{.max_operands = 0};
  constant_id value;
  TENON_ATTRIBUTES(value)
};
/// `%b = view_buffer(%a)`: the same storage with the result's shape.
struct view_buffer {
  static constexpr fixed_string name = "view_buffer";
  static constexpr op_traits traits{.view = true, .min_operands = 1, .max_operands = 1};
};
/// `copy_buffer(%from, %to)`
struct copy_buffer {
  static constexpr fixed_string name = "copy_buffer";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 2, .results = 0};
  using reads = operands<0>;
  using writes = operands<1>;
};
/// `call_dps(%in..., %out..., %scratch...) {kernel}`: a kernel call in destination-passing style.
struct call_dps {
  static constexpr fixed_string name = "call_dps";
  static constexpr op_traits traits{.effects = effect_bits::reads | effect_bits::writes, .results = 0};
  ir::function_ref kernel;
  i64 inputs = 0;             ///< how many operands are read only
  std::vector<i64> in_place;  ///< as of `call_kernel`
  TENON_ATTRIBUTES(kernel, inputs, in_place)
};

// -- build: explicit storage ---------------------------------------------------------------------------------------

/// `%b = slot {offset}`: bytes of the arena from `offset`, as a buffer; -2 - k: the k-th run-time buffer.
struct slot {
  static constexpr fixed_string name = "slot";
  static constexpr op_traits traits{.max_operands = 0};
  i64 offset = 0;
  TENON_ATTRIBUTES(offset)
};
/// `call_native(%buffers...) {kernel}`: calls the kernel's native code.
struct call_native {
  static constexpr fixed_string name = "call_native";
  static constexpr op_traits traits{.effects = effect_bits::reads | effect_bits::writes, .results = 0};
  ir::function_ref kernel;
  TENON_ATTRIBUTES(kernel)
};

}  // namespace tenon::op
