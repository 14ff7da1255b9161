/// @file reduce.simplify.ipp: reductions of what was only repeated (ops/simplification.hpp).
#pragma once

#include <optional>

#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/graph/movement.hpp>
#include <tenon/ops/graph/reduce.hpp>
#include <tenon/ops/simplification.hpp>

namespace tenon::op {
namespace reduce_detail {
using tenon::pattern;  // not the op

/// A reduction of an `expand` in which each element is reduced with copies of itself alone.
struct copies_of_one {
  i64 count = 1;           ///< of each
  std::vector<i64> shape;  ///< of what is expanded, with dimensions as the result has them
};

/// The dimensions that axes say; nothing where one is none.
inline std::optional<std::vector<bool>> reduced_dimensions(std::vector<i64> axes, const tensor* operand, size_t rank) {
  if (axes.empty() && operand != nullptr)
    for (i64 i = 0; i < operand->size(); ++i) axes.push_back(operand->at_i64(i));
  std::vector<bool> reduced(rank, axes.empty());
  for (const i64 a : axes) {
    const i64 d = a < 0 ? a + static_cast<i64>(rank) : a;
    if (d < 0 || d >= static_cast<i64>(rank)) return std::nullopt;
    reduced[static_cast<size_t>(d)] = true;
  }
  return reduced;
}

inline std::optional<copies_of_one> copies_in(const axes_reduction& op, const tensor* axes, const ir::type& x,
                                              const ir::type& expanded) {
  if (!x.is_static() || !expanded.is_static() || expanded.count() == 0) return std::nullopt;
  const auto reduced = reduced_dimensions(op.axes, axes, expanded.shape.size());
  if (!reduced) return std::nullopt;
  copies_of_one r;
  const size_t added = expanded.shape.size() - x.shape.size();
  for (size_t d = 0; d < reduced->size(); ++d) {
    const i64 extent = d < added ? 1 : x.shape[d - added].extent();
    if (!(*reduced)[d]) {
      r.shape.push_back(extent);
      continue;
    }
    if (extent != 1) return std::nullopt;
    r.count *= expanded.shape[d].extent();  // fits: a type has at most 2^58 elements
    if (op.keep_dims) r.shape.push_back(1);
  }
  return r;
}

inline tensor number_of(dtype t, i64 n) {
  tensor r(t, {});
  if (is_float(t)) r.set_f64(0, static_cast<double>(n));
  else r.set_i64(0, n);
  return r;
}

/// reduce_sum(expand(x)) -> mul(x, n), reduce_max(expand(x)) -> x, where each element is reduced with copies of itself
template <class Op>
struct copies_reduced {
  using match = pattern<Op, capture<"copies", pattern<op::expand, capture<"x", any>, rest<maybe<any>>>>,
                        maybe<capture<"axes", tenon::constant>>>;
  using emits = ops<op::constant, op::mul, op::reshape, op::expand>;
  static std::optional<copies_of_one> copies(const auto& found) {
    const tensor* axes = found.template at<"axes">() ? found.template constant<"axes">() : nullptr;
    return copies_in(family_of(found.root().template as<Op>()), axes, found.template type_of<"x">(),
                     found.template type_of<"copies">());
  }
  static bool when(const auto& found) {
    const auto all = copies(found);
    const dtype t = found.result_type().elem;
    if (!all || Op::kind != reduction::sum || !is_float(t)) return all.has_value();
    return number_of(t, all->count).at_f64(0) == static_cast<double>(all->count);
  }
  static value_id replace(auto& found) {
    const copies_of_one all = *copies(found);
    const std::vector<i64> shape = found.result_type().extents();
    value_id r = found.make(op::reshape{all.shape, true}, {found.template at<"x">()});
    if (Op::kind == reduction::sum && all.count != 1)
      r = found.make(op::mul{}, {r, found.make_constant(number_of(found.result_type().elem, all.count))});
    return all.shape == shape ? r : found.make(op::expand{shape}, {r});
  }
};

struct sum_of_copies : copies_reduced<reduce_sum> {};
struct maximum_of_copies : copies_reduced<reduce_max> {};
struct minimum_of_copies : copies_reduced<reduce_min> {};

}  // namespace reduce_detail

bool simplify(const reduce_sum&, simplification& r) { return r.apply<reduce_detail::sum_of_copies>(); }
bool simplify(const reduce_max&, simplification& r) { return r.apply<reduce_detail::maximum_of_copies>(); }
bool simplify(const reduce_min&, simplification& r) { return r.apply<reduce_detail::minimum_of_copies>(); }

}  // namespace tenon::op
