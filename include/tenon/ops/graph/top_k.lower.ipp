/// @file top_k.lower.ipp: loop nests of top_k, for indexing.lower.ipp.
///
/// Few of a long row are chosen among the best of groups, many by a heap, and those of rows that stand side by side in
/// passes.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>

#include <tenon/ops/graph/indexing.hpp>
#include <tenon/ops/graph/movement_lowering.hpp>
#include <tenon/ops/graph/row_lowering.hpp>
#include <tenon/ops/graph/window_lowering.hpp>

namespace tenon::op {

namespace movement_detail {

/// x comes after y in descending order; NaN is larger than every number.
inline value_id is_larger(ir::loop_builder& b, value_id x, value_id y) {
  if (b.type_of(x) == dtype::boolean) return is_larger(b, b.convert(x, dtype::i32), b.convert(y, dtype::i32));
  const value_id more = b.apply(scalar_fn::gt, {x, y});
  if (!is_float(b.type_of(x))) return more;
  const value_id number = b.apply(scalar_fn::bit_not, {b.apply(scalar_fn::is_nan, {y})});
  return b.apply(scalar_fn::bit_or, {more, b.apply(scalar_fn::bit_and, {b.apply(scalar_fn::is_nan, {x}), number})});
}

/// No number of the type is worse.
inline value_id worst_number(ir::loop_builder& b, const top_k& op, dtype t) {
  const double infinite = std::numeric_limits<double>::infinity();
  if (is_float(t)) return b.real(t, op.largest ? -infinite : infinite);
  const int bits = size_of(t) * 8;
  if (is_signed_int(t)) {
    const i64 most = static_cast<i64>(~u64{0} >> (65 - bits));
    return b.integer(t, op.largest ? -most - 1 : most);
  }
  return b.integer(t, op.largest ? 0 : static_cast<i64>(~u64{0} >> (64 - bits)));
}

/// Selects along one row: the best so far are a heap, the worst of them on top, which stands where the result will.
/// Blocks of elements of which none is better than the top are passed over by one reduction; at the end the worst goes
/// behind the others, again and again. Work: n + (number that were better) * log k + k * log k.
class top_k_row {
 public:
  top_k_row(const top_k& op, lower_context& cx, size_t axis, const index_expr& k)
      : op_(op), cx_(cx), b_(cx.b()), axis_(axis), n_(cx.extent(0, static_cast<int>(axis))), k_(k),
        elem_(cx.operand_type(0).elem), type_(elem_ == dtype::boolean ? dtype::i32 : wide_type(elem_)),
        values_(cx.result_buffer(0)), indices_(cx.result_buffer(1)), levels_(levels()) {}

  void select(const index_list& row) {
    row_ = row;
    const loop::for_loop in_order;
    b_.for_(0, k_, [&](const index_expr& i) { put(i, {element(i), b_.convert(b_.index(i), dtype::i64)}); });
    const index_expr parents = b_.floor_div(k_, 2);
    b_.for_(
        0, parents,
        [&](const index_expr& j) {
          const index_expr place = parents - j - 1;
          sift(place, at(place), k_);
        },
        in_order);
    if (k_.is_constant()) scan();
    else when(b_.less(0, k_), [&] { scan(); });
    b_.for_(
        1, k_,
        [&](const index_expr& j) {
          const index_expr last = k_ - j;
          const entry moved = at(last);
          put(last, at(0));
          sift(0, moved, last);
        },
        in_order);
  }

 private:
  struct entry {
    value_id value, index;
  };

  /// The largest number of steps from the top of the heap.
  index_expr levels() {
    if (k_.is_constant()) return static_cast<i64>(std::bit_width(static_cast<u64>(k_.constant()))) - 1;
    return b_.reduce(0, 62, {b_.index(0), b_.index(1)}, [&](const index_expr&, std::vector<value_id>& of) {
      const index_expr doubled = index_expr(of[1]) * 2;
      const value_id deeper = b_.less(doubled, k_ + 1);
      of = {b_.select(deeper, b_.index(index_expr(of[0]) + 1), of[0]), b_.select(deeper, b_.index(doubled), of[1])};
    })[0];
  }
  index_list place(const index_expr& i) const {
    index_list r = row_;
    r[axis_] = i;
    return r;
  }
  value_id element(const index_expr& i) { return b_.convert(cx_.load(0, place(i)), type_); }
  entry at(const index_expr& i) { return {b_.convert(b_.load(values_, place(i)), type_), b_.load(indices_, place(i))}; }
  void put(const index_expr& i, const entry& e) {
    b_.store(b_.convert(e.value, elem_), values_, place(i));
    b_.store(e.index, indices_, place(i));
  }
  template <class F> void when(value_id condition, F&& then) {
    b_.if_(condition, [&] { return then(), std::vector<value_id>{}; }, [] { return std::vector<value_id>{}; });
  }
  value_id both(value_id x, value_id y) { return b_.apply(scalar_fn::bit_and, {x, y}); }
  value_id better(value_id x, value_id y) { return op_.largest ? is_larger(b_, x, y) : is_larger(b_, y, x); }
  value_id worse(const entry& x, const entry& y) {
    const value_id equal = b_.apply(scalar_fn::bit_not, {better(x.value, y.value)});
    return b_.apply(scalar_fn::bit_or,
                    {better(y.value, x.value), both(equal, b_.apply(scalar_fn::gt, {x.index, y.index}))});
  }

