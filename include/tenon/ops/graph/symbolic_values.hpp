/// @file symbolic_values: the elements of small integer tensors as expressions of extents: shapes that a graph
/// computes.
///
/// %s = shape_of(%x: [batch, 3, n]), gather(%s, 2) is [n], concat(gather(%s, 0), [-1]) is [batch, -1]: what a Reshape
/// of an exported model is told. Looks through data movement and arithmetic on lists of at most 64 integers.
#pragma once

#include <optional>

#include <tenon/core/extent_expr.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/infer.hpp>

namespace tenon::op {

/// Elements that are not known are empty.
using symbolic_list = std::vector<std::optional<extent_expr>>;

/// The elements of a value of any rank in row-major order; nothing when it is no small list of integers or none is
/// known.
std::optional<symbolic_list> symbolic_value(const ir::module& m, value_id v);

/// The list that a pure op computes although it follows from extents: all its elements are known as expressions.
/// Nothing for constants and `extents_of`, which say it already, and where nobody reads it.
std::optional<symbolic_list> extents_computed(const ir::module& m, op_id op);

namespace movement_detail {

/// The attribute unless it is empty, else the operand's elements as far as they are known.
std::optional<symbolic_list> symbolic_list_of(const ir::infer_context& cx, int i, const std::vector<i64>& attribute);
/// The numbers of a list of which all elements are known numbers.
std::optional<std::vector<i64>> numbers_in(const symbolic_list& l);
/// An extent for an element.
inline ir::dim dim_for(const ir::infer_context& cx, const std::optional<extent_expr>& e) {
  return e ? cx.extent(*e) : ir::dim::unknown();
}

/// Where a slice of n elements starts, and how many it has, while none of `not_negative` is.
struct symbolic_span {
  extent_expr start, count;
};
/// The same of any sizes, by a step that is not negative: bounds count from the end where they are negative, then they
/// are clamped.
symbolic_span clamped_slice(const extent_expr& n, const extent_expr& start, const extent_expr& end, i64 step);
std::optional<symbolic_span> symbolic_slice(const extent_expr& n, const extent_expr& start, const extent_expr& end,
                                            i64 step, std::vector<extent_expr>& not_negative);

/// The spans of all dimensions of a slice whose bounds are known as expressions; `span` is empty where they are not.
struct sliced_dim {
  bool cut = false;
  std::optional<symbolic_span> span;
  i64 step = 1;
  std::vector<extent_expr> not_negative;
  std::optional<symbolic_span> clamped;  ///< where not_negative has any
};
/// `read(i, attribute)` gives the elements of list operand i, `extent(d)` an expression or nothing.
template <class Slice, class Reader>
std::optional<std::vector<sliced_dim>> symbolic_slices(const Slice& op, const ir::type& x, const Reader& read) {
  const auto starts = read(1, op.starts), ends = read(2, op.ends), axes = read(3, op.axes), steps = read(4, op.steps);
  if (!starts || !ends || !axes || !steps || starts->size() != ends->size()) return std::nullopt;
  const auto along = numbers_in(*axes), by = numbers_in(*steps);
  if (!along || !by || (!along->empty() && along->size() != starts->size()) ||
      (!by->empty() && by->size() != starts->size()))
    return std::nullopt;
  std::vector<sliced_dim> r(x.shape.size());
  for (size_t i = 0; i < starts->size(); ++i) {
    i64 a = along->empty() ? static_cast<i64>(i) : (*along)[i];
    if (a < 0) a += x.rank();
    if (a < 0 || a >= x.rank()) return std::nullopt;
    sliced_dim& d = r[static_cast<size_t>(a)];
    d.cut = true;
    d.step = by->empty() ? 1 : (*by)[i];
    const auto n = read.extent(x.shape[static_cast<size_t>(a)]);
    if (d.step == 0) return std::nullopt;
    if (n && (*starts)[i] && (*ends)[i])
      d.span = symbolic_slice(*n, *(*starts)[i], *(*ends)[i], d.step, d.not_negative);
    if (!d.not_negative.empty() && d.step > 0) d.clamped = clamped_slice(*n, *(*starts)[i], *(*ends)[i], d.step);
  }
  return r;
}
/// Amounts of padding for each dimension, as expressions; nothing where one is not known. See `padding_of`.
struct symbolic_padding {
  std::vector<extent_expr> before, after;
};
template <class Pad, class Reader>
std::optional<symbolic_padding> symbolic_padding_of(const Pad& op, size_t rank, const Reader& read) {
  const auto axes = read(3, op.axes), pads = read(1, {});
  const auto along = axes ? numbers_in(*axes) : std::nullopt;
  const bool attributes = !op.before.empty() || !op.after.empty();
  if (!along || (!attributes && !pads)) return std::nullopt;
  const size_t n = attributes ? op.before.size() : pads->size() / 2;
  if ((attributes ? op.after.size() != n : pads->size() != 2 * n) ||
      (n != 0 && n != (along->empty() ? rank : along->size())))
    return std::nullopt;
  symbolic_padding p{std::vector<extent_expr>(rank), std::vector<extent_expr>(rank)};
  for (size_t i = 0; i < n; ++i) {
    i64 a = along->empty() ? static_cast<i64>(i) : (*along)[i];
    if (a < 0) a += static_cast<i64>(rank);
    if (a < 0 || a >= static_cast<i64>(rank)) return std::nullopt;
    if (!attributes && (!(*pads)[i] || !(*pads)[n + i])) return std::nullopt;
    p.before[static_cast<size_t>(a)] = attributes ? extent_expr(op.before[i]) : *(*pads)[i];
    p.after[static_cast<size_t>(a)] = attributes ? extent_expr(op.after[i]) : *(*pads)[n + i];
  }
  return p;
}
/// Reads for a type rule.
struct infer_reader {
  const ir::infer_context& cx;
  std::optional<symbolic_list> operator()(int i, const std::vector<i64>& attribute) const {
    return symbolic_list_of(cx, i, attribute);
  }
  std::optional<extent_expr> extent(ir::dim d) const { return cx.expression(d); }
};

}  // namespace movement_detail
}  // namespace tenon::op
