/// @file kernels: the kernels of targets/xsimd/kernel_table.hpp for any instruction set that xsimd has.
///
/// Everything is a template on the instruction set, so that files compiled with different flags share no code: a
/// function without that parameter might be compiled for AVX-512 in one file and chosen by the linker for all. For the
/// same reason nothing of the standard library is called here.
#pragma once

#include <xsimd/xsimd.hpp>

#include <tenon/targets/xsimd/depthwise_kernels.hpp>
#include <tenon/targets/xsimd/kernel_table.hpp>
#include <tenon/targets/xsimd/tile_kernels.hpp>
#include <tenon/targets/xsimd/vectors.hpp>

namespace tenon::xsimd_kernels {

/// The widest set that this file is compiled for. Nothing here needs what the sets after avx512f add, and g++ 12 cannot
/// compile Debian's avx512bw without optimization: its intrinsics are macros then, which want one type.
#if defined(__AVX512F__)
using widest_arch = ::xsimd::avx512f;
#else
using widest_arch = ::xsimd::default_arch;
#endif

template <class Arch>
struct kernels_for : vectors_of<Arch> {
  using typename vectors_of<Arch>::batch;
  using batch_bool = ::xsimd::batch_bool<float, Arch>;
  using vectors_of<Arch>::lanes, vectors_of<Arch>::load, vectors_of<Arch>::load_some;
  static constexpr int registers = sizeof(batch) == 64 ? 32 : 16;

  // -- products ------------------------------------------------------------------------------------------------------

  /// R rows by V vectors of the panel, from column `at` on; all sums are in registers.
  template <int... I>
  TENON_UNROLLED static void product(const gemm_block& g, i64 row, i64 at, auto rows, numbers<I...>) {
    constexpr int R = decltype(rows)::rows, V = decltype(rows)::vectors;
    constexpr bool whole = decltype(rows)::whole;
    alignas(64) float bias[static_cast<size_t>(V * lanes)] = {};
    if (g.bias)
      for (i64 j = 0; j < V * lanes && at + j < g.columns; ++j) bias[j] = g.bias[at + j];
    batch sum[R * V] = {load(bias + I % V * lanes)...};
    const float* b = g.panel + at;
    for (i64 t = 0; t < g.tap_count; ++t) {
      const float* a[R];
      for (int r = 0; r < R; ++r) a[r] = g.rows[row + r] + g.taps[t];
      for (i64 k = 0; k < g.run; ++k, b += g.width) {
        const auto one_row = [&]<int... J>(numbers<J...>) TENON_UNROLLED {
          const batch line[V] = {(whole ? load(b + J * lanes) : load_some(b, g.width - at))...};
          ((sum[I] = ::xsimd::fma(batch(a[I / V][k]), line[I % V], sum[I])), ...);
        };
        one_row(count_to<V>{});
      }
    }
    if (at + V * lanes <= g.columns) {
      ((sum[I].store_unaligned(g.out + (row + I / V) * g.out_stride + at + I % V * lanes)), ...);
      return;
    }
    alignas(64) float all[static_cast<size_t>(R * V * lanes)];
    ((sum[I].store_unaligned(all + I * lanes)), ...);
    for (int r = 0; r < R; ++r)
      for (i64 j = 0; j < V * lanes && at + j < g.columns; ++j)
        g.out[(row + r) * g.out_stride + at + j] = all[r * V * lanes + j];
  }
  template <int R, int V, bool Whole = true>
  struct block_size {
    static constexpr int rows = R, vectors = V;
    static constexpr bool whole = Whole;  ///< of the panel there are as many columns
  };
  template <int R, int V>
  static void rows_of(const gemm_block& g, i64 row, i64 at) {
    product(g, row, at, block_size<R, V>{}, count_to<R * V>{});
  }
  template <int R, int V>
  static void columns_of(const gemm_block& g, i64 at) {
    i64 row = 0;
    for (; row + R <= g.row_count; row += R) rows_of<R, V>(g, row, at);
    if constexpr (R > 8)
      for (; row + 7 <= g.row_count; row += 7) rows_of<7, V>(g, row, at);
    for (; row + 4 <= g.row_count; row += 4) rows_of<4, V>(g, row, at);
    for (; row + 2 <= g.row_count; row += 2) rows_of<2, V>(g, row, at);
    for (; row < g.row_count; ++row) rows_of<1, V>(g, row, at);
  }
  /// The last columns of a panel that was packed for shorter vectors, in a program file of another processor.
  static void rest_of(const gemm_block& g, i64 at) {
    i64 row = 0;
    for (; row + 4 <= g.row_count; row += 4) product(g, row, at, block_size<4, 1, false>{}, count_to<4>{});
    for (; row < g.row_count; ++row) product(g, row, at, block_size<1, 1, false>{}, count_to<1>{});
  }
  static void gemm(const gemm_block& g) {
    for (i64 at = 0; at < g.columns;) {
      const i64 left = (g.width - at) / lanes;
      if (left == 0) return rest_of(g, at);
      if constexpr (registers == 32) {
        if (left >= 4 && left != 5) columns_of<6, 4>(g, at), at += 4 * lanes;
        else if (left >= 3) columns_of<8, 3>(g, at), at += 3 * lanes;
        else if (left >= 2) columns_of<14, 2>(g, at), at += 2 * lanes;
        else columns_of<14, 1>(g, at), at += lanes;
      } else {
        if (left >= 2) columns_of<6, 2>(g, at), at += 2 * lanes;
        else columns_of<8, 1>(g, at), at += lanes;
      }
    }
  }

