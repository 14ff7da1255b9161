/// @file microsoft_weights: com.microsoft's products with weights of few bits.
#pragma once

#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

/// Bytes as the numbers of `bits` bits that each holds, the lowest or the highest bits first: the last dimension grows.
inline value_id numbers_in_bytes(import_context& cx, value_id x, i64 bits, bool highest_first = false) {
  if (bits == 8) return x;
  const i64 rank = cx.rank(x), each = 8 / bits;
  import_context::values parts;
  for (i64 k = 0; k < each; ++k) {
    const i64 shift = bits * (highest_first ? each - 1 - k : k);
    const value_id moved = shift == 0 ? x : cx.make(op::shift_right{}, {x, cx.like(x, static_cast<double>(shift))});
    const bool alone = shift + bits == 8;  // no higher bits are left
    const double mask = static_cast<double>((i64{1} << bits) - 1);
    parts.push_back(cx.unsqueeze(alone ? moved : cx.make(op::bit_and{}, {moved, cx.like(x, mask)}), {rank}));
  }
  std::vector<i64> shape(static_cast<size_t>(rank), 0);
  shape.back() = -1;
  return cx.reshape(cx.concat(parts, rank), shape);
}

/// Weights [columns, depth] whose groups are not blocks: input 4 says of each row of the product which scale and zero
/// point are its own. `operands`: A, B[columns, bytes], scales and perhaps zero points, [columns, blocks] or packed.
inline value_id weights_in_groups(import_context& cx, const op::matmul_nbits& p,
                                  const import_context::values& operands) {
  const value_id x = cx.slice(numbers_in_bytes(cx, operands[1], p.bits), 1, 0, p.depth), scale = operands[2];
  const dtype t = cx.elem(scale);
  if (cx.rank(cx.in(4)) != 1) cx.bad("g_idx has not one dimension");
  const value_id group = cx.slice(cx.in(4), 0, 0, p.depth);
  cx.require_shape(4, {-1});
  const auto own = [&](value_id v) { return cx.gather(v, group, 1); };
  value_id zero = cx.scalar(t, static_cast<double>(i64{1} << (p.bits - 1)));
  if (operands.size() > 3) {
    const bool packed = cx.elem(operands[3]) == dtype::u8;
    zero = own(cx.cast(packed ? numbers_in_bytes(cx, operands[3], p.bits) : operands[3], t));
  }
  return cx.mul(cx.sub(cx.cast(x, t), zero), own(scale));
}

/// What a product of bytes has of the rows x: each block of `block` numbers is a scale, 1/127 of its largest magnitude,
/// times integers. ONNX Runtime computes this where accuracy_level is 4, by the same operations of f32.
inline value_id rows_of_bytes(import_context& cx, value_id x, i64 depth, i64 block) {
  const i64 rank = cx.rank(x), rest = (block - depth % block) % block;
  if (const ir::dim last = cx.dim(x, -1); !cx.require_equal(last, depth))
    cx.bad("A has rows of " + ir::expression_of(cx.mod(), last).text() + " elements, not of " + std::to_string(depth));
  if (rest != 0) {
    op::pad p;
    p.before = {0}, p.after = {rest}, p.axes = {rank - 1};
    x = cx.make(p, {x});
  }
  std::vector<i64> apart(static_cast<size_t>(rank) - 1, 0), together = apart;
  apart.insert(apart.end(), {(depth + rest) / block, block});
  together.push_back(depth + rest);
  const value_id blocks = cx.reshape(x, apart), largest = cx.reduce_max(cx.make(op::abs{}, {blocks}), {rank});
  const value_id bytes = cx.like(largest, 127), zero = cx.like(largest, 0);
  const value_id inverse = cx.where(cx.greater(largest, zero), cx.div(bytes, largest), zero);
  const value_id whole = cx.make(op::round{}, {cx.mul(blocks, inverse)});
  const value_id y = cx.reshape(cx.mul(whole, cx.div(largest, bytes)), together);
  return rest == 0 ? y : cx.slice(y, rank - 1, 0, depth);
}

