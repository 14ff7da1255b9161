/// @file steps.ipp: definitions of targets/xsimd/steps.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <numeric>

#include <tenon/core/error.hpp>
#include <tenon/ops/graph/indices.hpp>
#include <tenon/ops/graph/linear_algebra.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/xsimd/steps.hpp>

namespace tenon::xsimd_kernels {

/// parallel_for, but what a piece throws (memory for its scratch ran out) is thrown again when all are done.
template <class Body>
void loop_over(i64 n, i64 grain, Body&& body, int threads) {
  std::atomic<bool> failed{false};
  std::exception_ptr first;
  parallel_for(
      n, grain,
      [&](i64 begin, i64 end) {
        try {
          body(begin, end);
        } catch (...) {
          if (!failed.exchange(true)) first = std::current_exception();
        }
      },
      threads);
  if (first) std::rethrow_exception(first);
}
namespace detail {

/// [K, columns] to [ceil(columns / panel), K, panel], padded with zeros.
inline void pack(float* to, const float* w, i64 k, i64 columns, i64 stride, i64 panel, int threads) {
  loop_over((columns + panel - 1) / panel, 1,
            [&](i64 begin, i64 end) {
              for (i64 p = begin; p < end; ++p) {
                const i64 width = std::min(panel, columns - p * panel);
                for (i64 i = 0; i < k; ++i) {
                  float* line = to + (p * k + i) * panel;
                  std::memcpy(line, w + i * stride + p * panel, static_cast<size_t>(width) * sizeof(float));
                  std::fill(line + width, line + panel, 0.f);
                }
              }
            },
            threads);
}

/// Memory of a thread that stays for the next time.
inline float* scratch(size_t count) {
  static thread_local std::vector<float> storage;
  if (storage.size() < count) storage.resize(count);
  return storage.data();
}

}  // namespace detail

void product_step::run(const frame& f) const {
  const i64 depth = static_cast<i64>(taps.size()) * run_length, row_count = static_cast<i64>(rows.size());
  const i64 panels = (columns + panel - 1) / panel;
  // Rows of a task: their elements of x and of the result should stay in the second-level cache.
  const i64 most = std::clamp<i64>((i64{1} << 16) / std::max<i64>(1, depth + columns), 1, 16) * 28;
  const i64 even = (row_count + f.threads - 1) / f.threads;
  const i64 rows_a_task = std::min<i64>(most, f.threads > 1 ? std::max<i64>(14, (even + 13) / 14 * 14) : most);
  const i64 row_tasks = (row_count + rows_a_task - 1) / rows_a_task;
  const bool by_panel = row_tasks < f.threads && panels > row_tasks;
  for (const part& p : parts) {
    const float* weights = f.data(w) + p.w;
    if (!packed) {
      float* made = detail::scratch(static_cast<size_t>(panels * depth * panel));
      detail::pack(made, weights, depth, columns, w_stride, panel, f.threads);
      weights = made;
    }
    const auto work = [&](i64 first_row, i64 end_row, i64 first_panel, i64 end_panel) {
      const float* at[16 * 28];
      const float* base = f.data(x) + p.x;
      for (i64 r = first_row; r < end_row; ++r) at[r - first_row] = base + rows[static_cast<size_t>(r)];
      for (i64 q = first_panel; q < end_panel; ++q)
        k->gemm({at, end_row - first_row, taps.data(), static_cast<i64>(taps.size()), run_length,
                 weights + q * depth * panel, panel, std::min(panel, columns - q * panel),
                 bias >= 0 ? f.data(bias) + p.bias + q * panel : nullptr,
                 f.data(out) + p.out + first_row * out_stride + q * panel, out_stride});
    };
    const bool finish = !epilogue.empty() && parts.size() == 1 && out_stride == columns;
    if (by_panel) {
      loop_over(
          panels, 1,
          [&](i64 begin, i64 end) {
            for (i64 r = 0; r < row_count; r += rows_a_task) work(r, std::min(row_count, r + rows_a_task), begin, end);
          },
          f.threads);
      if (finish) epilogue.run(f, *k, 0, row_count * columns);
    } else {
      loop_over(
          row_tasks, 1,
          [&](i64 begin, i64 end) {
            for (i64 t = begin; t < end; ++t) {
              const i64 r = t * rows_a_task, stop = std::min(row_count, r + rows_a_task);
              work(r, stop, 0, panels);
              if (finish) epilogue.run(f, *k, r * columns, stop * columns);
            }
          },
          f.threads);
    }
  }
  if (!epilogue.empty() && !(parts.size() == 1 && out_stride == columns))
    loop_over(row_count * out_stride, 4096, [&](i64 begin, i64 end) { epilogue.run(f, *k, begin, end); }, f.threads);
}

/// Outputs of fewer channels than a vector has lanes lie one behind another, as their taps do where the stride is one:
/// some pixels are one of more channels, whose weights are repeated. `pixels` is 1 where this is not so.
struct depthwise_step::several {
  i64 pixels = 1;
  std::vector<float> weight, bias;

