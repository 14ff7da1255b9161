// The kernels for AVX2 with FMA. Compiled for it: see cmake/tenon_libraries.cmake.
#include <tenon/targets/xsimd/kernels.hpp>

namespace tenon::xsimd_kernels {

const kernel_table& kernels_avx2() { return kernels_for<::xsimd::fma3<::xsimd::avx2>>::table; }

}  // namespace tenon::xsimd_kernels
