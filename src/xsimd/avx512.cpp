// The kernels for AVX-512 (F, CD, DQ, BW). Compiled for it: see cmake/tenon_libraries.cmake.
#include <tenon/targets/xsimd/kernels.hpp>

namespace tenon::xsimd_kernels {

const kernel_table& kernels_avx512() { return kernels_for<::xsimd::avx512f>::table; }

}  // namespace tenon::xsimd_kernels
