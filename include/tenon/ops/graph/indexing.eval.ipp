/// @file indexing.eval.ipp: reference evaluations of ops/graph/indexing.hpp. See there for indices out of range.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/indexing.hpp>
#include <tenon/ops/graph/indexing.ipp>

namespace tenon::op {

namespace movement_detail {

/// An index that may count from the end, as one in [0, n); -1 for one that is out of range.
inline i64 place_inside(i64 index, i64 n) { return index < -n || index >= n ? -1 : index < 0 ? index + n : index; }

inline size_t checked_axis(const eval_context& cx, i64 axis, const tensor& x) {
  const i64 a = wrapped_axis(axis, x.shape().size());
  if (a < 0) cx.fail("axis " + std::to_string(axis) + " is outside of " + x.describe());
  return static_cast<size_t>(a);
}

/// As many bits as an element has, as a number that is larger where sorting puts the element later: NaN is larger than
/// every number, zeros are alike, and so are NaNs.
template <class T> auto sort_key(T v) {
  if constexpr (std::same_as<T, double> || std::same_as<T, float>) {
    using bits = std::conditional_t<std::same_as<T, double>, u64, u32>;
    constexpr bits sign = bits{1} << (8 * sizeof(T) - 1);
    if (v != v) return ~bits{0};
    const bits b = std::bit_cast<bits>(v == 0 ? T{0} : v);
    return (b & sign) != 0 ? ~b : b | sign;
  } else if constexpr (std::integral<T>) {
    using bits = std::conditional_t<sizeof(T) == 8, u64, u32>;
    constexpr bits sign = std::signed_integral<T> ? bits{1} << (8 * sizeof(bits) - 1) : 0;
    return static_cast<bits>(v) ^ sign;
  } else {
    return sort_key(convert_element<std::conditional_t<is_float(dtype_of<T>), float, i32>>(v));
  }
}

template <class T> auto sort_keys(std::span<const T> from) {
  std::vector<decltype(sort_key(T{}))> keys(from.size());
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = sort_key(static_cast<T>(from[i]));
  return keys;
}

/// Where the first k are once they are sorted; what is alike is in the order that it had.
template <class Key> std::vector<i64> first_places(const std::vector<Key>& keys, i64 k, bool largest) {
  std::vector<i64> order(keys.size());
  for (size_t j = 0; j < order.size(); ++j) order[j] = static_cast<i64>(j);
  std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](i64 a, i64 b) {
    const Key p = keys[static_cast<size_t>(a)], q = keys[static_cast<size_t>(b)];
    if (p == q) return a < b;
    return largest ? q < p : p < q;
  });
  order.resize(static_cast<size_t>(k));
  return order;
}

template <class T> T reduced(scatter_reduction r, T old, T update) {
  if constexpr (std::same_as<T, half> || std::same_as<T, bfloat16>) {
    return T(reduced<float>(r, old, update));
  } else if constexpr (std::same_as<T, bool>) {
    switch (r) {
      case scatter_reduction::none: return update;
      case scatter_reduction::add:
      case scatter_reduction::max: return old || update;
      case scatter_reduction::mul:
      case scatter_reduction::min: break;
    }
    return old && update;
  } else {
    switch (r) {
      case scatter_reduction::none: break;
      case scatter_reduction::add:
        if constexpr (std::integral<T>) return static_cast<T>(static_cast<u64>(old) + static_cast<u64>(update));
        else return old + update;
      case scatter_reduction::mul:
        if constexpr (std::integral<T>) return static_cast<T>(static_cast<u64>(old) * static_cast<u64>(update));
        else return old * update;
      case scatter_reduction::max: return old != old || old > update ? old : update;
      case scatter_reduction::min: return old != old || old < update ? old : update;
    }
    return update;
  }
}

inline void scatter_one(scatter_reduction r, tensor& to, i64 at, const tensor& updates, i64 from) {
  if (r == scatter_reduction::none) return copy_elements(to, at, updates, from);
  visit(to.type(), [&]<class T>(T) {
    T& old = to.data<T>()[static_cast<size_t>(at)];
    old = reduced<T>(r, old, updates.data<T>()[static_cast<size_t>(from)]);
  });
}