  /// Puts an entry into a heap of `size` at a place or below it, so that none stands above a worse one.
  void sift(const index_expr& from, const entry& e, const index_expr& size) {
    const auto stay = [](value_id p) { return [p] { return std::vector<value_id>{p}; }; };
    const value_id to = b_.reduce(0, levels_, {b_.index(from)}, [&](const index_expr&, std::vector<value_id>& p) {
      // What is carried is a place of the heap: the clamps say so to who proves accesses.
      const index_expr here = clamped(b_, p[0], k_), below = here * 2 + 1;
      p = b_.if_(
          b_.less(below, size),
          [&] {
            const index_expr left = b_.min(below, size - 1), right = b_.min(below + 1, size - 1);
            const entry first = at(left), second = at(right);
            const value_id second_worse = worse(second, first);
            const entry child{b_.select(second_worse, second.value, first.value),
                              b_.select(second_worse, second.index, first.index)};
            return b_.if_(
                worse(child, e),
                [&] {
                  put(here, child);
                  return std::vector<value_id>{b_.select(second_worse, b_.index(right), b_.index(left))};
                },
                stay(p[0]));
          },
          stay(p[0]));
    })[0];
    put(clamped(b_, to, k_), e);
  }

  void consider(const index_expr& i) {
    const value_id v = element(i);
    when(better(v, at(0).value), [&] { sift(0, {v, b_.convert(b_.index(i), dtype::i64)}, k_); });
  }
  void scan() {
    const index_expr rest = n_ - k_;
    const loop::for_loop in_order;
    const auto one_by_one = [&](const index_expr& first, const index_expr& count) {
      b_.for_(0, count, [&](const index_expr& i) { consider(first + i); }, in_order);
    };
    if (rest.is_constant() && rest.constant() < 2 * block) return one_by_one(k_, rest);
    detail::for_blocks(
        b_, rest, block,
        [&](const index_expr&, const index_expr& before, const index_expr& count) {
          const index_expr first = k_ + before;
          const value_id best =
              b_.reduce(0, count, {worst_number(b_, op_, type_)}, [&](const index_expr& i, std::vector<value_id>& acc) {
                const value_id v = element(first + i);
                acc[0] = op_.largest ? b_.max(acc[0], v) : b_.min(acc[0], v);
              })[0];
          value_id found = better(best, at(0).value);
          if (!op_.largest && is_float(type_))  // what is smaller than a NaN does not show
            found = b_.apply(scalar_fn::bit_or, {found, b_.apply(scalar_fn::is_nan, {best})});
          when(found, [&] { one_by_one(first, count); });
        },
        in_order);
  }
  static constexpr i64 block = 128;
  const top_k& op_;
  lower_context& cx_;
  ir::loop_builder& b_;
  size_t axis_;
  index_expr n_, k_;
  dtype elem_, type_;
  value_id values_, indices_;
  index_expr levels_;
  index_list row_;
};

/// The same in k passes over the row, each for the best element behind the one before: rows that stand side by side do
/// it in step, as lanes.
inline void select_in_passes(const top_k& op, lower_context& cx, size_t axis, const index_expr& k,
                             const index_list& row) {
  ir::loop_builder& b = cx.b();
  const dtype t = cx.operand_type(0).elem, wide = wide_type(t);
  const auto better = [&](value_id x, value_id y) { return op.largest ? is_larger(b, x, y) : is_larger(b, y, x); };
  const auto both = [&](value_id x, value_id y) { return b.apply(scalar_fn::bit_and, {x, y}); };
  const auto either = [&](value_id x, value_id y) { return b.apply(scalar_fn::bit_or, {x, y}); };
  const auto negated = [&](value_id x) { return b.apply(scalar_fn::bit_not, {x}); };
  const value_id zero = b.integer(wide, 0), none = b.index(-1);
  // Carried: the result before, as value and index; index -1 before the first one.
  b.reduce(0, k, {zero, none}, [&](index_expr j, std::vector<value_id>& last) {
    const index_expr n = cx.extent(0, static_cast<int>(axis));
    const std::vector<value_id> best = b.reduce(0, n, {zero, none}, [&](index_expr i, std::vector<value_id>& found) {
      index_list at = row;
      at[axis] = i;
      const value_id v = b.convert(cx.load(0, at), wide), index = b.index(i);
      const value_id later = both(negated(better(v, last[0])), b.apply(scalar_fn::gt, {index, last[1]}));
      const value_id open = either(b.equal(index_expr(last[1]), -1), either(better(last[0], v), later));
      const value_id take = both(open, either(b.equal(index_expr(found[1]), -1), better(v, found[0])));
      found = {b.select(take, v, found[0]), b.select(take, index, found[1])};
    });
    index_list to = row;
    to[axis] = j;
    cx.store(b.convert(best[0], t), 0, to);
    cx.store(b.convert(best[1], dtype::i64), 1, to);
    last = best;
  });
}

/// Selects few of a row: its elements are in groups, element i in group i mod G, of which the best are known. The best
/// of these is the next result, and the best that is left takes its place. Work: n + k * (G + n / G), most of it by
/// lanes. Rows are in parts, which have groups of their own.
class top_k_groups {
 public:
  top_k_groups(const top_k& op, lower_context& cx, size_t axis)
      : op_(op), cx_(cx), b_(cx.b()), axis_(axis), n_(cx.extent(0, static_cast<int>(axis)).constant()), rows_(cx, axis),
        k_(cx.extent(cx.result_type(0).shape[axis])), groups_(groups_of(n_)), elem_(cx.operand_type(0).elem),
        type_(elem_ == dtype::boolean ? dtype::i32 : wide_type(elem_)) {}