  several(const depthwise_step& s, const frame& f) {
    const i64 enough = std::lcm(std::max<i64>(1, s.channels), s.k->lanes) / std::max<i64>(1, s.channels);
    if (s.channels >= s.k->lanes || s.in_stride != s.channels || s.count < 2 * enough) return;
    pixels = enough;
    const auto repeat = [&](std::vector<float>& to, const float* from) {
      for (i64 p = 0; p < pixels; ++p) to.insert(to.end(), from, from + s.channels);
    };
    for (size_t t = 0; t < s.taps.size(); ++t) repeat(weight, f.data(s.w) + static_cast<i64>(t) * s.channels);
    if (s.bias >= 0) repeat(bias, f.data(s.bias));
  }
};

/// `n` outputs of a line.
void depthwise_step::compute(const frame& f, const several& wide, const float* in, float* to, i64 n) const {
  depthwise_block d{in,
                    in_stride,
                    n,
                    taps.data(),
                    static_cast<i64>(taps.size()),
                    tap_run,
                    f.data(w),
                    bias >= 0 ? f.data(bias) : nullptr,
                    to,
                    channels,
                    channels};
  if (wide.pixels == 1 || n < wide.pixels) return k->depthwise(d);
  d.run = 1, d.count = n / wide.pixels;
  d.weight = wide.weight.data(), d.bias = bias >= 0 ? wide.bias.data() : nullptr;
  d.channels = d.in_stride = d.out_stride = wide.pixels * channels;
  k->depthwise(d);
  if (n % wide.pixels == 0) return;
  const i64 last = (n - wide.pixels) * channels;  // some pixels are computed twice
  d.count = 1, d.in += last, d.out += last;
  k->depthwise(d);
}

void depthwise_step::run(const frame& f) const {
  const several wide(*this, f);
  // Of so many outputs that the epilogue reads them from the first cache.
  const i64 most = epilogue.empty() ? count : std::max<i64>(16, 4096 / std::max<i64>(1, channels) / 16 * 16);
  loop_over(
      static_cast<i64>(lines.size()), 1,
      [&](i64 begin, i64 end) {
        for (i64 l = begin; l < end; ++l)
          for (i64 o = 0; o < count; o += most) {
            const i64 n = std::min(most, count - o), first = (l * count + o) * channels;
            compute(f, wide, f.data(x) + lines[static_cast<size_t>(l)] + o * in_stride, f.data(out) + first, n);
            if (!epilogue.empty()) epilogue.run(f, *k, first, first + n * channels);
          }
      },
      f.threads);
}

void pool_step::run(const frame& f) const {
  const i64 places = static_cast<i64>(taps.size());
  loop_over(
      images * places, std::max<i64>(1, 1024 / std::max<i64>(1, channels)),
      [&](i64 begin, i64 end) {
        std::vector<const float*> at;
        for (i64 i = begin; i < end; ++i) {
          const std::vector<i64>& t = taps[static_cast<size_t>(i % places)];
          const float* base = f.data(x) + i / places * image;
          at.clear();
          for (i64 offset : t) at.push_back(base + offset);
          if (at.empty()) {  // a window in the padding: the largest of nothing, or the mean of nothing
            std::fill_n(f.data(out) + i * channels, channels, maximum ? -__builtin_inff() : __builtin_nanf(""));
            continue;
          }
          k->pool(f.data(out) + i * channels, at.data(), static_cast<i64>(at.size()), channels, maximum,
                  maximum ? 1.f : scale[static_cast<size_t>(i % places)]);
        }
      },
      f.threads);
}

void chain_step::run(const frame& f) const {
  loop_over(count, 4 * chain::block, [&](i64 begin, i64 end) { work.run(f, *k, begin, end); }, f.threads);
}

namespace detail {

/// Where in a row its extreme stands, the first or the last one; NaN is one, if there is any.
inline i64 position_of(float extreme, const float* x, i64 n, bool last) {
  const bool nan = extreme != extreme;
  const auto is_there = [&](i64 i) { return nan ? x[i] != x[i] : x[i] == extreme; };
  if (last) {
    for (i64 i = n; i-- > 0;)
      if (is_there(i)) return i;
    return 0;
  }
  constexpr i64 block = 32;
  i64 i = 0;
  for (; !nan && i + block <= n; i += block) {
    unsigned any = 0;
    for (i64 k = 0; k < block; ++k) any |= x[i + k] == extreme ? 1u : 0u;
    if (any != 0) break;
  }
  while (i < n && !is_there(i)) ++i;
  return i < n ? i : 0;
}

}  // namespace detail

void rows_step::run(const frame& f) const {
  const i64 length = n * inner;
  loop_over(
      outer, std::max<i64>(1, 4096 / std::max<i64>(1, length)),
      [&](i64 begin, i64 end) {
        for (i64 o = begin; o < end; ++o) {
          const float* from = f.data(x) + o * length;
          if (kind == kind_t::reduce) {
            k->reduce(reduction, f.data(out) + o * inner, from, n, inner);
          } else if (kind == kind_t::position) {
            float extreme = 0;
            k->reduce(reduction, &extreme, from, n, 1);
            f.data<i64>(out)[o] = detail::position_of(extreme, from, n, last);
          } else if (kind == kind_t::lrn) {
            k->lrn(f.data(out) + o * length, from, n, before, after, alpha, beta, bias);
          } else if (kind == kind_t::determinant) {
            f.data(out)[o] = op::eliminated_rows<float>(from, n, n).determinant();
          } else if (kind == kind_t::inverse) {
            op::eliminated_rows<float> rows(from, n, 2 * n);
            rows.invert();
            for (i64 i = 0; i < n; ++i)
              for (i64 j = 0; j < n; ++j) f.data(out)[o * length + i * n + j] = rows.at(i, n + j);
          } else {
            k->softmax(f.data(out) + o * length, from, n, inner, kind == kind_t::log_softmax);
          }
        }
      },
      f.threads);
}

void copy_step::simplify() {
  std::vector<i64> e, i, o;
  for (size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] == 1) continue;
    if (!e.empty() && i.back() == in_strides[d] * extents[d] && o.back() == out_strides[d] * extents[d]) {
      e.back() *= extents[d], i.back() = in_strides[d], o.back() = out_strides[d];
    } else {
      e.push_back(extents[d]), i.push_back(in_strides[d]), o.push_back(out_strides[d]);
    }
  }
  if (e.empty()) e = {1}, i = {1}, o = {1};
  extents = e, in_strides = i, out_strides = o;
}

