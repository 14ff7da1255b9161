/// @file block_product.ipp: definitions of ops/graph/block_product.hpp.
#pragma once

#include <cstring>

#include <tenon/ops/graph/block_product.hpp>
#include <tenon/ops/weight_panels.hpp>

namespace tenon::op {

namespace detail {

/// The numbers that share bytes with others, one by one.
inline u32 bits_at(const u8* from, i64 number, i64 bits) {
  const i64 first = number * bits;
  return (static_cast<u32>(from[first / 8]) >> (first % 8)) & ((1u << bits) - 1);
}

}  // namespace detail

void infer(const matmul_nbits& op, ir::infer_context& cx) {
  if (op.bits != 2 && op.bits != 4 && op.bits != 8) cx.fail("elements of " + std::to_string(op.bits) + " bits");
  constexpr i64 most = i64{1} << 48;
  if (op.block < 1 || op.block % op.per_word() != 0)
    cx.fail("blocks of " + std::to_string(op.block) + " elements, which are no whole words");
  if (op.depth < 1 || op.columns < 1 || op.panel < 0 || op.depth > most || op.block > most)
    cx.fail("sizes are out of range");
  const ir::type &a = cx.operand(0), &b = cx.operand(1), &scales = cx.operand(2);
  const auto is_real = [](const ir::type& t) { return t.is_tensor() && is_float(t.elem) && !is_narrow(t.elem); };
  if (!is_real(a) || a.elem == dtype::f64) cx.fail("a is " + std::string(name_of(a.elem)), "cast it to f32");
  if (!is_real(scales)) cx.fail("the scales are " + std::string(name_of(scales.elem)));
  if (b.elem != (op.panel > 0 ? dtype::u32 : dtype::u8)) cx.fail("b is " + std::string(name_of(b.elem)));
  const auto must_be = [&](int i, const std::vector<i64>& shape) {
    const ir::type& t = cx.operand(i);
    if (!t.ranked) return;
    bool same = t.shape.size() == shape.size();
    for (size_t d = 0; same && d < shape.size(); ++d) same = !t.shape[d].is_static() || t.shape[d] == ir::dim(shape[d]);
    if (!same) cx.fail("operand " + std::to_string(i) + " is not of shape " + shape_text(shape));
  };
  if (op.panel > 0) {
    const i64 panels = quotient_up(op.columns, op.panel);
    must_be(1, {panels, op.words(), op.panel});
    must_be(2, {panels, op.blocks(), op.panel});
  } else {
    must_be(1, {op.columns, op.blocks(), op.block * op.bits / 8});
    must_be(2, {op.columns, op.blocks()});
  }
  if (cx.has(3)) {
    const bool bytes = cx.operand(3).elem == dtype::u8;
    if (!bytes && !is_real(cx.operand(3))) cx.fail("zeros are " + std::string(name_of(cx.operand(3).elem)));
    if (op.panel > 0) must_be(3, {quotient_up(op.columns, op.panel), op.blocks(), op.panel});
    else must_be(3, {op.columns, bytes ? quotient_up(op.blocks() * op.bits, 8) : op.blocks()});
  }
  if (!a.ranked) return cx.result(ir::type::unranked_tensor(a.elem));
  if (a.shape.empty()) cx.fail("a has no dimensions");
  if (a.shape.back().is_static() && a.shape.back() != ir::dim(op.depth))
    cx.fail("a has rows of " + std::to_string(a.shape.back().extent()) + ", not of " + std::to_string(op.depth));
  if (a.shape.back().is_symbol()) cx.same(a.shape.back(), op.depth);
  ir::type y = a;
  y.shape.back() = op.columns;
  cx.result(y);
}

std::array<tensor, 3> pack_nbits(const matmul_nbits& op, const tensor& b, const tensor& scales, const tensor& zeros,
                                 i64 panel) {
  const i64 panels = quotient_up(op.columns, panel), words = op.words(), blocks = op.blocks();
  // Each of a panel's columns has its numbers at a distance of `panel`.
  const auto spread = [&](const tensor& from, dtype type, i64 count, auto&& copy) {
    tensor r(type, {panels, count, panel});
    u8* to = static_cast<u8*>(r.data());
    const i64 size = tenon::size_of(type);
    for (i64 c = 0; c < op.columns; ++c)
      copy(static_cast<const u8*>(from.data()), c, to + (c / panel * count * panel + c % panel) * size, panel * size);
    return r;
  };
  const auto elements = [](i64 count, i64 size) {
    return [=](const u8* from, i64 c, u8* to, i64 step) {
      for (i64 i = 0; i < count; ++i, to += step)
        std::memcpy(to, from + (c * count + i) * size, static_cast<size_t>(size));
    };
  };
  std::array<tensor, 3> r;
  r[0] = spread(b, dtype::u32, words, [&](const u8* from, i64 c, u8* to, i64 step) {
    for (i64 i = 0; i < words; ++i, to += step) std::memcpy(to, from + (c * words + i) * 4, 4);
  });
  r[1] = spread(scales, scales.type(), blocks, elements(blocks, tenon::size_of(scales.type())));
  if (!zeros.defined()) return r;
  if (zeros.type() != dtype::u8)
    r[2] = spread(zeros, zeros.type(), blocks, elements(blocks, tenon::size_of(zeros.type())));
  else
    r[2] = spread(zeros, dtype::u8, blocks, [&](const u8* from, i64 c, u8* to, i64 step) {
      for (i64 i = 0; i < blocks; ++i, to += step)
        *to = static_cast<u8>(detail::bits_at(from + c * quotient_up(blocks * op.bits, 8), i, op.bits));
    });
  return r;
}

bool use_panels(matmul_nbits& op, weight_panels& w) {
  if (op.panel != 0 || !w.fill_words(op.columns)) return false;
  std::array<tensor, 3> given;
  for (int i = 0; i < 3; ++i) {
    if (!w.has_operand(i + 1)) continue;
    given[static_cast<size_t>(i)] = w.constant(i + 1);
    if (!given[static_cast<size_t>(i)].defined()) return false;
  }
  std::array<tensor, 3> packed = pack_nbits(op, given[0], given[1], given[2], w.words());
  for (int i = 0; i < 3; ++i)
    if (tensor& t = packed[static_cast<size_t>(i)]; t.defined()) w.replace(i + 1, std::move(t));
  op.panel = w.words();
  return true;
}

}  // namespace tenon::op