  // -- elementwise ---------------------------------------------------------------------------------------------------

  static batch chosen(const batch_bool& which, const batch& a, const batch& b) { return ::xsimd::select(which, a, b); }
  static batch flag(const batch_bool& b) { return chosen(b, batch(1.f), batch(0.f)); }
  // Not x != x: where xsimd compares by an ordered predicate, that is false for NaN.
  static batch_bool is_nan(const batch& x) { return ::xsimd::isnan(x); }
  static batch largest(const batch& a, const batch& b) { return chosen(is_nan(b), b, chosen(a < b, b, a)); }
  static batch smallest(const batch& a, const batch& b) { return chosen(is_nan(b), b, chosen(b < a, b, a)); }
  /// xsimd's ends at 88.38, where 2^k no longer is a float, with infinity; results up to 88.72 are finite.
  static batch exp_of(const batch& x) {
    const batch_bool large = x > batch(88.f);
    const batch part = ::xsimd::exp(chosen(large, x - batch(1.f), x));  // exact: both are between 64 and 128
    return chosen(large, part * batch(2.71828183f), part);
  }
  template <class F>
  static void each(float* to, i64 n, F f) {
    for (i64 i = 0; i < n; i += lanes) f(i).store_unaligned(to + i);
  }

  static void elementwise(loop::scalar_fn fn, float* to, const float* a, const float* b, const float* c, i64 n) {
    using f = loop::scalar_fn;
    const auto x = [&](i64 i) { return load(a + i); };
    const auto y = [&](i64 i) { return load(b + i); };
    switch (fn) {
      case f::add: return each(to, n, [&](i64 i) { return x(i) + y(i); });
      case f::sub: return each(to, n, [&](i64 i) { return x(i) - y(i); });
      case f::mul: return each(to, n, [&](i64 i) { return x(i) * y(i); });
      case f::div: return each(to, n, [&](i64 i) { return x(i) / y(i); });
      case f::min: return each(to, n, [&](i64 i) { return smallest(x(i), y(i)); });
      case f::max: return each(to, n, [&](i64 i) { return largest(x(i), y(i)); });
      case f::abs: return each(to, n, [&](i64 i) { return ::xsimd::abs(x(i)); });
      case f::neg:
        return each(to, n, [&](i64 i) { return ::xsimd::bitwise_xor(x(i), batch(-0.f)); });  // 0 - 0 is not -0
      case f::exp: return each(to, n, [&](i64 i) { return exp_of(x(i)); });
      case f::log: return each(to, n, [&](i64 i) { return ::xsimd::log(x(i)); });
      case f::sqrt: return each(to, n, [&](i64 i) { return ::xsimd::sqrt(x(i)); });
      case f::rsqrt: return each(to, n, [&](i64 i) { return batch(1.f) / ::xsimd::sqrt(x(i)); });
      case f::reciprocal: return each(to, n, [&](i64 i) { return batch(1.f) / x(i); });
      case f::tanh: return each(to, n, [&](i64 i) { return ::xsimd::tanh(x(i)); });
      case f::sigmoid: return each(to, n, [&](i64 i) { return batch(1.f) / (batch(1.f) + ::xsimd::exp(-x(i))); });
      case f::erf: return each(to, n, [&](i64 i) { return ::xsimd::erf(x(i)); });
      case f::floor: return each(to, n, [&](i64 i) { return ::xsimd::floor(x(i)); });
      case f::ceil: return each(to, n, [&](i64 i) { return ::xsimd::ceil(x(i)); });
      case f::round: return each(to, n, [&](i64 i) { return ::xsimd::nearbyint(x(i)); });
      case f::trunc: return each(to, n, [&](i64 i) { return ::xsimd::trunc(x(i)); });
      case f::lt: return each(to, n, [&](i64 i) { return flag(x(i) < y(i)); });
      case f::le: return each(to, n, [&](i64 i) { return flag(x(i) <= y(i)); });
      case f::gt: return each(to, n, [&](i64 i) { return flag(x(i) > y(i)); });
      case f::ge: return each(to, n, [&](i64 i) { return flag(x(i) >= y(i)); });
      case f::eq: return each(to, n, [&](i64 i) { return flag(x(i) == y(i)); });
      case f::ne: return each(to, n, [&](i64 i) { return flag(!(x(i) == y(i))); });
      case f::bit_and: return each(to, n, [&](i64 i) { return x(i) * y(i); });  // of flags, which are 0 or 1
      case f::bit_or: return each(to, n, [&](i64 i) { return largest(x(i), y(i)); });
      case f::bit_not: return each(to, n, [&](i64 i) { return batch(1.f) - x(i); });
      case f::select: return each(to, n, [&](i64 i) { return chosen(x(i) != batch(0.f), y(i), load(c + i)); });
      default: return;  // `is_elementwise` was asked
    }
  }