namespace detail {

template <class T>
void copy_plane(T* to, const T* from, const copy_step& s) {
  const size_t rank = s.extents.size();
  const i64 n = s.extents[rank - 1], in = s.in_strides[rank - 1], out = s.out_strides[rank - 1];
  if (rank == 1) {
    if (in == 1 && out == 1) std::memcpy(to, from, static_cast<size_t>(n) * sizeof(T));
    else
      for (i64 i = 0; i < n; ++i) to[i * out] = from[i * in];
    return;
  }
  // Two dimensions in tiles: neither side then jumps from line to line for each element.
  const i64 rows = s.extents[rank - 2], in_row = s.in_strides[rank - 2], out_row = s.out_strides[rank - 2];
  if (in == 1 && out == 1) {
    for (i64 r = 0; r < rows; ++r) std::memcpy(to + r * out_row, from + r * in_row, static_cast<size_t>(n) * sizeof(T));
    return;
  }
  const auto few = [&]<int N>(std::integral_constant<int, N>) {  // as channels of an image, which become its last
    for (i64 r = 0; r < rows; ++r, to += out_row, from += in_row)
      for (int i = 0; i < N; ++i) to[i * out] = from[i * in];
  };
  switch (n) {
    case 2: return few(std::integral_constant<int, 2>{});
    case 3: return few(std::integral_constant<int, 3>{});
    case 4: return few(std::integral_constant<int, 4>{});
    default: break;
  }
  constexpr i64 tile = 16;
  for (i64 r0 = 0; r0 < rows; r0 += tile)
    for (i64 i0 = 0; i0 < n; i0 += tile)
      for (i64 r = r0; r < std::min(rows, r0 + tile); ++r)
        for (i64 i = i0; i < std::min(n, i0 + tile); ++i) to[r * out_row + i * out] = from[r * in_row + i * in];
}

template <class T>
void copy_all(const frame& f, const copy_step& s) {
  T* const to = f.data<T>(s.out) + s.to;
  const T* const from = f.data<T>(s.x) + s.from;
  const size_t outer = s.extents.size() > 2 ? s.extents.size() - 2 : 0;
  i64 planes = 1, plane = 1;
  for (size_t d = 0; d < s.extents.size(); ++d) (d < outer ? planes : plane) *= s.extents[d];
  loop_over(
      planes, std::max<i64>(1, 8192 / std::max<i64>(1, plane)),
      [&](i64 begin, i64 end) {
        for (i64 p = begin; p < end; ++p) {
          i64 a = 0, b = 0, rest = p;
          for (size_t d = outer; d-- > 0;) {
            a += rest % s.extents[d] * s.in_strides[d], b += rest % s.extents[d] * s.out_strides[d];
            rest /= s.extents[d];
          }
          copy_plane(to + b, from + a, s);
        }
      },
      f.threads);
}

}  // namespace detail

