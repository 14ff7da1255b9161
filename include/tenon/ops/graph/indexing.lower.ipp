/// @file indexing.lower.ipp: definitions of ops/graph/indexing.lower.hpp.
#pragma once

#include <bit>
#include <limits>

#include <tenon/ops/graph/indexing.lower.hpp>
#include <tenon/ops/graph/movement_lowering.hpp>
#include <tenon/ops/graph/window.lower.hpp>

namespace tenon::op {

namespace movement_detail {

inline value_id combined(ir::loop_builder& b, scatter_reduction r, value_id old, value_id update) {
  const dtype t = b.type_of(old), wide = wide_type(t);
  if (t == dtype::boolean) {
    const bool either = r == scatter_reduction::add || r == scatter_reduction::max;
    return b.apply(either ? scalar_fn::bit_or : scalar_fn::bit_and, {old, update});
  }
  const value_id x = b.convert(old, wide), y = b.convert(update, wide);
  switch (r) {
    case scatter_reduction::none: return update;
    case scatter_reduction::add: return b.convert(b.add(x, y), t);
    case scatter_reduction::mul: return b.convert(b.mul(x, y), t);
    case scatter_reduction::max: return b.convert(b.max(x, y), t);
    case scatter_reduction::min: break;
  }
  return b.convert(b.min(x, y), t);
}

/// The result starts as a copy of the first operand.
inline value_id start_scatter(lower_context& cx) {
  const value_id out = cx.result_buffer(0);
  cx.b().nest(cx.extents(cx.operand_type(0)), [&](const index_list& at) { cx.b().store(cx.load(0, at), out, at); });
  return out;
}

/// Combines into out[to] unless an index is out of range.
inline void scatter_at(lower_context& cx, scatter_reduction r, value_id out, value_id inside, const index_list& to,
                       const index_list& update) {
  ir::loop_builder& b = cx.b();
  b.if_(
      inside,
      [&] {
        const value_id v = cx.load(2, update);
        b.store(r == scatter_reduction::none ? v : combined(b, r, b.load(out, to), v), out, to);
        return std::vector<value_id>{};
      },
      [] { return std::vector<value_id>{}; });
}

inline value_id is_inside(ir::loop_builder& b, const index_expr& i, const index_expr& n) {
  const value_id v = b.index(i);
  return b.apply(scalar_fn::bit_and,
                 {b.apply(scalar_fn::ge, {v, b.index(0)}), b.apply(scalar_fn::lt, {v, b.index(n)})});
}

/// x comes after y in descending order; NaN is larger than every number.
inline value_id is_larger(ir::loop_builder& b, value_id x, value_id y) {
  if (b.type_of(x) == dtype::boolean) return is_larger(b, b.convert(x, dtype::i32), b.convert(y, dtype::i32));
  const value_id more = b.apply(scalar_fn::gt, {x, y});
  if (!is_float(b.type_of(x))) return more;
  const value_id number = b.apply(scalar_fn::bit_not, {b.apply(scalar_fn::is_nan, {y})});
  return b.apply(scalar_fn::bit_or, {more, b.apply(scalar_fn::bit_and, {b.apply(scalar_fn::is_nan, {x}), number})});
}

}  // namespace movement_detail

value_id element(const gather& op, element_context& cx, const index_list& at) {
  if (op.panel > 0) {
    const index_list which(at.begin(), at.end() - 1);
    const index_expr row = movement_detail::wrapped(cx.b(), cx.operand(1, which), op.columns);
    return movement_detail::chosen_element(
        cx, {cx.b().floor_div(row, op.panel), at.back(), cx.b().floor_mod(row, op.panel)}, {op.columns});
  }
  const index_list shape = cx.extents(cx.operand_type(0));
  const auto axis = static_cast<std::ptrdiff_t>(movement_detail::wrapped_axis(op.axis, shape.size()));
  const auto rank =
      static_cast<std::ptrdiff_t>(cx.operand_type(1).rank());  // a type is not held on to: reads may add types
  const index_list which(at.begin() + axis, at.begin() + axis + rank);
  index_list from(at.begin(), at.begin() + axis);
  const index_expr n = shape[static_cast<size_t>(axis)];
  const tensor* known = cx.constant(1);
  const auto fits = [&](i64 i) { return n.is_constant() && i >= -n.constant() && i < n.constant(); };
  if (known != nullptr && known->size() == 1 && fits(known->at_i64(0)))
    from.emplace_back((known->at_i64(0) + n.constant()) % n.constant());
  else from.push_back(movement_detail::wrapped(cx.b(), cx.operand(1, which), n));
  from.insert(from.end(), at.begin() + axis + rank, at.end());
  return movement_detail::chosen_element(cx, from, {n});
}

value_id element(const gather_elements& op, element_context& cx, const index_list& at) {
  const index_list shape = cx.extents(cx.operand_type(0));
  const size_t axis = static_cast<size_t>(movement_detail::wrapped_axis(op.axis, shape.size()));
  index_list from = at;
  from[axis] = movement_detail::wrapped(cx.b(), cx.operand(1, at), shape[axis]);
  return movement_detail::chosen_element(cx, from, {shape[axis]});
}

value_id element(const gather_nd& op, element_context& cx, const index_list& at) {
  const index_list shape = cx.extents(cx.operand_type(0));
  const std::vector<ir::dim> indices = cx.operand_type(1).shape;
  const auto tuple = static_cast<std::ptrdiff_t>(indices.size()) - 1;
  index_list from(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(op.batch_dims)),
      which(at.begin(), at.begin() + tuple), named;
  which.emplace_back(0);
  for (i64 d = 0; d < indices.back().extent(); ++d) {
    which.back() = index_expr(d);
    named.push_back(shape[from.size()]);
    from.push_back(movement_detail::wrapped(cx.b(), cx.operand(1, which), named.back()));
  }
  from.insert(from.end(), at.begin() + tuple, at.end());
  return movement_detail::chosen_element(cx, from, named);
}

value_id element(const one_hot& op, element_context& cx, const index_list& at) {
  ir::loop_builder& b = cx.b();
  const index_list shape = cx.extents(cx.result_type());
  const size_t axis = static_cast<size_t>(movement_detail::wrapped_axis(op.axis, shape.size()));
  index_list which = at;
  which.erase(which.begin() + static_cast<std::ptrdiff_t>(axis));
  const index_expr hot = b.convert(cx.operand(0, which), dtype::index);
  const value_id here = b.apply(scalar_fn::bit_or, {b.equal(hot, at[axis]), b.equal(hot + shape[axis], at[axis])});
  const value_id on = cx.operand(2, {index_expr(1)}), off = cx.operand(2, {index_expr(0)});
  return b.select(here, on, off);
}

void lower(const scatter_elements& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const index_list shape = cx.extents(cx.operand_type(0));
  const size_t axis = static_cast<size_t>(movement_detail::wrapped_axis(op.axis, shape.size()));
  const value_id out = movement_detail::start_scatter(cx);
  index_list at;
  // Two updates meet only along the axis.
  movement_detail::mixed_nest(
      b, cx.extents(cx.operand_type(1)), at, [&](size_t d) { return d != axis; },
      [&](const index_list& update) {
        index_list to = update;
        to[axis] = movement_detail::from_end(b, cx.load(1, update), shape[axis]);
        movement_detail::scatter_at(cx, op.reduction, out, movement_detail::is_inside(b, to[axis], shape[axis]), to,
                                    update);
      });
}

void lower(const scatter_nd& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const index_list shape = cx.extents(cx.operand_type(0));
  const std::vector<ir::dim> indices = cx.operand_type(1).shape;
  const size_t tuple = indices.size() - 1, depth = static_cast<size_t>(indices.back().extent());
  const value_id out = movement_detail::start_scatter(cx);
  index_list at;
  movement_detail::mixed_nest(
      b, cx.extents(cx.operand_type(2)), at, [&](size_t d) { return d >= tuple; },
      [&](const index_list& update) {
        index_list which(update.begin(), update.begin() + static_cast<std::ptrdiff_t>(tuple)), to;
        which.emplace_back(0);
        value_id inside = b.integer(dtype::boolean, 1);
        for (size_t d = 0; d < depth; ++d) {
          which.back() = index_expr(static_cast<i64>(d));
          to.push_back(movement_detail::from_end(b, cx.load(1, which), shape[d]));
          inside = b.apply(scalar_fn::bit_and, {inside, movement_detail::is_inside(b, to.back(), shape[d])});
        }
        to.insert(to.end(), update.begin() + static_cast<std::ptrdiff_t>(tuple), update.end());
        movement_detail::scatter_at(cx, op.reduction, out, inside, to, update);
      });
}

namespace movement_detail {

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
          const value_id best = b_.reduce(0, count, {worst()}, [&](const index_expr& i, std::vector<value_id>& acc) {
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
  /// No number is worse.
  value_id worst() {
    const double infinite = std::numeric_limits<double>::infinity();
    if (is_float(type_)) return b_.real(type_, op_.largest ? -infinite : infinite);
    const int bits = size_of(type_) * 8;
    if (is_signed_int(type_)) {
      const i64 most = static_cast<i64>(~u64{0} >> (65 - bits));
      return b_.integer(type_, op_.largest ? -most - 1 : most);
    }
    return b_.integer(type_, op_.largest ? 0 : static_cast<i64>(~u64{0} >> (64 - bits)));
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

}  // namespace movement_detail

void lower(const top_k& op, lower_context& cx) {
  index_list rows = cx.extents(cx.operand_type(0));
  const size_t axis = static_cast<size_t>(movement_detail::wrapped_axis(op.axis, rows.size()));
  const index_expr k = cx.extent(cx.result_type(0).shape[axis]);
  if (k == 0) return;
  rows[axis] = 1;
  bool side_by_side = false;
  for (size_t d = axis + 1; d < rows.size(); ++d) side_by_side = side_by_side || !(rows[d] == 1);
  if (side_by_side && k.is_constant() && k.constant() <= 8)
    return cx.b().nest(rows, [&](const index_list& row) { movement_detail::select_in_passes(op, cx, axis, k, row); });
  movement_detail::top_k_row one(op, cx, axis, k);
  cx.b().nest(rows, [&](const index_list& row) { one.select(row); });
}

}  // namespace tenon::op
