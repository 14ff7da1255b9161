/// @file resize.eval.ipp: reference evaluations of ops/graph/resize.hpp: a sum over the taps of every result element.
#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/resize.hpp>
#include <tenon/ops/graph/resize_plan.hpp>

namespace tenon::op {

namespace movement_detail {

/// A source element and its weight; index -1: an element that counts as zero.
struct tap {
  i64 index = 0;
  double weight = 1;
};

/// Keys' cubic filter at a distance.
template <class Real>
Real cubic_weight(Real distance, Real a) {
  const Real x = std::fabs(distance);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

/// The taps of result index i along an axis; none where the result is the extrapolation value.
inline std::vector<tap> resize_taps(const resize& op, const resize_axis& a, i64 i) {
  if (a.same) return {{i, 1}};
  const float x = a.coordinate(i);
  if (a.extrapolates && (x < 0 || x > static_cast<float>(a.in - 1))) return {};
  if (op.mode == interpolation::nearest)
    return {{std::clamp<i64>(static_cast<i64>(nearest_coordinate(x, op.nearest)), 0, a.in - 1), 1}};
  const float base = std::floor(x);
  std::vector<tap> taps;
  float sum = 0;
  for (i64 k = 0; k < a.taps; ++k) {
    const i64 at = static_cast<i64>(base) + a.first_tap + k;
    const float distance = (static_cast<float>(a.first_tap + k) - (x - base)) * a.stretch;
    float w = op.mode == interpolation::cubic ? cubic_weight(distance, static_cast<float>(op.cubic_coeff_a))
                                              : std::max(0.0f, 1 - std::fabs(distance));
    if (op.exclude_outside && (at < 0 || at >= a.in)) w = 0;
    taps.push_back({std::clamp<i64>(at, 0, a.in - 1), static_cast<double>(w)});
    sum += w;
  }
  if ((op.exclude_outside || a.stretch < 1) && sum != 0)
    for (tap& t : taps) t.weight = static_cast<double>(static_cast<float>(t.weight) / sum);
  return taps;
}

/// Calls f(source index, weight) for every combination of one tap per dimension.
template <class F> void each_combination(const std::vector<const std::vector<tap>*>& taps, const F& f) {
  std::vector<i64> counts, at(taps.size());
  for (const auto* t : taps) counts.push_back(static_cast<i64>(t->size()));
  each_index(counts, [&](const std::vector<i64>& which, i64) {
    double w = 1;
    for (size_t d = 0; d < taps.size(); ++d) {
      const tap& t = (*taps[d])[static_cast<size_t>(which[d])];
      at[d] = t.index;
      w *= t.weight;
    }
    f(std::as_const(at), w);
  });
}

inline i64 reflected_index(i64 i, i64 n, bool align_corners) {
  if (n == 1) return 0;
  const i64 period = align_corners ? 2 * (n - 1) : 2 * n, m = ((i % period) + period) % period;
  return m < n ? m : align_corners ? period - m : period - 1 - m;
}

/// The taps of one normalized grid coordinate along a dimension of extent n, computed in the type of coordinates.
template <class Real>
std::vector<tap> grid_taps(const grid_sample& op, Real g, i64 n) {
  const Real extent = static_cast<Real>(n), half = 0.5;
  Real x = op.align_corners ? (g + 1) / 2 * (extent - 1) : ((g + 1) * extent - 1) / 2;
  if (op.mode == interpolation::nearest) x = std::nearbyint(x);
  const Real low = op.align_corners ? 0 : -half, high = op.align_corners ? extent - 1 : extent - half;
  // Cubic weights depend on how far outside a point is: there each of the four elements is moved to the border instead.
  if (op.padding == sample_padding::border && op.mode != interpolation::cubic)
    x = std::fmin(std::fmax(x, Real(0)), extent - 1);
  if (op.padding == sample_padding::reflection && (x < low || x > high)) {
    const Real range = high - low, far = std::fabs(x - low), times = std::floor(far / range),
               rest = far - times * range;
    x = range <= 0 ? 0 : std::fmod(times, Real(2)) == 0 ? low + rest : high - rest;
  }
  if (!(std::fabs(x) < Real(1e9))) x = Real(-1e9);
  const auto source = [&](Real at) -> i64 {
    const i64 i = static_cast<i64>(at);
    if (i >= 0 && i < n) return i;
    if (op.padding == sample_padding::zeros) return -1;
    return op.padding == sample_padding::border ? std::clamp<i64>(i, 0, n - 1)
                                                : reflected_index(i, n, op.align_corners);
  };
  if (op.mode == interpolation::nearest) return {{source(std::nearbyint(x)), 1}};
  const Real base = std::floor(x), r = x - base;
  const auto weight = [](Real w) { return static_cast<double>(w); };
  if (op.mode == interpolation::linear) return {{source(base), weight(1 - r)}, {source(base + 1), weight(r)}};
  std::vector<tap> taps;
  for (int k = -1; k <= 2; ++k) {
    const Real at = static_cast<Real>(k);
    taps.push_back({source(base + at), weight(cubic_weight(at - r, Real(-0.75)))});
  }
  return taps;
}

}  // namespace movement_detail

void evaluate(const resize& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const auto axes =
      movement_detail::resize_axes(cx, op, *movement_detail::resize_request_of(cx, op, x.shape().size()), x.shape());
  std::vector<i64> to;
  std::vector<std::vector<std::vector<movement_detail::tap>>> taps(axes.size());
  for (size_t d = 0; d < axes.size(); ++d) {
    to.push_back(axes[d].out);
    for (i64 i = 0; i < axes[d].out; ++i) taps[d].push_back(movement_detail::resize_taps(op, axes[d], i));
  }
  tensor r(x.type(), to);
  std::vector<const std::vector<movement_detail::tap>*> here(axes.size());
  movement_detail::each_index(to, [&](const std::vector<i64>& at, i64 k) {
    bool outside = false;
    for (size_t d = 0; d < at.size(); ++d) {
      here[d] = &taps[d][static_cast<size_t>(at[d])];
      outside = outside || here[d]->empty();
    }
    if (outside) return r.set_f64(k, op.extrapolation_value);
    if (op.mode == interpolation::nearest)
      return movement_detail::each_combination(here, [&](const std::vector<i64>& from, double) {
        movement_detail::copy_elements(r, k, x, movement_detail::linear_index(from, x.shape()));
      });
    double sum = 0;
    movement_detail::each_combination(here, [&](const std::vector<i64>& from, double w) {
      if (w != 0) sum += w * x.at_f64(movement_detail::linear_index(from, x.shape()));
    });
    r.set_f64(k, sum);
  });
  cx.result(std::move(r));
}

void evaluate(const grid_sample& op, eval_context& cx) {
  const tensor &x = cx.operand(0), &grid = cx.operand(1);
  const size_t rank = x.shape().size(), spatial = rank - 2;
  if (rank < 3 || grid.shape().size() != rank || grid.shape().back() != static_cast<i64>(spatial) ||
      grid.shape()[0] != x.shape()[0])
    cx.fail("the grid " + grid.describe() + " does not fit " + x.describe());
  std::vector<i64> to(x.shape().begin(), x.shape().begin() + 2), points(grid.shape().begin(), grid.shape().end() - 1);
  to.insert(to.end(), points.begin() + 1, points.end());
  for (size_t d = 2; op.padding != sample_padding::zeros && d < rank; ++d)
    if (x.shape()[d] == 0) cx.fail("there is no element to sample in " + x.describe());
  tensor r(x.type(), to);
  std::vector<std::vector<movement_detail::tap>> taps(rank);
  std::vector<const std::vector<movement_detail::tap>*> here;
  for (const auto& t : taps) here.push_back(&t);
  movement_detail::each_index(points, [&](const std::vector<i64>& at, i64 point) {
    for (size_t d = 0; d < spatial; ++d) {
      // The last spatial dimension's coordinate comes first.
      const i64 which = point * static_cast<i64>(spatial) + static_cast<i64>(spatial - 1 - d);
      const double g = grid.at_f64(which);
      taps[2 + d] = grid.type() == dtype::f64 ? movement_detail::grid_taps(op, g, x.shape()[2 + d])
                                              : movement_detail::grid_taps(op, static_cast<float>(g), x.shape()[2 + d]);
    }
    std::vector<i64> result(to.size());
    std::copy(at.begin() + 1, at.end(), result.begin() + 2);
    result[0] = at[0];
    taps[0] = {{at[0], 1}};
    for (i64 c = 0; c < x.shape()[1]; ++c) {
      result[1] = c;
      taps[1] = {{c, 1}};
      double sum = 0;
      movement_detail::each_combination(here, [&](const std::vector<i64>& from, double w) {
        for (i64 i : from)
          if (i < 0) return;
        sum += w * x.at_f64(movement_detail::linear_index(from, x.shape()));
      });
      r.set_f64(movement_detail::linear_index(result, to), sum);
    }
  });
  cx.result(std::move(r));
}

void evaluate(const affine_grid& op, eval_context& cx) {
  const tensor& theta = cx.operand(0);
  const std::vector<i64> size = *movement_detail::list_of(cx, 1, op.size);
  if (size.size() < 3) cx.fail("the size " + shape_text(size) + " has no spatial dimension");
  const i64 n = static_cast<i64>(size.size()) - 2;
  if (theta.shape() != std::vector<i64>{size[0], n, n + 1})
    cx.fail("theta " + theta.describe() + " does not fit the size " + shape_text(size));
  std::vector<i64> points{size[0]}, to;
  points.insert(points.end(), size.begin() + 2, size.end());
  to = points;
  to.push_back(n);
  tensor r(theta.type(), to);
  movement_detail::each_index(points, [&](const std::vector<i64>& at, i64 point) {
    for (i64 row = 0; row < n; ++row) {
      const i64 first = (at[0] * n + row) * (n + 1);
      double sum = theta.at_f64(first + n);
      for (i64 k = 0; k < n; ++k) {
        // Coordinate k is that of the last spatial dimension but k.
        const size_t d = static_cast<size_t>(n - k);
        const double extent = static_cast<double>(points[d]), i = static_cast<double>(at[d]);
        const double g =
            op.align_corners ? (points[d] == 1 ? 0.0 : -1 + 2 * i / (extent - 1)) : (2 * i + 1) / extent - 1;
        sum += theta.at_f64(first + k) * g;
      }
      r.set_f64(point * n + row, sum);
    }
  });
  cx.result(std::move(r));
}

}  // namespace tenon::op