  /// V vectors of numbers that stay in registers.
  template <int V>
  TENON_UNROLLED static void running_at(const float* from, const running_step* steps, i64 count, i64 at) {
    batch x[V], y[V];
    each_of<V>([&](auto i) TENON_UNROLLED { x[i.value] = load(from + at + i.value * lanes); });
    const auto all = [&](auto f)
                         TENON_UNROLLED { each_of<V>([&](auto i) TENON_UNROLLED { f(x[i.value], y[i.value]); }); };
    for (const running_step* s = steps; s != steps + count; ++s) {
      if (s->with == nullptr) all([](batch& a, batch& b) TENON_UNROLLED { b = a; });
      else if (s->number) all([one = batch(*s->with)](batch&, batch& b) TENON_UNROLLED { b = one; });
      else each_of<V>([&](auto i) TENON_UNROLLED { y[i.value] = load(s->with + at + i.value * lanes); });
      using f = loop::scalar_fn;
      switch (s->fn) {
        case f::add: all([](batch& a, batch& b) TENON_UNROLLED { a = a + b; }); break;
        case f::mul: all([](batch& a, batch& b) TENON_UNROLLED { a = a * b; }); break;
        case f::sub:
          if (s->second) all([](batch& a, batch& b) TENON_UNROLLED { a = b - a; });
          else all([](batch& a, batch& b) TENON_UNROLLED { a = a - b; });
          break;
        case f::div:
          if (s->second) all([](batch& a, batch& b) TENON_UNROLLED { a = b / a; });
          else all([](batch& a, batch& b) TENON_UNROLLED { a = a / b; });
          break;
        case f::min:
          if (s->second) all([](batch& a, batch& b) TENON_UNROLLED { a = smallest(b, a); });
          else all([](batch& a, batch& b) TENON_UNROLLED { a = smallest(a, b); });
          break;
        default:
          if (s->second) all([](batch& a, batch& b) TENON_UNROLLED { a = largest(b, a); });
          else all([](batch& a, batch& b) TENON_UNROLLED { a = largest(a, b); });
      }
      if (s->keep)
        each_of<V>([&](auto i) TENON_UNROLLED { x[i.value].store_unaligned(s->keep + at + i.value * lanes); });
    }
  }
  static void running(const float* from, const running_step* steps, i64 count, i64 n) {
    constexpr int together = registers / 4;
    i64 at = 0;
    for (; at + together * lanes <= n; at += together * lanes) running_at<together>(from, steps, count, at);
    for (; at < n; at += lanes) running_at<1>(from, steps, count, at);
  }