/// Part `index` along an axis, which `outer` × `index` × `inner` elements are: copies it to another tensor's.
struct parts_of {
  i64 outer = 1, count = 1, inner = 1;
  parts_of(const std::vector<i64>& shape, size_t axis) {
    for (size_t d = 0; d < shape.size(); ++d) (d < axis ? outer : d == axis ? count : inner) *= shape[d];
  }
  void copy(tensor& to, i64 index, const tensor& from, i64 from_index, const parts_of& from_parts) const {
    for (i64 o = 0; o < outer; ++o)
      copy_elements(to, (o * count + index) * inner, from, (o * from_parts.count + from_index) * inner, inner);
  }
};

/// Elements of `size` bytes, which stand at `places` of `from`, one behind the other.
template <class Place> void copy_chosen(char* to, const char* from, const Place* places, i64 count, size_t size) {
  const auto copy = [&](auto bytes) {  // of a number that the compiler knows, one instruction copies
    for (i64 i = 0; i < count; ++i)
      std::memcpy(to + static_cast<size_t>(i) * bytes, from + static_cast<size_t>(places[i]) * bytes, bytes);
  };
  switch (size) {
    case 1: return copy(std::integral_constant<size_t, 1>{});
    case 2: return copy(std::integral_constant<size_t, 2>{});
    case 4: return copy(std::integral_constant<size_t, 4>{});
    case 8: return copy(std::integral_constant<size_t, 8>{});
    default: return copy(size);
  }
}

inline tensor chosen_parts(const tensor& x, size_t axis, const std::vector<i64>& chosen) {
  std::vector<i64> to = x.shape();
  to[axis] = static_cast<i64>(chosen.size());
  tensor r(x.type(), to);
  if (r.size() == 0 || x.size() == 0) return r;
  const parts_of from(x.shape(), axis), into(to, axis);
  const size_t part = static_cast<size_t>(from.inner * size_of(x.type()));
  char* out = static_cast<char*>(r.data());
  const char* in = static_cast<const char*>(x.data());
  for (i64 o = 0; o < from.outer; ++o)
    copy_chosen(out + static_cast<size_t>(o * into.count) * part, in + static_cast<size_t>(o * from.count) * part,
                chosen.data(), into.count, part);
  return r;
}

/// For gather_nd and scatter_nd: the extents of x that an index names, and how many elements are behind each.
struct nd_access {
  i64 batch = 1, tuples = 1, inner = 1, per_batch = 1;
  std::vector<i64> named;
  nd_access(const eval_context& cx, const tensor& x, const tensor& indices, i64 batch_dims) {
    std::vector<ir::dim> to = gathered_dims(cx, {x.shape().begin(), x.shape().end()},
                                            {indices.shape().begin(), indices.shape().end()}, batch_dims);
    const size_t b = static_cast<size_t>(batch_dims), depth = static_cast<size_t>(indices.shape().back());
    for (size_t d = 0; d < x.shape().size(); ++d) {
      if (d < b) {
        if (x.shape()[d] != indices.shape()[d]) cx.fail("the batch dimensions of operand and indices differ");
        batch *= x.shape()[d];
      } else if (d < b + depth) {
        named.push_back(x.shape()[d]);
      } else {
        inner *= x.shape()[d];
      }
      if (d >= b) per_batch *= x.shape()[d];
    }
    for (size_t d = b; d + 1 < indices.shape().size(); ++d) tuples *= indices.shape()[d];
  }
  /// Calls f(first element of x, number of the tuple) for every index tuple; `place(index, extent)` says which element
  /// is meant, and tuples for which it says -1 are left out.
  template <class P, class F> void each(const tensor& indices, P&& place, F&& f) const {
    const i64 depth = static_cast<i64>(named.size());
    for (i64 i = 0; i < batch * tuples; ++i) {
      i64 at = 0;
      for (i64 d = 0; at >= 0 && d < depth; ++d) {
        const i64 n = named[static_cast<size_t>(d)], k = place(indices.at_i64(i * depth + d), n);
        at = k < 0 ? -1 : at * n + k;
      }
      if (at >= 0) f((i / tuples) * per_batch + at * inner, i);
    }
  }
};

}  // namespace movement_detail

