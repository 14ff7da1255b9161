// The accelerator's own ops, and the phase that lists them: what the device can be told to do.
#pragma once

#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;

inline constexpr i64 tile = 8;  // the matrix unit multiplies 8 x 8 by 8 x 8

/// `npu.load(%matrix, %tile) {row, column, rows, columns}`: a block of a rows x columns matrix into the scratchpad,
/// with zeros beyond its edge.
struct load_tile {
  static constexpr fixed_string name = "npu.load";
  static constexpr op_traits traits{
      .effects = effect_bits::reads | effect_bits::writes, .min_operands = 2, .max_operands = 2, .results = 0};
  i64 row = 0, column = 0, rows = 0, columns = 0;
  TENON_ATTRIBUTES(row, column, rows, columns)
};
/// `npu.mma(%a, %b, %c) {first}`: c = a b for the first product of a sum, c += a b for the others.
struct multiply {
  static constexpr fixed_string name = "npu.mma";
  static constexpr op_traits traits{
      .effects = effect_bits::reads | effect_bits::writes, .min_operands = 3, .max_operands = 3, .results = 0};
  bool first = false;
  TENON_ATTRIBUTES(first)
};
/// `npu.store(%tile, %matrix) {row, column, rows, columns}`: the part of a block that is inside of the matrix.
struct store_tile {
  static constexpr fixed_string name = "npu.store";
  static constexpr op_traits traits{
      .effects = effect_bits::reads | effect_bits::writes, .min_operands = 2, .max_operands = 2, .results = 0};
  i64 row = 0, column = 0, rows = 0, columns = 0;
  TENON_ATTRIBUTES(row, column, rows, columns)
};
/// `npu.scalar(%buffers...) {kernel}`: the scalar core runs loops, one element after the other.
struct run_scalar {
  static constexpr fixed_string name = "npu.scalar";
  static constexpr op_traits traits{.effects = effect_bits::reads | effect_bits::writes, .results = 0};
  ir::function_ref kernel;
  TENON_ATTRIBUTES(kernel)
};

using npu_ops = ops<load_tile, multiply, store_tile, run_scalar>;

/// Entered by `select_instructions`: storage has its place, and everything is an instruction.
struct npu_phase {
  static constexpr fixed_string name = "npu";
  using op_list =
      meta::concat_t<npu_ops, ops<op::return_, op::slot, op::constant_buffer, op::view_buffer, op::copy_buffer>,
                     loop_ops>;
  using op_effects = effects<effect::reads, effect::writes, effect::allocates, effect::random, effect::sync>;
};

}  // namespace mine