  // -- pools and rows ------------------------------------------------------------------------------------------------

  static void pool(float* to, const float* const* at, i64 count, i64 channels, bool maximum, float scale) {
    const auto vector = [&](i64 c) TENON_UNROLLED {
      batch sum = load(at[0] + c);
      if (maximum) {
        for (i64 k = 1; k < count; ++k) sum = largest(sum, load(at[k] + c));
        sum.store_unaligned(to + c);
      } else {
        for (i64 k = 1; k < count; ++k) sum += load(at[k] + c);
        (sum * batch(scale)).store_unaligned(to + c);
      }
    };
    if (channels >= lanes) {
      for (i64 c = 0; c + lanes <= channels; c += lanes) vector(c);
      if (channels % lanes != 0) vector(channels - lanes);
      return;
    }
    for (i64 c = 0; c < channels; ++c) {
      float sum = at[0][c];
      for (i64 k = 1; k < count; ++k) {
        const float v = at[k][c];
        sum = !maximum ? sum + v : v > sum || v != v ? v : sum;
      }
      to[c] = maximum ? sum : sum * scale;
    }
  }

  static float combined(reduction_kind kind, float a, float b) {
    switch (kind) {
      case reduction_kind::sum: return a + b;
      case reduction_kind::product: return a * b;
      case reduction_kind::minimum: return b < a || b != b ? b : a;
      default: return a < b || b != b ? b : a;
    }
  }
  static batch combined(reduction_kind kind, const batch& a, const batch& b) {
    switch (kind) {
      case reduction_kind::sum: return a + b;
      case reduction_kind::product: return a * b;
      case reduction_kind::minimum: return smallest(a, b);
      default: return largest(a, b);
    }
  }
  static float start_of(reduction_kind kind) {
    switch (kind) {
      case reduction_kind::sum: return 0;
      case reduction_kind::product: return 1;
      case reduction_kind::minimum: return __builtin_inff();
      default: return -__builtin_inff();
    }
  }
  static float across(reduction_kind kind, const batch& x) {
    alignas(64) float v[static_cast<size_t>(lanes)];
    x.store_unaligned(v);
    for (i64 width = lanes / 2; width > 0; width /= 2)
      for (i64 i = 0; i < width; ++i) v[i] = combined(kind, v[i], v[i + width]);
    return v[0];
  }
  static float reduced(reduction_kind kind, const float* x, i64 n) {
    float r = start_of(kind);
    i64 i = 0;
    if (n >= lanes) {
      batch a = load(x), b(start_of(kind));
      for (i = lanes; i + 2 * lanes <= n; i += 2 * lanes)
        a = combined(kind, a, load(x + i)), b = combined(kind, b, load(x + i + lanes));
      for (; i + lanes <= n; i += lanes) a = combined(kind, a, load(x + i));
      r = across(kind, combined(kind, a, b));
    }
    for (; i < n; ++i) r = combined(kind, r, x[i]);
    return r;
  }
  static void reduce(reduction_kind kind, float* out, const float* x, i64 n, i64 inner) {
    if (inner == 1) {
      *out = reduced(kind, x, n);
      return;
    }
    i64 j = 0;
    for (; j + lanes <= inner; j += lanes) {
      batch r(start_of(kind));
      for (i64 i = 0; i < n; ++i) r = combined(kind, r, load(x + i * inner + j));
      r.store_unaligned(out + j);
    }
    for (; j < inner; ++j) {
      float r = start_of(kind);
      for (i64 i = 0; i < n; ++i) r = combined(kind, r, x[i * inner + j]);
      out[j] = r;
    }
  }

  /// One number's exp and log by the vector functions: one rounding for all elements, and no call into libm.
  static float exp_of(float x) { return ::xsimd::exp(batch(x)).get(0); }
  static float log_of(float x) { return ::xsimd::log(batch(x)).get(0); }