void copy_step::run(const frame& f) const {
  for (i64 e : extents)
    if (e == 0) return;
  by_width(width, [&]<class T>(T) { detail::copy_all<T>(f, *this); });
}

namespace detail {

template <class T>
void write_border(const frame& f, const border_step& s) {
  const auto fill = [value = static_cast<T>(s.value)](T* to, i64 n) {
    if (value != 0) std::fill_n(to, n, value);
    else if (n != 0) std::memset(to, 0, static_cast<size_t>(n) * sizeof(T));
  };
  const i64 row = s.before + s.count + s.after;
  i64 rows = 1;
  for (const auto& d : s.outer) rows *= d.before + d.count + d.after;
  loop_over(
      rows, std::max<i64>(1, 16384 / std::max<i64>(1, row)),
      [&](i64 begin, i64 end) {
        for (i64 r = begin; r < end; ++r) {
          T* to = f.data<T>(s.out) + r * row;
          i64 rest = r, from = s.from;
          bool inside = true;
          for (size_t d = s.outer.size(); d-- > 0;) {
            const border_step::dimension& o = s.outer[d];
            const i64 extent = o.before + o.count + o.after, at = rest % extent - o.before;
            rest /= extent;
            inside = inside && at >= 0 && at < o.count;
            from += at * o.stride;
          }
          if (!inside) {
            fill(to, row);
            continue;
          }
          fill(to, s.before);
          if (s.count != 0) std::memcpy(to + s.before, f.data<T>(s.x) + from, static_cast<size_t>(s.count) * sizeof(T));
          fill(to + s.before + s.count, s.after);
        }
      },
      f.threads);
}

}  // namespace detail