namespace movement_detail {
/// Rows of a table whose transpose stands in panels.
inline tensor rows_of_panels(const gather& op, const tensor& x, const tensor& indices) {
  const i64 depth = x.shape()[1];
  std::vector<i64> to = indices.shape();
  to.push_back(depth);
  tensor r(x.type(), to);
  if (x.size() == 0) return r;
  for (i64 i = 0; i < indices.size(); ++i) {
    const i64 row = nearest_element(indices.at_i64(i), op.columns), panel = row / op.panel;
    for (i64 k = 0; k < depth; ++k) copy_elements(r, i * depth + k, x, (panel * depth + k) * op.panel + row % op.panel);
  }
  return r;
}
}  // namespace movement_detail

void evaluate(const gather& op, eval_context& cx) {
  const tensor &x = cx.operand(0), &indices = cx.operand(1);
  if (op.panel > 0) return cx.result(movement_detail::rows_of_panels(op, x, indices));
  const size_t axis = movement_detail::checked_axis(cx, op.axis, x);
  std::vector<i64> chosen, to(x.shape());
  for (i64 i = 0; i < indices.size(); ++i)
    chosen.push_back(x.size() == 0 ? 0 : movement_detail::nearest_element(indices.at_i64(i), x.shape()[axis]));
  to.erase(to.begin() + static_cast<std::ptrdiff_t>(axis));
  to.insert(to.begin() + static_cast<std::ptrdiff_t>(axis), indices.shape().begin(), indices.shape().end());
  cx.result(movement_detail::chosen_parts(x, axis, chosen).reshaped(std::move(to)));
}

void evaluate(const gather_elements& op, eval_context& cx) {
  const tensor &x = cx.operand(0), &indices = cx.operand(1);
  const size_t axis = movement_detail::checked_axis(cx, op.axis, x);
  bool fits = indices.rank() == x.rank();
  for (size_t d = 0; fits && d < x.shape().size(); ++d) fits = d == axis || indices.shape()[d] <= x.shape()[d];
  if (!fits) cx.fail(indices.describe() + " does not index " + x.describe());
  cx.result(movement_detail::moved(x, indices.shape(), [&](std::vector<i64> at) {
    if (x.size() == 0) return i64{-1};
    at[axis] = movement_detail::nearest_element(indices.at_i64(movement_detail::linear_index(at, indices.shape())),
                                                x.shape()[axis]);
    return movement_detail::linear_index(at, x.shape());
  }));
}

void evaluate(const gather_nd& op, eval_context& cx) {
  const tensor &x = cx.operand(0), &indices = cx.operand(1);
  const movement_detail::nd_access access(cx, x, indices, op.batch_dims);
  std::vector<i64> to(indices.shape().begin(), indices.shape().end() - 1);
  to.insert(to.end(), x.shape().begin() + static_cast<std::ptrdiff_t>(op.batch_dims + indices.shape().back()),
            x.shape().end());
  tensor r(x.type(), to);
  if (x.size() != 0)
    access.each(indices, movement_detail::nearest_element,
                [&](i64 from, i64 i) { movement_detail::copy_elements(r, i * access.inner, x, from, access.inner); });
  cx.result(std::move(r));
}

void evaluate(const scatter_elements& op, eval_context& cx) {
  const tensor &x = cx.operand(0), &indices = cx.operand(1), &updates = cx.operand(2);
  const size_t axis = movement_detail::checked_axis(cx, op.axis, x);
  bool fits = indices.rank() == x.rank() && indices.shape() == updates.shape() && updates.type() == x.type();
  for (size_t d = 0; fits && d < x.shape().size(); ++d) fits = d == axis || indices.shape()[d] <= x.shape()[d];
  if (!fits) cx.fail(indices.describe() + " and " + updates.describe() + " do not fit " + x.describe());
  tensor r = x.clone();
  movement_detail::each_index(indices.shape(), [&](std::vector<i64> at, i64 k) {
    at[axis] = movement_detail::place_inside(indices.at_i64(k), x.shape()[axis]);
    if (at[axis] < 0) return;
    movement_detail::scatter_one(op.reduction, r, movement_detail::linear_index(at, x.shape()), updates, k);
  });
  cx.result(std::move(r));
}

