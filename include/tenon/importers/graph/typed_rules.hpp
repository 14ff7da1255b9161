/// @file typed_rules: the rules of operators on shapes that are values at compile time.
#pragma once

#include <tenon/importers/graph/typed_shapes.hpp>

namespace tenon::nn {
namespace detail {

/// numpy's rule.
constexpr typing broadcast(const static_shape& a, const static_shape& b) {
  typing t;
  t.shape.rank = a.rank > b.rank ? a.rank : b.rank;
  for (size_t i = 0; i < t.shape.rank; ++i) {
    const dimension x = i < a.rank ? a[a.rank - 1 - i] : dimension(1),
                    y = i < b.rank ? b[b.rank - 1 - i] : dimension(1);
    if (!(x == y) && !(x == dimension(1)) && !(y == dimension(1))) return misfit(fault::no_broadcast, x, y);
    t.shape.dims[t.shape.rank - 1 - i] = x == dimension(1) ? y : x;
  }
  return t;
}
constexpr typing product(const static_shape& a, const static_shape& b) {
  if (a.rank < 2 || b.rank < 2) return misfit(fault::few_dimensions);
  if (!(a[a.rank - 1] == b[b.rank - 2])) return misfit(fault::columns_and_rows, a[a.rank - 1], b[b.rank - 2]);
  static_shape x = a, y = b;
  x.rank -= 2, y.rank -= 2;
  typing t = broadcast(x, y);
  if (t.what == fault::none) t.shape.add(a[a.rank - 2]), t.shape.add(b[b.rank - 1]);
  return t;
}
constexpr typing as_long_as_last(const static_shape& a, const static_shape& b) {
  if (a.rank == 0 || b.rank != 1) return misfit(fault::no_list);
  if (!(a[a.rank - 1] == b[0])) return misfit(fault::other_length, a[a.rank - 1], b[0]);
  typing t;
  t.shape = a;
  return t;
}
constexpr typing without(const static_shape& a, i64 axis) {
  const i64 at = axis < 0 ? axis + static_cast<i64>(a.rank) : axis;
  if (at < 0 || at >= static_cast<i64>(a.rank)) return misfit(fault::no_axis);
  typing t;
  for (size_t i = 0; i < a.rank; ++i)
    if (static_cast<i64>(i) != at) t.shape.add(a[i]);
  return t;
}
constexpr typing reduced(const static_shape& a, i64 axis, bool keep) {
  typing t = without(a, axis);
  if (!keep || t.what != fault::none) return t;
  t = typing{a};
  t.shape.dims[axis < 0 ? axis + static_cast<i64>(a.rank) : axis] = 1;
  return t;
}
constexpr typing flat(const static_shape& a) {
  i64 n = 1;
  for (size_t i = 1; i < a.rank; ++i) {
    if (!a[i].is_number()) return misfit(fault::open_extents);
    n *= a[i].number;
  }
  if (a.rank == 0) return misfit(fault::no_dimension);
  typing t;
  t.shape.add(a[0]), t.shape.add(n);
  return t;
}
constexpr typing swapped(const static_shape& a) {
  if (a.rank < 2) return misfit(fault::no_matrix);
  typing t;
  t.shape = a;
  t.shape.dims[a.rank - 2] = a[a.rank - 1], t.shape.dims[a.rank - 1] = a[a.rank - 2];
  return t;
}
}  // namespace detail

/// How a typed convolution moves: the same in every spatial dimension.
struct sliding {
  i64 stride = 1, pad = 0, dilation = 1, group = 1;
};
/// The windows of a typed pool: the same in every spatial dimension. A stride of 0 is the kernel's size.
struct pooling {
  i64 kernel = 2, stride = 0, pad = 0;
  constexpr i64 step() const { return stride == 0 ? kernel : stride; }
};

namespace detail {
constexpr typing convolved(const static_shape& x, const static_shape& w, sliding how) {
  if (x.rank < 3 || w.rank != x.rank) return misfit(fault::no_image);
  if (!x[1].is_number() || !w[0].is_number() || !w[1].is_number()) return misfit(fault::open_channels);
  if (x[1].number != w[1].number * how.group) return misfit(fault::other_channels, x[1], w[1].number * how.group);
  typing t;
  t.shape.add(x[0]), t.shape.add(w[0]);
  for (size_t d = 2; d < x.rank; ++d) {
    if (!x[d].is_number() || !w[d].is_number()) return misfit(fault::open_image);
    const i64 room = x[d].number + 2 * how.pad - ((w[d].number - 1) * how.dilation + 1);
    if (room < 0) return misfit(fault::large_kernel, x[d], w[d]);
    t.shape.add(room / how.stride + 1);
  }
  return t;
}

constexpr typing pooled(const static_shape& x, pooling how) {
  if (x.rank < 3) return misfit(fault::no_window);
  typing t;
  t.shape.add(x[0]), t.shape.add(x[1]);
  for (size_t d = 2; d < x.rank; ++d) {
    if (!x[d].is_number()) return misfit(fault::no_window);
    const i64 room = x[d].number + 2 * how.pad - how.kernel;
    if (room < 0) return misfit(fault::no_window, x[d], how.kernel);
    t.shape.add(room / how.step() + 1);
  }
  return t;
}
constexpr typing over_image(const static_shape& x) {
  if (x.rank < 3) return misfit(fault::no_image_alone);
  typing t = of_shape(x);
  for (size_t d = 2; d < x.rank; ++d) t.shape.dims[d] = 1;
  return t;
}
constexpr size_t axis_in(const static_shape& a, i64 axis) {  // rank: there is none
  const i64 at = axis < 0 ? axis + static_cast<i64>(a.rank) : axis;
  return at < 0 || at >= static_cast<i64>(a.rank) ? a.rank : static_cast<size_t>(at);
}
constexpr typing joined(const static_shape& a, const static_shape& b, i64 axis) {
  const size_t at = axis_in(a, axis);
  if (at == a.rank) return misfit(fault::no_axis);
  if (a.rank != b.rank) return misfit(fault::other_parts);
  typing t = of_shape(a);
  for (size_t i = 0; i < a.rank; ++i)
    if (i != at && !(a[i] == b[i])) return misfit(fault::other_parts, a[i], b[i]);
  if (!a[at].is_number() || !b[at].is_number()) return misfit(fault::open_parts);
  t.shape.dims[at] = a[at].number + b[at].number;
  return t;
}
constexpr typing part_of(const static_shape& a, i64 axis, i64 start, i64 end) {
  const size_t at = axis_in(a, axis);
  if (at == a.rank) return misfit(fault::no_axis);
  if (!a[at].is_number()) return misfit(fault::open_axis);
  if (start < 0 || end < start || end > a[at].number) return misfit(fault::outside);
  typing t = of_shape(a);
  t.shape.dims[at] = end - start;
  return t;
}
constexpr typing joined_list(const static_shape& a, i64 axis, size_t n) {
  const size_t at = axis_in(a, axis);
  if (at == a.rank) return misfit(fault::no_axis);
  if (!a[at].is_number()) return misfit(fault::open_parts);
  typing t = of_shape(a);
  t.shape.dims[at].number *= static_cast<i64>(n);
  return t;
}
constexpr typing divided(const static_shape& a, i64 axis, i64 all) {
  const typing t = part_of(a, axis, 0, all);
  return t.what == fault::none && a[axis_in(a, axis)].number != all ? misfit(fault::outside) : t;
}
constexpr typing as_shape(const static_shape& a, const static_shape& b) {
  i64 n = 1, m = 1;
  int names = 0;
  for (size_t i = 0; i < a.rank; ++i) {
    if (a[i].is_number()) n *= a[i].number;
    else ++names;
  }
  for (size_t i = 0; i < b.rank; ++i) {
    if (b[i].is_number()) m *= b[i].number;
    int balance = 0;
    for (size_t k = 0; k < b.rank && !b[i].is_number(); ++k) balance += b[k] == b[i];
    for (size_t k = 0; k < a.rank && !b[i].is_number(); ++k) balance -= a[k] == b[i];
    if (balance != 0) return misfit(fault::other_count);
    if (!b[i].is_number()) --names;
  }
  return n == m && names == 0 ? of_shape(b) : misfit(fault::other_count);
}
constexpr typing permuted(const static_shape& a, const static_shape& order) {
  if (order.rank != a.rank) return misfit(fault::no_permutation);
  typing t = of_shape(a);
  bool seen[static_shape::most]{};
  for (size_t i = 0; i < a.rank; ++i) {
    const size_t from = axis_in(a, order[i].number);
    if (order[i].number < 0 || from == a.rank || seen[from]) return misfit(fault::no_permutation);
    seen[from] = true, t.shape.dims[i] = a[from];
  }
  return t;
}
constexpr typing rows_of(const static_shape& table, const static_shape& at, bool integers) {
  if (table.rank != 2 || !integers || at.rank + 1 > static_shape::most) return misfit(fault::no_indices);
  typing t = of_shape(at);
  t.shape.add(table[1]);
  return t;
}
constexpr typing picked(const static_shape& a, i64 axis, const static_shape& at, bool integers) {
  const size_t d = axis_in(a, axis);
  if (d == a.rank) return misfit(fault::no_axis);
  if (!integers || a.rank + at.rank - 1 > static_shape::most) return misfit(fault::no_integers);
  typing t;
  for (size_t i = 0; i < d; ++i) t.shape.add(a[i]);
  for (size_t i = 0; i < at.rank; ++i) t.shape.add(at[i]);
  for (size_t i = d + 1; i < a.rank; ++i) t.shape.add(a[i]);
  return t;
}
constexpr typing best_of(const static_shape& a, i64 axis, i64 k) {
  const size_t d = axis_in(a, axis);
  if (d == a.rank) return misfit(fault::no_axis);
  if (k < 0 || (a[d].is_number() && k > a[d].number)) return misfit(fault::few_elements, a[d], k);
  typing t = of_shape(a);
  t.shape.dims[d] = k;
  return t;
}
constexpr typing squeezed(const static_shape& a, i64 axis) {
  const size_t d = axis_in(a, axis);
  return d < a.rank && !(a[d] == dimension(1)) ? misfit(fault::no_one) : without(a, axis);
}
constexpr typing longer(const static_shape& a, i64 axis, i64 by) {
  const size_t d = axis_in(a, axis);
  if (d == a.rank) return misfit(fault::no_axis);
  if (!a[d].is_number()) return misfit(fault::open_growth);
  if (a[d].number + by < 0) return misfit(fault::outside);
  typing t = of_shape(a);
  t.shape.dims[d].number += by;
  return t;
}
constexpr typing repeated(const static_shape& a, const static_shape& times) {
  if (times.rank != a.rank) return misfit(fault::no_repeats);
  typing t = of_shape(a);
  for (size_t i = 0; i < a.rank; ++i) {
    if (times[i].number < 0) return misfit(fault::no_repeats);
    if (times[i].number != 1 && !a[i].is_number()) return misfit(fault::open_growth);
    t.shape.dims[i].number *= times[i].number;
  }
  return t;
}
constexpr typing expanded(const static_shape& a, const static_shape& to) {
  if (to.rank < a.rank) return misfit(fault::no_expansion);
  for (size_t i = 0; i < to.rank; ++i) {
    const bool own = i < a.rank && a[a.rank - 1 - i] == to[to.rank - 1 - i];
    const bool fresh = i >= a.rank || a[a.rank - 1 - i] == dimension(1);
    if (!own && !(fresh && to[to.rank - 1 - i].is_number())) return misfit(fault::no_expansion);
  }
  return of_shape(to);
}
constexpr typing of_matrix(const static_shape& a) { return a.rank < 2 ? misfit(fault::no_matrix) : of_shape(a); }
constexpr typing attended(const static_shape& q, const static_shape& k, const static_shape& v) {
  if (q.rank < 2 || q.rank != k.rank || k.rank != v.rank) return misfit(fault::no_keys);
  for (size_t i = 0; i + 2 < q.rank; ++i)
    if (!(q[i] == k[i]) || !(q[i] == v[i])) return misfit(fault::no_keys, q[i], q[i] == k[i] ? v[i] : k[i]);
  const size_t n = q.rank;
  if (!(q[n - 1] == k[n - 1]) || !q[n - 1].is_number()) return misfit(fault::no_keys, q[n - 1], k[n - 1]);
  if (!(k[n - 2] == v[n - 2])) return misfit(fault::no_keys, k[n - 2], v[n - 2]);
  typing t = of_shape(q);
  t.shape.dims[n - 1] = v[n - 1];
  return t;
}
constexpr typing heads_split(const static_shape& a, i64 heads) {
  if (a.rank < 2 || heads < 1 || !a[a.rank - 1].is_number() || a[a.rank - 1].number % heads != 0)
    return misfit(fault::no_heads);
  typing t;
  for (size_t i = 0; i + 2 < a.rank; ++i) t.shape.add(a[i]);
  t.shape.add(heads), t.shape.add(a[a.rank - 2]), t.shape.add(a[a.rank - 1].number / heads);
  return t;
}
constexpr typing heads_merged(const static_shape& a) {
  if (a.rank < 3 || !a[a.rank - 1].is_number() || !a[a.rank - 3].is_number()) return misfit(fault::no_heads);
  typing t;
  for (size_t i = 0; i + 3 < a.rank; ++i) t.shape.add(a[i]);
  t.shape.add(a[a.rank - 2]), t.shape.add(a[a.rank - 3].number * a[a.rank - 1].number);
  return t;
}
constexpr typing by_channel(const static_shape& x, const static_shape& list) {
  if (x.rank < 2 || list.rank != 1) return misfit(fault::open_channel_list);
  return x[1] == list[0] ? of_shape(x) : misfit(fault::open_channel_list, x[1], list[0]);
}
constexpr typing recurring(const static_shape& x, const static_shape& w, const static_shape& r, const static_shape& b,
                           i64 gates) {
  if (x.rank != 2 && x.rank != 3) return misfit(fault::no_sequence);
  if (r.rank != 2 || w.rank != 2 || b.rank != 1 || !r[0].is_number() || !(r[1] == dimension(gates * r[0].number)) ||
      !(w[1] == r[1]) || !(b[0] == r[1]))
    return misfit(fault::gates);
  if (!(x[x.rank - 1] == w[0])) return misfit(fault::columns_and_rows, x[x.rank - 1], w[0]);
  typing t = of_shape(x);
  t.shape.dims[x.rank - 1] = r[0];
  return t;
}
constexpr bool is_one(const static_shape& s) {
  for (size_t i = 0; i < s.rank; ++i)
    if (!(s[i] == dimension(1))) return false;
  return true;
}
constexpr typing last_added(const static_shape& a, i64 n, bool integers) {
  if (!integers || a.rank == static_shape::most) return misfit(fault::no_integers);
  typing t = of_shape(a);
  t.shape.add(n);
  return t;
}
constexpr typing in_front(const static_shape& a, i64 axis, dimension n) {
  const i64 rank = static_cast<i64>(a.rank) + 1, at = axis < 0 ? axis + rank : axis;
  if (at < 0 || at >= rank || a.rank == static_shape::most) return misfit(fault::no_stack);
  typing t;
  for (size_t i = 0; i < a.rank; ++i) {
    if (static_cast<i64>(i) == at) t.shape.add(n);
    t.shape.add(a[i]);
  }
  if (at == rank - 1) t.shape.add(n);
  return t;
}

}  // namespace detail
}  // namespace tenon::nn