void border_step::run(const frame& f) const {
  by_width(width, [&]<class T>(T) { detail::write_border<T>(f, *this); });
}

namespace detail {

template <class T>
void mirror(const frame& f, const mirror_step& s) {
  const i64 row = static_cast<i64>(s.columns.size());
  i64 rows = 1;
  for (const auto& d : s.outer) rows *= static_cast<i64>(d.size());
  loop_over(
      rows, std::max<i64>(1, 16384 / std::max<i64>(1, row)),
      [&](i64 begin, i64 end) {
        for (i64 r = begin; r < end; ++r) {
          T* const to = f.data<T>(s.out) + r * row;
          const T* from = f.data<T>(s.x);
          i64 rest = r;
          for (size_t d = s.outer.size(); d-- > 0;) {
            const i64 extent = static_cast<i64>(s.outer[d].size());
            from += s.outer[d][static_cast<size_t>(rest % extent)];
            rest /= extent;
          }
          const auto take = [&](i64 first, i64 last) {
            for (i64 i = first; i < last; ++i) to[i] = from[s.columns[static_cast<size_t>(i)]];
          };
          take(0, s.before);
          if (s.count != 0)
            std::memcpy(to + s.before, from + s.columns[static_cast<size_t>(s.before)],
                        static_cast<size_t>(s.count) * sizeof(T));
          take(s.before + s.count, row);
        }
      },
      f.threads);
}

}  // namespace detail

void mirror_step::run(const frame& f) const {
  by_width(width, [&]<class T>(T) { detail::mirror<T>(f, *this); });
}

void resize_step::run(const frame& f) const {
  const i64 out_h = static_cast<i64>(rows.size()), out_w = static_cast<i64>(columns.size());
  loop_over(
      outer * out_h, 1,
      [&](i64 begin, i64 end) {
        float* line = detail::scratch(static_cast<size_t>(width * inner));
        for (i64 i = begin; i < end; ++i) {
          const tap& r = rows[static_cast<size_t>(i % out_h)];
          const float* image = f.data(x) + i / out_h * height * width * inner;
          const float* from = image + r.low * width * inner;
          if (r.of_high != 0) {
            k->blend(line, from, image + r.high * width * inner, r.of_low, r.of_high, width * inner);
            from = line;
          }
          float* to = f.data(out) + i * out_w * inner;
          for (i64 c = 0; c < out_w; ++c) {
            const tap& t = columns[static_cast<size_t>(c)];
            if (inner == 1) {
              to[c] = t.of_high != 0 ? from[t.low] * t.of_low + from[t.high] * t.of_high : from[t.low];
            } else if (t.of_high != 0) {
              k->blend(to + c * inner, from + t.low * inner, from + t.high * inner, t.of_low, t.of_high, inner);
            } else {
              std::memcpy(to + c * inner, from + t.low * inner, static_cast<size_t>(inner) * sizeof(float));
            }
          }
        }
      },
      f.threads);
}

void gather_step::run(const frame& f) const {
  const size_t bytes = static_cast<size_t>(inner * width);
  if (n == 0) {
    std::memset(f.data<char>(out), 0, static_cast<size_t>(outer * count) * bytes);
    return;
  }
  for (i64 c = 0; c < count; ++c) {
    const i64 i = op::movement_detail::nearest_element(wide ? f.data<i64>(indices)[c] : f.data<i32>(indices)[c], n);
    for (i64 o = 0; o < outer; ++o)
      std::memcpy(f.data<char>(out) + static_cast<size_t>(o * count + c) * bytes,
                  f.data<char>(x) + static_cast<size_t>(o * n + i) * bytes, bytes);
  }
}

}  // namespace tenon::xsimd_kernels