void evaluate(const scatter_nd& op, eval_context& cx) {
  const tensor &x = cx.operand(0), &indices = cx.operand(1), &updates = cx.operand(2);
  const movement_detail::nd_access access(cx, x, indices, 0);
  if (updates.size() != access.tuples * access.inner || updates.type() != x.type())
    cx.fail(updates.describe() + " do not fit " + indices.describe() + " and " + x.describe());
  tensor r = x.clone();
  access.each(indices, movement_detail::place_inside, [&](i64 to, i64 i) {
    for (i64 k = 0; k < access.inner; ++k)
      movement_detail::scatter_one(op.reduction, r, to + k, updates, i * access.inner + k);
  });
  cx.result(std::move(r));
}

void evaluate(const top_k& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const size_t axis = movement_detail::checked_axis(cx, op.axis, x);
  if (op.k < 0 && (!cx.has(1) || cx.operand(1).size() != 1)) cx.fail("k is missing or not one number");
  const i64 k = op.k >= 0 ? op.k : cx.operand(1).at_i64(0), n = x.shape()[axis];
  if (k < 0 || k > n) cx.fail("k is " + std::to_string(k) + " of " + std::to_string(n) + " elements");
  std::vector<i64> to = x.shape();
  to[axis] = k;
  tensor values(x.type(), to), indices(dtype::i64, to);
  const movement_detail::parts_of from(x.shape(), axis);
  visit(x.type(), [&]<class T>(T) {
    const std::span<const T> in = x.data<T>();
    for (i64 o = 0; o < from.outer; ++o)
      for (i64 i = 0; i < from.inner; ++i) {
        const auto value = [&](i64 j) { return in[static_cast<size_t>((o * n + j) * from.inner + i)]; };
        std::vector<decltype(movement_detail::sort_key(T{}))> keys(static_cast<size_t>(n));
        for (i64 j = 0; j < n; ++j) keys[static_cast<size_t>(j)] = movement_detail::sort_key(static_cast<T>(value(j)));
        const std::vector<i64> order = movement_detail::first_places(keys, k, op.largest);
        for (i64 j = 0; j < k; ++j) {
          const size_t at = static_cast<size_t>((o * k + j) * from.inner + i);
          values.data<T>()[at] = value(order[static_cast<size_t>(j)]);
          indices.data<i64>()[at] = order[static_cast<size_t>(j)];
        }
      }
  });
  cx.result(0, std::move(values));
  cx.result(1, std::move(indices));
}

void evaluate(const one_hot& op, eval_context& cx) {
  const tensor &indices = cx.operand(0), &values = cx.operand(2);
  if (op.depth < 0 && (!cx.has(1) || cx.operand(1).size() != 1)) cx.fail("depth is missing or not one number");
  const i64 depth = op.depth >= 0 ? op.depth : cx.operand(1).at_i64(0);
  const i64 axis = movement_detail::wrapped_axis(op.axis, indices.shape().size() + 1);
  if (axis < 0 || depth < 0 || values.size() != 2)
    cx.fail("axis " + std::to_string(op.axis) + ", depth " + std::to_string(depth) + " and values " +
            values.describe() + " do not fit " + indices.describe());
  std::vector<i64> to = indices.shape();
  to.insert(to.begin() + axis, depth);
  cx.result(movement_detail::moved(values, to, [&](std::vector<i64> at) {
    const i64 mine = at[static_cast<size_t>(axis)];
    at.erase(at.begin() + axis);
    const i64 hot = indices.at_i64(movement_detail::linear_index(at, indices.shape()));
    return (hot < 0 ? hot + depth : hot) == mine ? i64{1} : i64{0};
  }));
}