  static bool suits(const ir::type& x, const ir::type& y, size_t axis) {
    for (size_t d = axis + 1; d < x.shape.size(); ++d)
      if (x.shape[d] != ir::dim(1)) return false;  // neighbours of the row are not neighbours in memory
    if (!x.shape[axis].is_static() || !y.shape[axis].is_static()) return false;
    const i64 n = x.shape[axis].extent(), k = y.shape[axis].extent();
    return n >= 64 && n < none && 8 * k <= n && k <= 256;
  }

  void select() {
    best_ = cx_.scratch(type_, {rows_.parts(), groups_}), places_ = cx_.scratch(dtype::i32, {rows_.parts(), groups_});
    rows_.each([&](const index_expr& part, const index_list& row) {
      part_ = part, row_ = row;
      fill();
      const loop::for_loop in_order;
      b_.for_(0, k_, [&](const index_expr& j) { next(j); }, in_order);
    });
  }

 private:
  static constexpr i64 none = i64{1} << 30;  ///< the place of no element, behind all others
  /// About four times as many as a group has elements: those are looked at one by one.
  static i64 groups_of(i64 n) {
    i64 groups = 16;
    while (groups * groups < 16 * n && groups * 4 <= n) groups *= 2;
    return groups;
  }

  value_id element(const index_expr& i) {
    index_list at = row_;
    at[axis_] = i;
    return b_.convert(cx_.load(0, at), type_);
  }
  index_list group(const index_expr& g) const { return {part_, g}; }
  value_id better(value_id x, value_id y) { return op_.largest ? is_larger(b_, x, y) : is_larger(b_, y, x); }
  value_id both(value_id x, value_id y) { return b_.apply(scalar_fn::bit_and, {x, y}); }
  value_id either(value_id x, value_id y) { return b_.apply(scalar_fn::bit_or, {x, y}); }
  value_id negated(value_id x) { return b_.apply(scalar_fn::bit_not, {x}); }
  value_id place(i64 i) { return b_.integer(dtype::i32, i); }
  value_id place(const index_expr& i) { return b_.convert(b_.index(i), dtype::i32); }

  void fill() {
    const i64 whole = n_ / groups_, rest = n_ % groups_;
    b_.for_(0, groups_, [&](const index_expr& g) {
      const auto take = [&](value_id v, value_id turn, value_id yes, std::vector<value_id>& best) {
        best = {b_.select(yes, v, best[0]), b_.select(yes, turn, best[1])};
      };
      std::vector<value_id> best =
          b_.reduce(1, whole, {element(g), place(0)}, [&](const index_expr& i, std::vector<value_id>& found) {
            const value_id v = element(i * groups_ + g);
            take(v, place(i), better(v, found[0]), found);
          });
      if (rest > 0) {
        const value_id v = element(b_.min(g + whole * groups_, n_ - 1));
        take(v, place(whole), both(b_.less(g, rest), better(v, best[0])), best);
      }
      b_.store(best[0], best_, group(g));
      b_.store(b_.add(b_.mul(best[1], place(groups_)), place(g)), places_, group(g));
    });
  }

