/// @file vectors: vectors of floats of one processor, and how they are read, for targets/xsimd/kernels.hpp.
#pragma once

#include <xsimd/xsimd.hpp>

#include <tenon/targets/xsimd/kernel_table.hpp>

namespace tenon::xsimd_kernels {

template <class Arch>
struct vectors_of {
  using batch = ::xsimd::batch<float, Arch>;
  static constexpr i64 lanes = static_cast<i64>(batch::size);

  static batch load(const float* p) { return batch::load_unaligned(p); }
  /// The first n lanes; the others are 0.
  static batch load_some(const float* p, i64 n) {
    alignas(64) float v[static_cast<size_t>(lanes)] = {};
    for (i64 i = 0; i < n; ++i) v[i] = p[i];
    return load(v);
  }
};

}  // namespace tenon::xsimd_kernels