namespace movement_detail {

/// A box as its lower and upper corner, whichever was given first.
struct corners {
  double low[2], high[2], area;
};
template <class T> corners corners_of(const T* box, bool center_size) {
  corners c{};
  for (int d = 0; d < 2; ++d) {
    double a = static_cast<double>(box[d]), b = static_cast<double>(box[2 + d]);
    if (center_size) {
      const double center = a, half = b / 2;
      a = center - half, b = center + half;
    }
    c.low[d] = std::min(a, b), c.high[d] = std::max(a, b);
  }
  c.area = (c.high[0] - c.low[0]) * (c.high[1] - c.low[1]);
  return c;
}
/// The area of the intersection divided by that of the union; 0 for boxes without area.
inline double overlap(const corners& a, const corners& b) {
  double common = 1;
  for (int d = 0; d < 2; ++d) {
    const double side = std::min(a.high[d], b.high[d]) - std::max(a.low[d], b.low[d]);
    if (!(side > 0)) return 0;
    common *= side;
  }
  const double together = a.area + b.area - common;
  return together > 0 ? common / together : 0;
}

/// Candidates in order of falling score, of which the front alone is sorted: few may be asked for.
class by_score {
 public:
  struct candidate {
    double score;
    i64 box;
  };
  void add(double score, i64 box) { all_.push_back({score, box}); }
  size_t size() const { return all_.size(); }
  i64 operator[](size_t i) {
    if (i >= sorted_) sort_more();
    return all_[i].box;
  }

 private:
  void sort_more() {
    const auto first = all_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    sorted_ = std::min(all_.size(), std::max<size_t>(64, 4 * sorted_));
    const auto last = all_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    const auto before = [](const candidate& a, const candidate& b) {
      return a.score > b.score || (a.score == b.score && a.box < b.box);
    };
    if (last != all_.end()) std::nth_element(first, last, all_.end(), before);
    std::sort(first, last, before);
  }
  std::vector<candidate> all_;
  size_t sorted_ = 0;
};

}  // namespace movement_detail

void evaluate(const non_max_suppression& op, eval_context& cx) {
  const tensor &boxes = cx.operand(0), &scores = cx.operand(1);
  if (boxes.rank() != 3 || scores.rank() != 3 || boxes.shape()[2] != 4 || boxes.shape()[0] != scores.shape()[0] ||
      boxes.shape()[1] != scores.shape()[2])
    cx.fail("boxes " + boxes.describe() + " and scores " + scores.describe() + " do not fit together");
  const auto number = [&](int i, double otherwise) {
    return cx.has(i) && cx.operand(i).size() > 0 ? cx.operand(i).at_f64(0) : otherwise;
  };
  // Not as a float: exporters write 2^63 - 1 where there is no bound.
  const i64 most = cx.has(2) && cx.operand(2).size() > 0 ? cx.operand(2).at_i64(0) : 0;
  const i64 classes = scores.shape()[1], count = boxes.shape()[1];
  const double threshold = number(3, 0), least = number(4, -std::numeric_limits<double>::infinity());
  std::vector<i64> kept;
  const auto choose = [&]<class T>(std::span<const T> score, std::span<const T> box) {
    for (i64 n = 0; n < boxes.shape()[0]; ++n)
      for (i64 c = 0; c < classes; ++c) {
        const size_t row = static_cast<size_t>((n * classes + c) * count);
        movement_detail::by_score order;
        for (i64 k = 0; k < count; ++k)
          if (const double s = static_cast<double>(score[row + static_cast<size_t>(k)]); s > least) order.add(s, k);
        std::vector<movement_detail::corners> chosen;
        for (size_t i = 0; i < order.size() && static_cast<i64>(chosen.size()) < most; ++i) {
          const i64 k = order[i];
          const auto one = movement_detail::corners_of(&box[static_cast<size_t>((n * count + k) * 4)], op.center_size);
          if (std::any_of(chosen.begin(), chosen.end(),
                          [&](const auto& other) { return movement_detail::overlap(one, other) > threshold; }))
            continue;
          chosen.push_back(one);
          kept.insert(kept.end(), {n, c, k});
        }
      }
  };
  if (boxes.type() == dtype::f32 && scores.type() == dtype::f32) {
    choose(scores.data<float>(), boxes.data<float>());
  } else {
    const tensor wide_scores = scores.cast(dtype::f64), wide_boxes = boxes.cast(dtype::f64);
    choose(wide_scores.data<double>(), wide_boxes.data<double>());
  }
  cx.result(tensor::from<i64>({static_cast<i64>(kept.size()) / 3, 3}, kept));
}

}  // namespace tenon::op