  /// The least place of a group whose best element is such a one.
  template <class F> value_id first_place(F&& is_such) {
    return b_.reduce(0, groups_, {place(none)}, [&](const index_expr& g, std::vector<value_id>& least) {
      const value_id such = is_such(b_.load(best_, group(g)));
      least[0] = b_.min(least[0], b_.select(such, b_.load(places_, group(g)), place(none)));
    })[0];
  }
  value_id is_nan(value_id v) { return b_.apply(scalar_fn::is_nan, {v}); }
  /// Of an empty group too the best is a number: its place is behind all others.
  value_id best_place() {
    const value_id worst = worst_number(b_, op_, type_);
    const value_id top = b_.reduce(0, groups_, {worst}, [&](const index_expr& g, std::vector<value_id>& acc) {
      value_id v = b_.load(best_, group(g));
      if (is_float(type_)) v = b_.select(is_nan(v), worst, v);
      acc[0] = op_.largest ? b_.max(acc[0], v) : b_.min(acc[0], v);
    })[0];
    const value_id number = first_place([&](value_id v) { return b_.apply(scalar_fn::eq, {v, top}); });
    if (!is_float(type_)) return number;
    const value_id odd = first_place([&](value_id v) { return is_nan(v); });
    const value_id first = op_.largest ? odd : number, second = op_.largest ? number : odd;
    return b_.select(b_.apply(scalar_fn::lt, {first, place(none)}), first, second);
  }

  void next(const index_expr& j) {
    const value_id taken = best_place();
    const index_expr at = clamped(b_, b_.convert(taken, dtype::index), n_);
    const value_id v = element(at);
    index_list to = row_;
    to[axis_] = j;
    cx_.store(b_.convert(v, elem_), 0, to);
    cx_.store(b_.convert(taken, dtype::i64), 1, to);
    // The best of its group behind it.
    const index_expr g = b_.floor_mod(at, groups_);
    const loop::for_loop in_order;
    const std::vector<value_id> left = b_.reduce(
        0, (n_ + groups_ - 1) / groups_, {worst_number(b_, op_, type_), place(none)},
        [&](const index_expr& i, std::vector<value_id>& found) {
          const index_expr here = i * groups_ + g;
          const value_id e = element(b_.min(here, n_ - 1)), p = place(here);
          const value_id behind =
              either(better(v, e), both(negated(better(e, v)), b_.apply(scalar_fn::gt, {p, taken})));
          const value_id open = either(b_.apply(scalar_fn::eq, {found[1], place(none)}), better(e, found[0]));
          const value_id take = both(both(b_.less(here, n_), behind), open);
          found = {b_.select(take, e, found[0]), b_.select(take, p, found[1])};
        },
        in_order);
    b_.store(left[0], best_, group(g));
    b_.store(left[1], places_, group(g));
  }

  const top_k& op_;
  lower_context& cx_;
  ir::loop_builder& b_;
  size_t axis_;
  i64 n_;
  row_parts rows_;
  index_expr k_;
  i64 groups_;
  dtype elem_, type_;
  value_id best_, places_;  ///< by part and group
  index_expr part_;
  index_list row_;
};

}  // namespace movement_detail

void lower(const top_k& op, lower_context& cx) {
  index_list rows = cx.extents(cx.operand_type(0));
  const size_t axis = static_cast<size_t>(movement_detail::wrapped_axis(op.axis, rows.size()));
  const index_expr k = cx.extent(cx.result_type(0).shape[axis]);
  if (k == 0) return;
  if (movement_detail::top_k_groups::suits(cx.operand_type(0), cx.result_type(0), axis))
    return movement_detail::top_k_groups(op, cx, axis).select();
  rows[axis] = 1;
  bool side_by_side = false;
  for (size_t d = axis + 1; d < rows.size(); ++d) side_by_side = side_by_side || !(rows[d] == 1);
  if (side_by_side && k.is_constant() && k.constant() <= 8)
    return cx.b().nest(rows, [&](const index_list& row) { movement_detail::select_in_passes(op, cx, axis, k, row); });
  movement_detail::top_k_row one(op, cx, axis, k);
  cx.b().nest(rows, [&](const index_list& row) { one.select(row); });
}

}  // namespace tenon::op
