/// @file tile_kernels: the transforms of convolutions by tiles, for targets/xsimd/kernels.hpp.
#pragma once

#include <tenon/targets/xsimd/kernel_table.hpp>
#include <tenon/targets/xsimd/unrolled.hpp>
#include <tenon/targets/xsimd/vectors.hpp>

namespace tenon::xsimd_kernels {

template <class Arch>
struct tile_kernels : vectors_of<Arch> {
  using typename vectors_of<Arch>::batch;
  using vectors_of<Arch>::lanes, vectors_of<Arch>::load, vectors_of<Arch>::load_some;

  /// y = M x. Points stand as 0, then pairs of one and its negative, then infinity: what these share is computed once.
  template <int In, int Out>
  TENON_UNROLLED static void transformed(const batch* x, batch* y, const float* m) {
    constexpr int pairs = In / 2 - 1;
    if constexpr (In == Out) {  // the even and the odd powers of a point's polynomial
      const auto powers = [&](int row, auto first) TENON_UNROLLED {
        batch sum = batch(m[row * In + first.value]) * x[first.value];
        each_of<In / 2 - 1>([&](auto k) TENON_UNROLLED {
          constexpr int at = decltype(first)::value + 2 * (decltype(k)::value + 1);
          sum = ::xsimd::fma(batch(m[row * In + at]), x[at], sum);
        });
        return sum;
      };
      y[0] = powers(0, number<0>{}), y[In - 1] = powers(In - 1, number<1>{});
      each_of<pairs>([&](auto i) TENON_UNROLLED {
        constexpr int row = 1 + 2 * decltype(i)::value;
        const batch even = powers(row, number<0>{}), odd = powers(row, number<1>{});
        y[row] = even + odd, y[row + 1] = even - odd;
      });
    } else {
      batch even[pairs], odd[pairs];
      each_of<pairs>([&](auto i) TENON_UNROLLED {
        constexpr int p = decltype(i)::value;
        even[p] = x[1 + 2 * p] + x[2 + 2 * p], odd[p] = x[1 + 2 * p] - x[2 + 2 * p];
      });
      each_of<Out>([&](auto k) TENON_UNROLLED {
        constexpr int row = decltype(k)::value;
        batch sum = row == 0 ? x[0] : row == Out - 1 ? x[In - 1] : batch(0.f);
        each_of<pairs>([&](auto i) TENON_UNROLLED {
          constexpr int p = decltype(i)::value;
          sum = ::xsimd::fma(batch(m[row * In + 1 + 2 * p]), row % 2 ? odd[p] : even[p], sum);
        });
        y[row] = sum;
      });
    }
  }
  /// For channels from `c` on: a vector, or `some` of one.
  template <int In, int Out>
  static void tile_at(const tile_block& t, i64 c, i64 some) {
    const auto get = [&](const float* p)
                         TENON_UNROLLED { return some == lanes ? load(p + c) : load_some(p + c, some); };
    const auto put = [&](float* p, const batch& x) TENON_UNROLLED {
      if (some == lanes) return x.store_unaligned(p + c);
      alignas(64) float v[static_cast<size_t>(lanes)];
      x.store_unaligned(v);
      for (i64 i = 0; i < some; ++i) p[c + i] = v[i];
    };
    batch half[static_cast<size_t>(Out * In)];
    for (i64 l = 0; l < In; ++l) {
      batch x[In], y[Out];
      const float* column = t.from + l * t.from_across;
      each_of<In>([&](auto k) TENON_UNROLLED {
        x[k.value] = k.value < t.rows && l < t.columns ? get(column + k.value * t.from_down) : batch(0.f);
      });
      transformed<In, Out>(x, y, t.matrix);
      each_of<Out>([&](auto i) TENON_UNROLLED { half[i.value * In + l] = y[i.value]; });
    }
    const batch plus = t.bias ? get(t.bias) : batch(0.f);
    for (i64 i = 0; i < t.rows_made; ++i) {
      batch y[Out];
      transformed<In, Out>(half + i * In, y, t.matrix);
      each_of<Out>([&](auto j) TENON_UNROLLED {
        if (j.value >= t.columns_made) return;
        put(t.to + i * t.to_down + j.value * t.to_across, t.bias ? y[j.value] + plus : y[j.value]);
      });
    }
  }
  static void tile(const tile_block& t) {
    const auto all = [&](auto at) TENON_UNROLLED {
      for (i64 c = 0; c < t.count; c += lanes) at(t, c, t.count - c < lanes ? t.count - c : lanes);
    };
    if (t.inputs == 6) t.outputs == 6 ? all(&tile_at<6, 6>) : all(&tile_at<6, 4>);
    else t.outputs == 4 ? all(&tile_at<4, 4>) : all(&tile_at<4, 2>);
  }
};

}  // namespace tenon::xsimd_kernels
