/// @file movement.simplify.ipp: reshapes, transposes and their like that cancel out (ops/simplification.hpp).
#pragma once

#include <algorithm>

#include <tenon/ops/graph/movement_shapes.hpp>
#include <tenon/ops/simplification.hpp>

namespace tenon::op {
namespace movement_detail {
using tenon::pattern;  // not the op

inline reshape reshape_to(const std::vector<i64>& shape) {
  bool zero = false;
  for (i64 e : shape) zero = zero || e == 0;
  return {shape, zero};
}

inline std::vector<i64> permutation_of(ir::op_view v) {
  return full_permutation(v.as<transpose>(), v.result_type().shape.size());
}
inline bool is_ranked(const auto& found) { return found.root().operand_type(0).ranked && found.result_type().ranked; }

inline bool moves_forward(ir::op_view v) {  // steps that are not known may reverse
  bool forward = !v.has_operand(4);
  for (i64 step : v.as<slice>().steps) forward = forward && step > 0;
  return forward;
}
inline bool adds_nothing(ir::op_view v) {
  const pad& op = v.as<pad>();
  bool nothing = !v.has_operand(1) && !op.before.empty();
  for (i64 n : op.before) nothing = nothing && n == 0;
  for (i64 n : op.after) nothing = nothing && n == 0;
  return nothing;
}

/// An op whose result is all of its operand: `reshape(x) -> x`, and of the others alike.
template <class Pattern>
struct whole_operand {
  using match = Pattern;
  using emits = ops<>;
  static bool when(const auto& found) {
    return found.result_type().is_static() && found.template type_of<"x">() == found.result_type();
  }
  static value_id replace(auto& found) { return found.template at<"x">(); }
};
template <class Op>
using of_any = pattern<Op, capture<"x", any>, rest<maybe<any>>>;
struct same_reshape : whole_operand<of_any<op::reshape>> {};
struct same_expand : whole_operand<of_any<op::expand>> {};
struct same_tile : whole_operand<of_any<op::tile>> {};
struct whole_slice : whole_operand<such_that<of_any<op::slice>, moves_forward>> {};
struct empty_pad : whole_operand<such_that<of_any<op::pad>, adds_nothing>> {};

/// concat(x) -> x
struct concat_of_one {
  using match = pattern<op::concat, capture<"x", any>>;
  using emits = ops<>;
  static value_id replace(auto& found) { return found.template at<"x">(); }
};

/// reshape(reshape(x)) -> reshape(x), to the extents of the result
struct reshape_of_reshape {
  using match = pattern<op::reshape, of_any<op::reshape>, rest<maybe<any>>>;
  using emits = ops<op::reshape>;
  static bool when(const auto& found) { return found.result_type().is_static(); }
  static value_id replace(auto& found) {
    return found.update(reshape_to(found.result_type().extents()), found.template at<"x">());
  }
};
/// reshape(x, shape), reshape(x) to -1 or 0 -> reshape(x) to the extents of the result
struct known_reshape {
  using match = of_any<op::reshape>;
  using emits = ops<op::reshape>;
  static bool when(const auto& found) {
    if (!found.result_type().is_static()) return false;
    const reshape plain = reshape_to(found.result_type().extents());
    const reshape& is = found.root().template as<op::reshape>();
    return found.root().has_operand(1) || is.shape != plain.shape || is.allow_zero != plain.allow_zero;
  }
  static value_id replace(auto& found) {
    return found.update(reshape_to(found.result_type().extents()), found.template at<"x">());
  }
};
/// expand(x, shape) -> expand(x) to the extents of the result
struct known_expand {
  using match = pattern<op::expand, capture<"x", any>, any>;
  using emits = ops<op::expand>;
  static bool when(const auto& found) { return found.result_type().is_static(); }
  static value_id replace(auto& found) {
    return found.update(op::expand{found.result_type().extents()}, found.template at<"x">());
  }
};

/// transpose(x) -> x, where each dimension stays
struct same_transpose {
  using match = pattern<op::transpose, capture<"x", any>>;
  using emits = ops<>;
  static bool when(const auto& found) {
    if (!is_ranked(found)) return false;
    const std::vector<i64> p = permutation_of(found.root());
    return std::ranges::is_sorted(p);
  }
  static value_id replace(auto& found) { return found.template at<"x">(); }
};
/// transpose(transpose(x)) -> transpose(x)
struct transpose_of_transpose {
  using match = pattern<op::transpose, capture<"inner", pattern<op::transpose, capture<"x", any>>>>;
  using emits = ops<op::transpose>;
  static bool when(const auto& found) { return is_ranked(found); }
  static value_id replace(auto& found) {
    const std::vector<i64> q = permutation_of(found.template op_of<"inner">());
    std::vector<i64> both;
    for (i64 d : permutation_of(found.root())) both.push_back(q[static_cast<size_t>(d)]);
    return found.update(op::transpose{both}, found.template at<"x">());
  }
};
/// transpose(x) -> reshape(x), where only extents of 1 move
struct transpose_to_reshape {
  using match = pattern<op::transpose, capture<"x", any>>;
  using emits = ops<op::reshape>;
  static bool when(const auto& found) {
    if (!is_ranked(found) || !found.result_type().is_static()) return false;
    i64 last = -1;
    for (i64 d : permutation_of(found.root())) {
      if (found.template type_of<"x">().shape[static_cast<size_t>(d)] == ir::dim(1)) continue;
      if (d < last) return false;
      last = d;
    }
    return true;
  }
  static value_id replace(auto& found) {
    return found.make(reshape_to(found.result_type().extents()), {found.template at<"x">()});
  }
};

}  // namespace movement_detail

bool simplify(const reshape&, simplification& r) {
  return r.apply<movement_detail::same_reshape, movement_detail::reshape_of_reshape, movement_detail::known_reshape>();
}
bool simplify(const transpose&, simplification& r) {
  return r.apply<movement_detail::same_transpose, movement_detail::transpose_of_transpose,
                 movement_detail::transpose_to_reshape>();
}
bool simplify(const expand&, simplification& r) {
  return r.apply<movement_detail::same_expand, movement_detail::known_expand>();
}
bool simplify(const slice&, simplification& r) { return r.apply<movement_detail::whole_slice>(); }
bool simplify(const concat&, simplification& r) { return r.apply<movement_detail::concat_of_one>(); }
bool simplify(const pad&, simplification& r) { return r.apply<movement_detail::empty_pad>(); }
bool simplify(const tile&, simplification& r) { return r.apply<movement_detail::same_tile>(); }

}  // namespace tenon::op
