/// @file movement_shapes: the shapes that the ops of movement.hpp give, for any context that can `fail`.
#pragma once

#include <tenon/ops/graph/indices.hpp>
#include <tenon/ops/graph/movement.hpp>

namespace tenon::op::movement_detail {

inline std::vector<ir::dim> dims_of(const extents& e) { return {e.begin(), e.end()}; }

/// The type of a result whose shape is a computed operand: its rank may still be known.
inline ir::type computed_shape(const ir::infer_context& cx, dtype t, int operand) {
  const ir::type& list = cx.operand(operand);
  if (list.ranked && list.rank() == 1 && list.shape[0].is_static() && list.shape[0].extent() <= 64)
    return ir::type::tensor(t, std::vector<ir::dim>(static_cast<size_t>(list.shape[0].extent())));
  return ir::type::unranked_tensor(t);
}

/// The dimensions that a reshape gives, for any context that can `fail`. What is copied by a 0 has no part in what -1
/// stands for: that is known even where an extent of 0 is copied, and does not depend on when it is known.
template <class Context>
std::vector<ir::dim> reshaped_dims(const Context& cx, const ir::type& from, const extents& target, bool allow_zero) {
  std::vector<ir::dim> to, left = from.shape;
  extents numbers;  // of the new shape, as far as they are known
  int computed = -1;
  bool exact = from.ranked, none = false;  // none: an extent of 0 may be copied
  const auto take = [&](ir::dim d) {
    for (size_t i = 0; i < left.size(); ++i)
      if (left[i] == d) return left.erase(left.begin() + static_cast<std::ptrdiff_t>(i)), true;
    return false;
  };
  for (size_t d = 0; d < target.size(); ++d) {
    ir::dim e(target[d]);
    if (target[d] < -1) cx.fail("the extent " + std::to_string(target[d]) + " of the new shape is negative");
    if (target[d] == -1) {
      if (computed >= 0) cx.fail("the new shape has more than one -1");
      computed = static_cast<int>(d);
      to.push_back(ir::dim::unknown());
      continue;
    }
    if (target[d] == 0 && !allow_zero) {
      if (from.ranked && d >= from.shape.size())
        cx.fail("the new shape's 0 at " + std::to_string(d) + " has no dimension to copy: the operand has " +
                std::to_string(from.shape.size()));
      e = from.ranked ? from.shape[d] : ir::dim::unknown();
      if (from.ranked && take(e)) {
        none |= !e.is_static() || e.extent() == 0;
        to.push_back(e);
        continue;
      }
    }
    to.push_back(e);
    if (e.is_static()) numbers.push_back(e.extent());
    else if (e.is_unknown() || !take(e)) exact = false;
  }
  extents rest_numbers;
  ir::dim rest(1);
  int open = 0;
  for (ir::dim d : left)
    if (d.is_static()) rest_numbers.push_back(d.extent());
    else rest = d, ++open;
  const i64 known = checked_elements(cx, numbers, "the new shape"),
            have = checked_elements(cx, rest_numbers, "the operand's shape");
  if (!exact || open > 1) return to;
  if (computed < 0) {
    if (open == 0 && have != known && !none)
      cx.fail(std::to_string(have) + " elements cannot be reshaped to " + shape_text(target));
    return to;
  }
  if (open == 1) {
    if (have == known) to[static_cast<size_t>(computed)] = rest;
    return to;
  }
  if (known == 0 ? have != 0 : have % known != 0)
    cx.fail(std::to_string(have) + " elements cannot be reshaped to " + shape_text(target));
  to[static_cast<size_t>(computed)] = known == 0 ? 0 : have / known;
  return to;
}

template <class Context> void check_permutation(const Context& cx, const extents& permutation, size_t rank) {
  if (permutation.size() != rank)
    cx.fail("a permutation of " + std::to_string(permutation.size()) + " dimensions for an operand of " +
            std::to_string(rank));
  checked_axes(cx, permutation, 0, rank);
}

/// Which dimension of the operand each of the result is: `op.permutation` without what is short in it, an empty list
/// and negative numbers.
inline extents full_permutation(const transpose& op, size_t rank) {
  extents p = op.permutation;
  if (p.empty())
    for (size_t d = rank; d-- > 0;) p.push_back(static_cast<i64>(d));
  for (i64& d : p) d += d < 0 ? static_cast<i64>(rank) : 0;
  return p;
}

/// Amounts of padding per dimension.
struct padding {
  extents before, after;
};
template <class Context> std::optional<padding> padding_of(const Context& cx, const pad& op, size_t rank) {
  extents before = op.before, after = op.after;
  if (before.empty() && after.empty()) {
    const auto pads = list_of(cx, 1, {});
    if (!pads) return std::nullopt;
    if (pads->size() % 2 != 0) cx.fail("the list of pads has an odd number of elements");
    before.assign(pads->begin(), pads->begin() + static_cast<std::ptrdiff_t>(pads->size() / 2));
    after.assign(pads->begin() + static_cast<std::ptrdiff_t>(pads->size() / 2), pads->end());
  }
  const auto axes = list_of(cx, 3, op.axes);
  if (!axes) return std::nullopt;
  if (before.size() != after.size() || (!axes->empty() && axes->size() != before.size()) ||
      (axes->empty() && before.size() != rank && !before.empty()))
    cx.fail("pads for " + std::to_string(before.size()) + " and " + std::to_string(after.size()) + " dimensions, for " +
            std::to_string(axes->empty() ? rank : axes->size()) + " axes");
  const extents which = checked_axes(cx, *axes, before.size(), rank);
  padding p{extents(rank, 0), extents(rank, 0)};
  for (size_t i = 0; i < which.size() && i < before.size(); ++i) {
    p.before[static_cast<size_t>(which[i])] = before[i];
    p.after[static_cast<size_t>(which[i])] = after[i];
  }
  return p;
}
/// Where an index of a padded dimension comes from: in [0, n), or -1.
inline i64 padded_from(pad_mode mode, i64 at, i64 n) {
  if (at >= 0 && at < n) return at;
  switch (mode) {
    case pad_mode::constant: return -1;
    case pad_mode::edge: return at < 0 ? 0 : n - 1;
    case pad_mode::wrap: return ((at % n) + n) % n;
    case pad_mode::reflect: break;
  }
  if (n == 1) return 0;
  const i64 period = 2 * (n - 1), m = ((at % period) + period) % period;
  return m < n ? m : period - m;
}
template <class Context> void check_pads(const Context& cx, i64 before, i64 after) {
  constexpr i64 most = i64{1} << 48;
  if (before > most || before < -most || after > most || after < -most) cx.fail("the pads are larger than 2^48");
}
template <class Context> i64 padded_extent(const Context& cx, pad_mode mode, i64 n, i64 before, i64 after) {
  check_pads(cx, before, after);
  const i64 rest = n + std::min<i64>(before, 0) + std::min<i64>(after, 0);
  if (rest < 0)
    cx.fail("pads " + std::to_string(before) + " and " + std::to_string(after) + " leave less than nothing of " +
            std::to_string(n) + " elements");
  if (rest == 0 && mode != pad_mode::constant && (before > 0 || after > 0)) cx.fail("there is no element to pad from");
  return n + before + after;
}

/// The slice of every dimension; nothing while bounds are unknown. Extents that are not static have `known` false.
struct slices {
  struct part {
    i64 start = 0, end = INT64_MAX, step = 1;
    bool cut = false;
  };
  std::vector<part> parts;
};
template <class Context> std::optional<slices> slices_of(const Context& cx, const slice& op, size_t rank) {
  const auto starts = list_of(cx, 1, op.starts), ends = list_of(cx, 2, op.ends), axes = list_of(cx, 3, op.axes),
             steps = list_of(cx, 4, op.steps);
  if (!starts || !ends || !axes || !steps) return std::nullopt;
  const size_t n = starts->size();
  if (ends->size() != n || (!axes->empty() && axes->size() != n) || (!steps->empty() && steps->size() != n))
    cx.fail(std::to_string(n) + " starts, " + std::to_string(ends->size()) + " ends, " + std::to_string(axes->size()) +
            " axes and " + std::to_string(steps->size()) + " steps");
  slices s{std::vector<slices::part>(rank)};
  const extents which = checked_axes(cx, *axes, n, rank);
  for (size_t i = 0; i < n; ++i) {
    const i64 step = steps->empty() ? 1 : (*steps)[i];
    if (step == 0) cx.fail("the step of axis " + std::to_string(which[i]) + " is 0");
    s.parts[static_cast<size_t>(which[i])] = {(*starts)[i], (*ends)[i], step, true};
  }
  return s;
}

/// One element, as the i-th operand's type must be.
inline void expect_scalar(const ir::infer_context& cx, int i) {
  const ir::type& t = cx.operand(i);
  if (t.is_static() && t.count() != 1)
    cx.fail("operand " + std::to_string(i) + " has " + std::to_string(t.count()) + " elements and must have one");
  for (ir::dim d : t.shape)
    if (d.is_symbol()) cx.same(d, 1);
}

inline void shape_bounds(const shape_of& op, i64 rank, i64& start, i64& end) {
  start = std::clamp<i64>(op.start < 0 ? op.start + rank : op.start, 0, rank);
  end = std::clamp<i64>(op.end < 0 ? op.end + rank : op.end, start, rank);
}

}  // namespace tenon::op::movement_detail
