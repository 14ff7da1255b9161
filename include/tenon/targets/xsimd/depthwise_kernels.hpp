/// @file depthwise_kernels: depthwise convolutions, for targets/xsimd/kernels.hpp.
#pragma once

#include <tenon/targets/xsimd/kernel_table.hpp>
#include <tenon/targets/xsimd/unrolled.hpp>
#include <tenon/targets/xsimd/vectors.hpp>

namespace tenon::xsimd_kernels {

template <class Arch>
struct depthwise_kernels : vectors_of<Arch> {
  using typename vectors_of<Arch>::batch;
  using vectors_of<Arch>::lanes, vectors_of<Arch>::load;

  /// What a kernel says of a vector of channels, as numbers of its own: stores of vectors may not change them.
  struct depthwise_line {
    const float *in, *weight;
    float* out;
    i64 channels, in_stride, out_stride;
    const i64* taps;
    i64 tap_count;
    batch bias;
  };
  /// N outputs, by single taps.
  template <int N>
  TENON_UNROLLED static void depthwise_taps(const depthwise_line& d) {
    batch sum[N];
    each_of<N>([&](auto i) TENON_UNROLLED { sum[i.value] = d.bias; });
    const float* weight = d.weight;
    for (i64 t = 0; t < d.tap_count; ++t, weight += d.channels) {
      const batch w = load(weight);
      const float* in = d.in + d.taps[t];
      each_of<N>([&](auto i) TENON_UNROLLED {
        sum[i.value] = ::xsimd::fma(load(in), w, sum[i.value]);
        in += d.in_stride;
      });
    }
    float* out = d.out;
    each_of<N>([&](auto i) TENON_UNROLLED {
      sum[i.value].store_unaligned(out);
      out += d.out_stride;
    });
  }
  /// N outputs, by runs of `Run` taps: a pixel is loaded once for all outputs that it is a tap of.
  template <int N, int Run, int Stride>
  TENON_UNROLLED static void depthwise_runs(const depthwise_line& d) {
    batch sum[N];
    each_of<N>([&](auto i) TENON_UNROLLED { sum[i.value] = d.bias; });
    const float* weight = d.weight;
    for (i64 t = 0; t < d.tap_count; t += Run) {
      batch w[Run];
      each_of<Run>([&](auto k) TENON_UNROLLED {
        w[k.value] = load(weight);
        weight += d.channels;
      });
      const float* in = d.in + d.taps[t];
      each_of<(N - 1) * Stride + Run>([&](auto p) TENON_UNROLLED {
        const batch x = load(in);
        in += d.channels;
        each_of<N>([&](auto i) TENON_UNROLLED {
          constexpr int k = decltype(p)::value - decltype(i)::value * Stride;
          if constexpr (k >= 0 && k < Run) sum[i.value] = ::xsimd::fma(x, w[k], sum[i.value]);
        });
      });
    }
    float* out = d.out;
    each_of<N>([&](auto i) TENON_UNROLLED {
      sum[i.value].store_unaligned(out);
      out += d.out_stride;
    });
  }
  template <int Run, int Stride>
  static void depthwise_at(const depthwise_block& d, i64 c) {
    depthwise_line l{d.in + c,   d.weight + c, d.out + c,
                     d.channels, d.in_stride,  d.out_stride,
                     d.taps,     d.tap_count,  d.bias ? load(d.bias + c) : batch(0.f)};
    i64 left = d.count;
    const auto some = [&](auto n) TENON_UNROLLED {
      constexpr int N = decltype(n)::value;
      for (; left >= N; left -= N) {
        if constexpr (Run > 1 && N > 1) depthwise_runs<N, Run, Stride>(l);
        else depthwise_taps<N>(l);
        l.in += N * l.in_stride, l.out += N * l.out_stride;
      }
    };
    some(number<8>{}), some(number<4>{}), some(number<2>{}), some(number<1>{});
  }
  static void depthwise(const depthwise_block& d) {
    // A line of outputs for each vector of channels: its weights and a vector of each pixel stay in the first cache.
    const bool next = d.in_stride == d.channels, second = d.in_stride == 2 * d.channels;
    const auto line = d.run == 3 && next     ? &depthwise_at<3, 1>
                      : d.run == 3 && second ? &depthwise_at<3, 2>
                      : d.run == 5 && next   ? &depthwise_at<5, 1>
                      : d.run == 5 && second ? &depthwise_at<5, 2>
                                             : &depthwise_at<1, 1>;
    if (d.channels >= lanes) {
      // The last vector begins earlier when there is no whole one left: some channels are computed twice.
      for (i64 c = 0; c + lanes <= d.channels; c += lanes) line(d, c);
      if (d.channels % lanes != 0) line(d, d.channels - lanes);
      return;
    }
    for (i64 c = 0; c < d.channels; ++c)
      for (i64 p = 0; p < d.count; ++p) {
        float sum = d.bias ? d.bias[c] : 0.f;
        for (i64 t = 0; t < d.tap_count; ++t)
          sum += d.in[p * d.in_stride + d.taps[t] + c] * d.weight[t * d.channels + c];
        d.out[p * d.out_stride + c] = sum;
      }
  }
};

}  // namespace tenon::xsimd_kernels
