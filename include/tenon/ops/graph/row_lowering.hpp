/// @file row_lowering.hpp: the rows of operand 0 along an axis in parts, for lowerings that keep something beside a
/// row; or its matrices along two.
///
///     row_parts rows(cx, axis);
///     const value_id kept = cx.scratch(dtype::f32, {rows.parts(), n});
///     rows.each([&](const index_expr& part, const index_list& row) { … b.store(v, kept, {part, k}); … });
/// Threads share out parts; the rows of one follow each other, so that what they keep stays in the cache.
#pragma once

#include <algorithm>
#include <initializer_list>

#include <tenon/ops/lower.hpp>

namespace tenon::op {

class row_parts {
 public:
  row_parts(lower_context& cx, size_t axis) : row_parts(cx, {axis}) {}
  row_parts(lower_context& cx, std::initializer_list<size_t> axes)
      : b_(cx.b()), extents_(cx.extents(cx.operand_type(0))) {
    for (const size_t axis : axes) extents_[axis] = 1;
    for (const index_expr& e : extents_) count_ = b_.times(count_, e);
    parts_ = count_.is_constant() ? std::clamp<i64>(count_.constant(), 1, most) : most;
  }

  i64 parts() const { return parts_; }
  /// body(part, index of the row's first element)
  template <class F> void each(F&& body) {
    const index_expr size = b_.floor_div(count_ + (parts_ - 1), parts_);
    b_.for_(0, parts_, [&](const index_expr& part) {
      const index_expr first = b_.times(part, size);
      const loop::for_loop in_order;
      b_.for_(0, b_.min(size, count_ - first), [&](const index_expr& r) { body(part, index_of(first + r)); }, in_order);
    });
  }

 private:
  static constexpr i64 most = 16;

  index_list index_of(index_expr number) {
    index_list r(extents_.size(), index_expr(0));
    for (size_t d = extents_.size(); d-- > 0;) {
      if (extents_[d] == 1) continue;
      bool outermost = true;
      for (size_t e = 0; e < d; ++e) outermost = outermost && extents_[e] == 1;
      r[d] = outermost ? number : b_.floor_mod(number, extents_[d]);
      if (!outermost) number = b_.floor_div(number, extents_[d]);
    }
    return r;
  }

  ir::loop_builder& b_;
  index_list extents_;  ///< with 1 for those of a row
  index_expr count_ = 1;
  i64 parts_ = 1;
};

}  // namespace tenon::op