/// A times B', where B[n, blocks, bytes] holds numbers of `bits` bits with a scale and a zero point per block.
inline void matmul_n_bits(import_context& cx, const node&) {
  const i64 k = cx.i("K"), n = cx.i("N"), bits = cx.i("bits", 4), block = cx.i("block_size");
  if ((bits != 2 && bits != 4 && bits != 8) || block < 16 || block % 16 != 0 || k < 1 || n < 1)
    cx.bad("bits or sizes are out of range");
  if (cx.i("weight_prepacked", 0) != 0) cx.unsupported("MatMulNBits of weights in the order of one kernel");
  const op::matmul_nbits product{.bits = bits, .block = block, .depth = k, .columns = n};
  const i64 blocks = checked_add(k, block - 1) / block, bytes = checked_mul(block, bits) / 8;
  const auto as = [&](int i, const std::vector<i64>& shape) {
    const ir::type& t = cx.type_of(cx.in(i));
    if (t.is_static() && t.extents() == shape) return cx.in(i);
    if (t.is_static() && t.count() != element_count(shape))
      cx.bad("input " + std::to_string(i) + " is not of " + std::to_string(n) + " rows of " + std::to_string(blocks) +
             " blocks");
    return cx.reshape(cx.in(i), shape);
  };
  import_context::values operands{cx.in(0), as(1, {n, blocks, bytes}), as(2, {n, blocks})};
  if (cx.has(3)) operands.push_back(as(3, {n, cx.elem(cx.in(3)) == dtype::u8 ? (blocks * bits + 7) / 8 : blocks}));
  const dtype t = cx.elem(operands[0]);
  // Where ONNX Runtime has such a product: its others are of floats at every level.
  const bool of_bytes = cx.i("accuracy_level", 0) == 4 && cx.is_known(1) && !cx.has(4) &&
                        (!cx.has(3) || cx.elem(cx.in(3)) == dtype::u8) && (bits > 2 || block >= 32);
  if (of_bytes) operands[0] = rows_of_bytes(cx, cx.cast(operands[0], dtype::f32), k, block);
  value_id y;
  if (cx.has(4)) {
    operands[1] = cx.reshape(operands[1], {n, checked_mul(blocks, bytes)});
    y = cx.matmul(operands[0], cx.transpose(weights_in_groups(cx, product, operands), {1, 0}));
  } else {
    y = cx.cast(cx.make(product, operands), t);
  }
  cx.out(cx.has(5) ? cx.add(y, cx.in(5)) : y);
}

/// The numbers that the codes of bitsandbytes stand for: FP4 (T. Dettmers), and NF4 (T. Dettmers, A. Pagnoni,
/// A. Holtzman, L. Zettlemoyer, "QLoRA: Efficient Finetuning of Quantized LLMs", 2023, appendix E).
inline constexpr std::array<std::array<double, 16>, 2> bnb4_numbers{{
    {0, 0.0625 / 12, 8. / 12, 1, 4. / 12, 6. / 12, 2. / 12, 3. / 12, -0., -0.0625 / 12, -8. / 12, -1, -4. / 12,
     -6. / 12, -2. / 12, -3. / 12},
    {-1, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
     -0.09105003625154495, 0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
     0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1},
}};

/// A times B', where B holds the rows [N, K] one after the other, two codes a byte, and each block of the list has a
/// largest number.
inline void matmul_bnb4(import_context& cx, const node&) {
  const i64 k = cx.i("K"), n = cx.i("N"), block = cx.i("block_size"), kind = cx.i("quant_type");
  if (k < 1 || n < 1 || block < 1 || (kind != 0 && kind != 1)) cx.bad("sizes or quant_type are out of range");
  if (cx.i("transB", 1) == 0) cx.unsupported("MatMulBnb4 of weights that are not transposed");
  const i64 count = checked_mul(n, k), blocks = checked_add(count, block - 1) / block;
  const auto list = [&](int i, i64 size) {
    const ir::type& t = cx.type_of(cx.in(i));
    if (t.is_static() && t.count() != size)
      cx.bad("input " + std::to_string(i) + " has not " + std::to_string(size) + " elements");
    return cx.reshape(cx.in(i), {size});
  };
  const dtype t = cx.elem(cx.in(0));
  tensor numbers(dtype::f32, {16});
  for (i64 c = 0; c < 16; ++c) numbers.set_f64(c, bnb4_numbers[static_cast<size_t>(kind)][static_cast<size_t>(c)]);
  const value_id codes = numbers_in_bytes(cx, list(1, checked_add(count, 1) / 2), 4, true);
  value_id x = cx.slice(cx.gather(cx.cast(cx.constant(numbers), t), cx.cast(codes, dtype::i32), 0), 0, 0, count);
  if (const i64 missing = checked_mul(blocks, block) - count; missing != 0) {
    op::pad p;
    p.before = {0}, p.after = {missing}, p.axes = {0};
    x = cx.make(p, {x});
  }
  const value_id largest = cx.unsqueeze(cx.cast(list(2, blocks), t), {1});
  const value_id flat = cx.reshape(cx.mul(cx.reshape(x, {blocks, block}), largest), {-1});
  cx.out(cx.matmul(cx.in(0), cx.transpose(cx.reshape(cx.slice(flat, 0, 0, count), {n, k}), {1, 0})));
}

}  // namespace handlers

std::span<const registered_operator> families::microsoft_weights() {
  using namespace handlers;
  static constexpr std::string_view ms = "com.microsoft";
  static constexpr registered_operator table[] = {
      {"MatMulBnb4", matmul_bnb4, ms, 1, 3, 1, "block_size:i! K:i! N:i! quant_type:i! training_mode:i transB:i",
       "f i f"},
      {"MatMulNBits",
       matmul_n_bits,
       ms,
       1,
       {3, 6},
       1,
       "accuracy_level:i bits:i block_size:i! K:i! N:i! weight_prepacked:i",
       "f i f fi i f"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
