/// @file loop: the ops of kernels: loop nests over buffers and scalars.
///
/// A kernel function's arguments are buffers: inputs, then outputs, then scratch. Index values have type `index`.
/// An access names each dimension of a buffer by an affine expression of index operands (`access_map`).
#pragma once

#include <array>

#include <tenon/op.hpp>
#include <tenon/ops/loop/scalar_fn.hpp>

namespace tenon::loop {

enum class loop_kind : u8 {
  serial,
  parallel,  ///< iterations are independent and may run on several threads
  vector,    ///< iterations are independent, or carry reductions that may be reassociated: `lanes` at a time
  unrolled,
};
inline constexpr std::array<std::string_view, 4> loop_kind_names{"serial", "parallel", "vector", "unrolled"};
constexpr const auto& enumerator_names(loop_kind) { return loop_kind_names; }

/// `%r... = loop.for(%lo, %hi, %init...) {kind, step, lanes, grain} (%i, %carried...) { ...; loop.yield %next... }`
/// Runs for i = lo, lo + step, … < hi; results are the last yielded values (the initial ones when it never runs).
struct for_loop {
  static constexpr fixed_string name = "loop.for";
  static constexpr op_traits traits{.regions = 1, .min_operands = 2, .results = -1};
  loop_kind kind = loop_kind::serial;
  i64 step = 1;
  i64 lanes = 0;             ///< vector: lanes; 0 lets the target choose
  i64 grain = 1;             ///< parallel: least number of iterations worth a task
  bool independent = false;  ///< claimed by who made it: no iteration reads what another one writes
  TENON_ATTRIBUTES(kind, step, lanes, grain, independent)
};

/// `loop.yield %v...`: the values of the next iteration, or the results of a branch.
struct yield {
  static constexpr fixed_string name = "loop.yield";
  static constexpr op_traits traits{.terminator = true, .results = 0};
};

/// `%r... = loop.if(%condition) { ...; loop.yield } { ...; loop.yield }`
struct branch {
  static constexpr fixed_string name = "loop.if";
  static constexpr op_traits traits{.regions = 2, .min_operands = 1, .max_operands = 1, .results = -1};
};

/// `%v = loop.load %buffer[affine of %indices...]`. When guarded, an index outside of the buffer gives the last
/// operand, `fill`, instead: operands are buffer, indices..., fill.
struct load {
  static constexpr fixed_string name = "loop.load";
  static constexpr op_traits traits{.min_operands = 1};
  using reads = operands<0>;
  ir::access_map map;
  bool guarded = false;
  TENON_ATTRIBUTES(map, guarded)
};

/// `loop.store %value, %buffer[affine of %indices...]`
struct store {
  static constexpr fixed_string name = "loop.store";
  static constexpr op_traits traits{.min_operands = 2, .results = 0};
  using writes = operands<1>;
  ir::access_map map;
  TENON_ATTRIBUTES(map)
};

/// `%v = loop.literal {type, real, integer}`: `real` counts for float types, `integer` for the others.
struct literal {
  static constexpr fixed_string name = "loop.literal";
  static constexpr op_traits traits{.max_operands = 0};
  dtype type = dtype::f32;
  double real = 0;
  i64 integer = 0;
  TENON_ATTRIBUTES(type, real, integer)
};

/// `%v = loop.extent {expression}`: what an expression of the module's symbols (ir/dims.hpp) is in this run: an index.
struct extent {
  static constexpr fixed_string name = "loop.extent";
  static constexpr op_traits traits{.max_operands = 0};
  std::string expression;
  TENON_ATTRIBUTES(expression)
};

/// `%v = loop.scalar(%a...) {fn}`: one function of `scalar_fn` on scalars of one type (see its table).
struct scalar {
  static constexpr fixed_string name = "loop.scalar";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 3};
  scalar_fn fn = scalar_fn::add;
  TENON_ATTRIBUTES(fn)
};

/// `%v = loop.convert(%a) {to}`: float to int truncates and wraps like the target's instruction for out-of-range
/// values; anything to bool asks whether it is not zero. With `bits`, the f32 that the bits of a u32 are.
struct convert {
  static constexpr fixed_string name = "loop.convert";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  dtype to = dtype::f32;
  bool bits = false;
  TENON_ATTRIBUTES(to, bits)
};

/// Matrix and convolution kernels: for each point of m1 × m2 × … × n,
///   acc = sum over k1 × k2 × … of a[map_a] * b[map_b], then the region runs with (acc, m..., n) and stores.
/// Operands: a, b, then outer index values. Columns of the maps: constant, outer indices, m..., n, k....
/// `a` does not depend on n. `b`'s last map row has coefficient 1 for n (rows of `b` are contiguous along n);
/// the region's accesses may be anything, and are vector operations when they are contiguous or uniform in n.
/// Or four neighbours of the last k stand together, in u8 of `a` and i8 of `b`, and the sums are i32 (is_dot4): then n
/// has the coefficient 4 there, and processors with such an instruction take four products at once. An extent of -1 - i
/// is the value of outer index operand i. Codegen keeps a block of `rows` × `vectors` accumulators.
struct contract {
  static constexpr fixed_string name = "loop.contract";
  static constexpr op_traits traits{
      .effects = effect_bits::writes, .regions = 1, .min_operands = 2, .results = 0};  // its region stores
  using reads = operands<0, 1>;
  std::vector<i64> m, k;  ///< extents
  i64 n = 0;
  ir::access_map map_a, map_b;
  dtype accumulate = dtype::f32;
  i64 rows = 0, inner_rows = 0, vectors = 0;  ///< schedule: 0 lets code generation choose
  TENON_ATTRIBUTES(m, n, k, map_a, map_b, accumulate, rows, inner_rows, vectors)

  /// Sums of four products of bytes each, for operands of these types. The last rows of the maps say so.
  bool is_dot4(dtype a, dtype b) const {
    if (a != dtype::u8 || b != dtype::i8 || accumulate != dtype::i32 || k.empty() || k.back() != 4) return false;
    if (map_a.rows.empty() || map_b.rows.size() < 2) return false;
    for (const auto* map : {&map_a, &map_b})
      for (const auto& row : map->rows)
        if (row.back() != (&row == &map->rows.back() ? 1 : 0)) return false;
    const std::vector<i64>& last = map_b.rows.back();
    const size_t at_n = last.size() - k.size() - 1;
    return last[at_n] == 0 && map_b.rows[map_b.rows.size() - 2][at_n] == 1;
  }
};

}  // namespace tenon::loop
