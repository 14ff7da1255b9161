/// @file block_product.lower.ipp: loop nests of products by matrices of a few bits. One row, or a few, reads each word
/// of a panel once and dequantizes it in registers; many rows dequantize a panel into scratch, and are a contraction by
/// that.
#pragma once

#include <algorithm>

#include <tenon/ops/graph/block_product.hpp>
#include <tenon/ops/graph/contraction.lower.ipp>
#include <tenon/ops/graph/window_lowering.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

namespace detail {

/// Up to how many rows read the packed words themselves.
inline constexpr i64 few_rows = 4;
/// How many bytes of dequantized panels there are at a time, for all threads.
inline constexpr i64 dequantized_bytes = i64{4} << 20;

/// How many words of a column the code of one iteration reads.
inline constexpr i64 unrolled = 4;

/// Elements of a panel's column in registers.
class dequantizer {
 public:
  dequantizer(const matmul_nbits& op, lower_context& cx)
      : op_(op), b_(cx.b()), words_(cx.buffer(1)), scales_(cx.buffer(2)) {
    if (cx.has(3)) zeros_ = cx.buffer(3), whole_zeros_ = cx.operand_type(3).elem == dtype::u8;
  }

  /// Of one block and column.
  struct block {
    value_id scale, zero;
    std::vector<value_id> offsets;  ///< of the places in a half word
  };
  block begin(const index_expr& panel, const index_expr& j, const index_expr& column) {
    block r;
    r.scale = b_.convert(b_.load(scales_, {panel, j, column}), dtype::f32);
    r.zero = zeros_ ? b_.convert(b_.load(zeros_, {panel, j, column}), dtype::f32)
                    : b_.real(dtype::f32, static_cast<double>(i64{1} << (op_.bits - 1)));
    for (i64 place = 0; place < 16; place += op_.bits) {
      const value_id one = b_.real(dtype::f32, static_cast<double>(i64{1} << (23 - place)));
      r.offsets.push_back(whole_zeros_ ? b_.add(r.zero, one) : one);
    }
    return r;
  }

  /// q - zero for the elements of a word, of which `count` exist: f(element of the word, value). The bits of q stand in
  /// the fraction of a float that is a power of two above it, so a bitwise operation and an exact subtraction make it a
  /// float.
  template <class F>
  void each(const block& of, const index_expr& panel, const index_expr& word, const index_expr& column, i64 count,
            F&& f) {
    const auto u32_of = [&](i64 v) { return b_.integer(dtype::u32, v); };
    value_id half = b_.load(words_, {panel, word, column});
    for (i64 e = 0; e < count; ++e) {
      const i64 place = e * op_.bits % 16;
      if (e > 0 && place == 0) half = b_.apply(scalar_fn::shift_right, {half, u32_of(16)});
      const value_id bits = b_.apply(scalar_fn::bit_and, {half, u32_of(((i64{1} << op_.bits) - 1) << place)});
      const value_id shifted = b_.apply(scalar_fn::bit_or, {bits, u32_of((150 - place) << 23)});
      value_id v = b_.sub(b_.bits_of(shifted, dtype::f32), of.offsets[static_cast<size_t>(place / op_.bits)]);
      if (!whole_zeros_) v = b_.sub(v, of.zero);
      f(e, v);
    }
  }

