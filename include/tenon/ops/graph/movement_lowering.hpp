/// @file movement_lowering: what the lowerings of movement, indexing and resize share.
#pragma once

#include <tenon/ops/graph/indices.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op::movement_detail {

/// An element_context for the shape rules, which also want to fail.
struct lowering_view {
  element_context& cx;
  bool has(int i) const { return cx.has(i); }
  const tensor* constant(int i) const { return cx.constant(i); }
  [[noreturn]] void fail(std::string message, std::string hint = {}) const {
    throw error("lower.attributes", std::move(message), {}, std::move(hint));
  }
  /// A list that must be known by now.
  template <class T> T known(std::optional<T> value, const char* what) const {
    if (!value) fail(std::string(what) + " not constant", "fold constants first");
    return *std::move(value);
  }
};

inline extents static_extents(const ir::type& t) {
  if (!t.is_static()) throw error("lower.static_shape", "a shape is not static", {}, "run it in the interpreter");
  return t.extents();
}

/// Reads the lists of a slice for its lowering.
struct lowering_reader {
  element_context& cx;
  std::optional<std::vector<std::optional<extent_expr>>> operator()(int i, const std::vector<i64>& attribute) const {
    if (!attribute.empty() || !cx.has(i))
      return std::vector<std::optional<extent_expr>>(attribute.begin(), attribute.end());
    return cx.integers(i);
  }
  std::optional<extent_expr> extent(ir::dim d) const { return cx.expression(d); }
};

/// Zero as an index of every dimension.
inline index_list origin(const ir::type& t) { return index_list(t.shape.size(), index_expr(0)); }

/// The type that a value is computed in: f32 for the 16-bit floats.
inline dtype wide_type(dtype t) { return compute_type(t); }

/// A literal of any type.
inline value_id literal_of(ir::loop_builder& b, dtype t, double v) {
  if (is_float(t)) return b.real(t, v);
  tensor one(t, {});
  one.set_f64(0, v);
  return b.integer(t, one.at_i64(0));
}

inline index_expr chosen(ir::loop_builder& b, value_id condition, const index_expr& yes, const index_expr& no) {
  return b.select(condition, b.index(yes), b.index(no));
}

inline index_expr clamped(ir::loop_builder& b, const index_expr& i, const index_expr& n) {
  return b.max(b.min(i, n - 1), 0);
}

/// A loaded index: negative ones count from the end. Not clamped.
inline index_expr from_end(ir::loop_builder& b, value_id v, const index_expr& n) {
  const bool signless = is_unsigned_int(b.type_of(v));
  const index_expr i = b.convert(v, dtype::index);
  return signless ? i : chosen(b, b.less(i, 0), i + n, i);
}

/// A loaded index as one that is inside of the extent, whatever it was.
inline index_expr wrapped(ir::loop_builder& b, value_id v, const index_expr& n) {
  return clamped(b, from_end(b, v, n), n);
}

/// Operand 0 at a place that was chosen by `wrapped`: of an operand that may have no elements, zero.
inline value_id chosen_element(element_context& cx, const index_list& from, const index_list& shape) {
  for (const index_expr& n : shape)
    if (!n.is_constant() || n.constant() == 0)
      return cx.operand_or(literal_of(cx.b(), cx.operand_type(0).elem, 0), 0, from);
  return cx.operand(0, from);
}

/// A loop nest whose loops are independent where `independent(d)`.
template <class Independent, class F>
void mixed_nest(ir::loop_builder& b, const index_list& shape, index_list& at, const Independent& independent,
                const F& body) {
  const size_t d = at.size();
  if (d == shape.size()) return body(static_cast<const index_list&>(at));
  b.for_(
      0, shape[d],
      [&](index_expr i) {
        at.push_back(i);
        mixed_nest(b, shape, at, independent, body);
        at.pop_back();
      },
      loop::for_loop{.independent = independent(d)});
}

}  // namespace tenon::op::movement_detail
