/// @file unrolled: lists of numbers at compile time, for loops of kernels that are written out. Nothing of the standard
/// library: targets/xsimd/kernels.hpp says why.
#pragma once

namespace tenon::xsimd_kernels {

template <int... I>
struct numbers {};
template <class T, T... I>
struct as_numbers {
  using type = numbers<static_cast<int>(I)...>;
};
#if defined(__clang__)
template <int N>
using count_to = typename __make_integer_seq<as_numbers, int, N>::type;
#else
template <int N>
using count_to = numbers<__integer_pack(N)...>;
#endif

#define TENON_UNROLLED __attribute__((always_inline))

template <int I>
struct number {
  static constexpr int value = I;
};
/// f(number<0>), f(number<1>) and so on, written out. `f` is of one instruction set, so this is, too.
template <int N, class F>
TENON_UNROLLED inline void each_of(F&& f) {
  const auto all = [&]<int... I>(numbers<I...>) TENON_UNROLLED { (f(number<I>{}), ...); };
  all(count_to<N>{});
}

}  // namespace tenon::xsimd_kernels