 private:
  const matmul_nbits& op_;
  ir::loop_builder& b_;
  value_id words_, scales_, zeros_;
  bool whole_zeros_ = true;
};

/// The index lists of a number of rows that is known, in order.
inline std::vector<index_list> row_indices(const std::vector<ir::dim>& leading, i64 rows) {
  std::vector<index_list> r;
  for (i64 i = 0; i < rows; ++i) {
    index_list at(leading.size());
    i64 rest = i;
    for (size_t d = leading.size(); d-- > 0; rest /= leading[d].extent()) at[d] = rest % leading[d].extent();
    r.push_back(at);
  }
  return r;
}

/// Rows of a, all at once, by one column: what each element of the column is multiplied with stays in registers.
inline void nbits_rows(const matmul_nbits& op, lower_context& cx, dequantizer& of, value_id a,
                       const std::vector<index_list>& rows, const index_expr& panel, const index_expr& first,
                       const index_expr& n) {
  ir::loop_builder& b = cx.b();
  const dtype result = cx.result_type().elem;
  // Several sums for a row, so that an addition need not wait for the one before.
  const size_t chains = std::max<size_t>(1, 4 / rows.size());
  const i64 per_word = op.per_word();
  const auto block = [&](const index_expr& j, i64 elements, std::vector<value_id>& total) {
    const dequantizer::block d = of.begin(panel, j, n);
    const index_expr word0 = j * (op.block / per_word), k0 = j * op.block;
    std::vector<value_id> sums(rows.size() * chains, b.real(dtype::f32, 0));
    const auto word = [&](const index_expr& w, i64 count, std::vector<value_id>& acc) {
      of.each(d, panel, word0 + w, n, count, [&](i64 e, value_id v) {
        for (size_t r = 0; r < rows.size(); ++r) {
          value_id& sum = acc[r * chains + static_cast<size_t>(e) % chains];
          sum = b.apply(scalar_fn::fma, {b.load(a, joined(rows[r], {k0 + w * per_word + e})), v, sum});
        }
      });
    };
    const i64 whole = elements / per_word, looped = whole > 2 * unrolled ? whole / unrolled * unrolled : 0;
    if (looped > 0)
      sums = b.reduce(0, looped / unrolled, sums,
                      [&](const index_expr& i, std::vector<value_id>& acc) {
                        for (i64 w = 0; w < unrolled; ++w) word(i * unrolled + w, per_word, acc);
                      },
                      {});
    for (i64 w = looped; w < whole; ++w) word(w, per_word, sums);
    if (elements % per_word != 0) word(whole, elements % per_word, sums);
    for (size_t r = 0; r < rows.size(); ++r) {
      value_id s = sums[r * chains];
      for (size_t c = 1; c < chains; ++c) s = b.add(s, sums[r * chains + c]);
      total[r] = b.apply(scalar_fn::fma, {s, d.scale, total[r]});
    }
  };
  std::vector<value_id> total(rows.size(), b.real(dtype::f32, 0));
  const i64 whole = op.depth / op.block;
  if (whole > 0)
    total = b.reduce(0, whole, total,
                     [&](const index_expr& j, std::vector<value_id>& carried) { block(j, op.block, carried); });
  if (op.depth % op.block != 0) block(whole, op.depth % op.block, total);
  for (size_t r = 0; r < rows.size(); ++r) cx.store(b.convert(total[r], result), 0, joined(rows[r], {first + n}));
}

/// Every panel is read once, by all rows.
inline void nbits_by_words(const matmul_nbits& op, lower_context& cx, value_id a) {
  ir::loop_builder& b = cx.b();
  const ir::type ta = cx.operand_type(0);
  const std::vector<ir::dim> leading(ta.shape.begin(), ta.shape.end() - 1);
  bool known = true;
  i64 rows = 1;
  for (ir::dim d : leading) known = known && d.is_static(), rows *= d.is_static() ? d.extent() : 1;
  dequantizer of(op, cx);
  for_blocks(b, op.columns, op.panel, [&](const index_expr& panel, const index_expr& first, const index_expr& count) {
    const auto columns = [&](const std::vector<index_list>& at) {
      b.for_(0, count, [&](const index_expr& n) { nbits_rows(op, cx, of, a, at, panel, first, n); });
    };
    if (known) return columns(row_indices(leading, rows));
    index_list extents;
    for (ir::dim d : leading) extents.push_back(cx.extent(d));
    b.nest(extents, [&](const index_list& at) { columns({at}); });
  });
}

/// A block of columns at a time is dequantized, and multiplied with all rows.
inline void nbits_by_panels(const matmul_nbits& op, lower_context& cx, value_id a) {
  ir::loop_builder& b = cx.b();
  ir::type ta = cx.operand_type(0);
  const dtype result = cx.result_type().elem;
  ta.elem = b.type_of(a), ta.shape.back() = op.depth;  // which a symbol may stand for
  if (rows_collide(op.depth * tenon::size_of(ta.elem)))
    a = copy_rows(cx, a, ta.elem, ta.shape, [](const index_list& at) { return at; });
  index_list rows;
  for (size_t d = 0; d + 1 < ta.shape.size(); ++d) rows.push_back(cx.extent(ta.shape[d]));
  const i64 per_word = op.per_word(), wide = 2 * op.panel, full = op.columns / wide;
  const i64 slots = std::clamp<i64>(dequantized_bytes / (op.depth * wide * 4), 1, std::max<i64>(full, 1));
  const value_id dequantized = cx.scratch(dtype::f32, {slots, op.depth, wide});
  dequantizer of(op, cx);

  // Some words of a block for a vector of columns: the scale is read once for all of them.
  const auto words = [&](const index_expr& panel, const index_expr& slot, i64 column, const index_expr& j,
                         const index_expr& first, i64 elements) {
    b.for_(0, op.panel, [&](const index_expr& n) {
      const dequantizer::block d = of.begin(panel, j, n);
      for (i64 w = 0; w * per_word < elements; ++w) {
        const index_expr word = first + w;
        of.each(d, panel, j * (op.block / per_word) + word, n, std::min(per_word, elements - w * per_word),
                [&](i64 e, value_id v) {
                  b.store(b.mul(v, d.scale), dequantized, {slot, j * op.block + word * per_word + e, n + column});
                });
      }
    });
  };
  const auto block_of = [&](const index_expr& panel, const index_expr& slot, i64 column, const index_expr& j,
                            i64 elements) {
    const i64 step = unrolled * per_word, whole = elements / step;
    if (whole > 0) b.for_(0, whole, [&](const index_expr& i) { words(panel, slot, column, j, i * unrolled, step); });
    if (elements % step != 0) words(panel, slot, column, j, whole * unrolled, elements % step);
  };
  const auto block = [&](const index_expr& number, const index_expr& slot, const index_expr& count) {
    for (i64 half = 0; half * op.panel < count.constant(); ++half) {
      const i64 whole = op.depth / op.block, rest = op.depth % op.block;
      const index_expr panel = number * 2 + half;
      if (whole > 0)
        b.for_(0, whole, [&](const index_expr& j) { block_of(panel, slot, half * op.panel, j, op.block); });
      if (rest > 0) block_of(panel, slot, half * op.panel, whole, rest);
    }
    b.contract(
        {a, dequantized, rows, {op.depth}, count, dtype::f32},
        [&](const index_list& m, const index_list& k) { return joined(m, {k[0]}); },
        [&](const index_expr& n, const index_list& k) { return index_list{slot, k[0], n}; },
        [&](value_id acc, const index_list& m, const index_expr& n) {
          cx.store(b.convert(acc, result), 0, joined(m, {number * wide + n}));
        });
  };
  // Each slot is filled again and again by who has it: it stays in the second-level cache of that processor.
  const i64 rounds = full / slots;
  b.for_(0, slots, [&](const index_expr& slot) {
    b.for_(0, rounds, [&](const index_expr& round) { block(slot * rounds + round, slot, wide); },
           {.independent = false});
  });
  if (full % slots != 0)
    b.for_(0, full % slots, [&](const index_expr& slot) { block(slots * rounds + slot, slot, wide); });
  if (op.columns % wide != 0) block(full, 0, op.columns % wide);
}

/// As ONNX has it, an element at a time.
inline void nbits_by_elements(const matmul_nbits& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const ir::type ta = cx.operand_type(0);
  const i64 per_byte = 8 / op.bits;
  index_list extents = cx.extents(ta);
  extents.back() = op.columns;
  const auto part = [&](value_id byte, value_id shift) {
    const value_id moved = b.apply(scalar_fn::shift_right, {b.convert(byte, dtype::i32), shift});
    return b.convert(b.apply(scalar_fn::bit_and, {moved, b.integer(dtype::i32, (i64{1} << op.bits) - 1)}), dtype::f32);
  };
  b.nest(extents, [&](const index_list& at) {
    const index_list row(at.begin(), at.end() - 1);
    const index_expr n = at.back();
    const value_id sum = b.reduce(0, op.blocks(), {b.real(dtype::f32, 0)}, [&](const index_expr& j, auto& total) {
      value_id zero = b.real(dtype::f32, static_cast<double>(i64{1} << (op.bits - 1)));
      if (cx.has(3) && cx.operand_type(3).elem != dtype::u8) {
        zero = b.convert(cx.load(3, {n, j}), dtype::f32);
      } else if (cx.has(3)) {
        const value_id shift = b.convert(b.index(b.floor_mod(j, per_byte) * op.bits), dtype::i32);
        zero = part(cx.load(3, {n, b.floor_div(j, per_byte)}), shift);
      }
      const value_id block = b.reduce(
          0, op.block / per_byte, {b.real(dtype::f32, 0)}, [&](const index_expr& i, std::vector<value_id>& acc) {
            const value_id byte = cx.load(1, {n, j, i});
            for (i64 e = 0; e < per_byte; ++e) {
              const value_id q = b.sub(part(byte, b.integer(dtype::i32, e * op.bits)), zero);
              const index_list k = joined(row, {j * op.block + i * per_byte + e});
              const value_id x = op.depth % op.block == 0 ? cx.load(0, k) : cx.operand_or(b.real(ta.elem, 0), 0, k);
              acc[0] = b.apply(scalar_fn::fma, {b.convert(x, dtype::f32), q, acc[0]});
            }
          })[0];
      total[0] = b.apply(scalar_fn::fma, {block, b.convert(cx.load(2, {n, j}), dtype::f32), total[0]});
    })[0];
    cx.store(b.convert(sum, cx.result_type().elem), 0, at);
  });
}

}  // namespace detail

void lower(const matmul_nbits& op, lower_context& cx) {
  if (op.panel == 0) return detail::nbits_by_elements(op, cx);
  ir::loop_builder& b = cx.b();
  const ir::type ta = cx.operand_type(0);
  if (ta.is_static() && ta.count() == 0) return;
  const index_list extents = cx.extents(ta);
  value_id a = cx.buffer(0);
  if (ta.elem != dtype::f32) {
    const value_id single = cx.scratch(dtype::f32, ta.shape);
    b.nest(extents, [&](const index_list& at) { b.store(b.convert(b.load(a, at), dtype::f32), single, at); });
    a = single;
  }
  index_expr rows = 1;
  for (size_t d = 0; d + 1 < extents.size(); ++d) rows = b.times(rows, extents[d]);
  if (rows.is_constant()) {
    if (rows.constant() <= detail::few_rows) detail::nbits_by_words(op, cx, a);
    else detail::nbits_by_panels(op, cx, a);
    return;
  }
  const auto nothing = std::vector<value_id>{};
  b.if_(
      b.equal(rows, 1), [&] { return detail::nbits_by_words(op, cx, a), nothing; },
      [&] { return detail::nbits_by_panels(op, cx, a), nothing; });
}

}  // namespace tenon::op