  static void softmax(float* out, const float* x, i64 n, i64 inner, bool log) {
    if (inner == 1) {
      const float top = reduced(reduction_kind::maximum, x, n);
      const batch most(top);
      float sum = 0;
      i64 i = 0;
      batch sums(0.f);
      for (; i + lanes <= n; i += lanes) {
        const batch e = ::xsimd::exp(load(x + i) - most);
        sums += e;
        if (!log) e.store_unaligned(out + i);
      }
      if (i) sum = across(reduction_kind::sum, sums);
      for (; i < n; ++i) {
        const float e = exp_of(x[i] - top);
        sum += e;
        if (!log) out[i] = e;
      }
      const float shift = log ? top + log_of(sum) : 1 / sum;
      for (i = 0; i + lanes <= n; i += lanes)
        (log ? load(x + i) - batch(shift) : load(out + i) * batch(shift)).store_unaligned(out + i);
      for (; i < n; ++i) out[i] = log ? x[i] - shift : out[i] * shift;
      return;
    }
    i64 j = 0;
    for (; j + lanes <= inner; j += lanes) {
      batch most = load(x + j), sum(0.f);
      for (i64 i = 1; i < n; ++i) most = largest(most, load(x + i * inner + j));
      for (i64 i = 0; i < n; ++i) {
        const batch e = ::xsimd::exp(load(x + i * inner + j) - most);
        sum += e;
        if (!log) e.store_unaligned(out + i * inner + j);
      }
      const batch shift = log ? most + ::xsimd::log(sum) : batch(1.f) / sum;
      for (i64 i = 0; i < n; ++i)
        (log ? load(x + i * inner + j) - shift : load(out + i * inner + j) * shift)
            .store_unaligned(out + i * inner + j);
    }
    for (; j < inner; ++j) {
      float most = x[j], sum = 0;
      for (i64 i = 1; i < n; ++i) most = combined(reduction_kind::maximum, most, x[i * inner + j]);
      for (i64 i = 0; i < n; ++i) sum += exp_of(x[i * inner + j] - most);
      const float shift = log ? most + log_of(sum) : 1 / sum;
      for (i64 i = 0; i < n; ++i) {
        const float v = x[i * inner + j];
        out[i * inner + j] = log ? v - shift : exp_of(v - most) * shift;
      }
    }
  }

  static void lrn(float* out, const float* x, i64 n, i64 before, i64 after, float alpha, float beta, float bias) {
    const auto scaled = [&](const batch& v, const batch& sum) {
      return v * ::xsimd::exp(batch(-beta) * ::xsimd::log(::xsimd::fma(batch(alpha), sum, batch(bias))));
    };
    i64 c = 0;
    const auto one = [&](i64 at) {
      float sum = 0;
      for (i64 k = at < before ? 0 : at - before; k <= at + after && k < n; ++k) sum += x[k] * x[k];
      out[at] = scaled(batch(x[at]), batch(sum)).get(0);
    };
    for (; c < before && c < n; ++c) one(c);
    for (; c + lanes + after <= n; c += lanes) {
      batch sum(0.f);
      for (i64 k = -before; k <= after; ++k) {
        const batch v = load(x + c + k);
        sum = ::xsimd::fma(v, v, sum);
      }
      scaled(load(x + c), sum).store_unaligned(out + c);
    }
    for (; c < n; ++c) one(c);
  }

  static void blend(float* to, const float* a, const float* b, float ka, float kb, i64 n) {
    i64 i = 0;
    for (; i + lanes <= n; i += lanes)
      ::xsimd::fma(load(a + i), batch(ka), load(b + i) * batch(kb)).store_unaligned(to + i);
    for (; i < n; ++i) to[i] = a[i] * ka + b[i] * kb;
  }

  static constexpr kernel_table table{Arch::name(),
                                      static_cast<int>(lanes),
                                      &gemm,
                                      &depthwise_kernels<Arch>::depthwise,
                                      &tile_kernels<Arch>::tile,
                                      &elementwise,
                                      &running,
                                      &pool,
                                      &reduce,
                                      &softmax,
                                      &lrn,
                                      &blend};
};

}  // namespace tenon::xsimd_kernels
