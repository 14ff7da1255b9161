// The kernels for what every processor of this family has, and the choice when the program runs.
//
// xsimd's own dispatch asks CPUID only; __builtin_cpu_supports also asks whether the operating system keeps the
// registers.
#include <cstdlib>
#include <string_view>

#include <tenon/targets/xsimd/kernels.hpp>

namespace tenon::xsimd_kernels {

#if defined(__x86_64__)
const kernel_table& kernels_avx512();
const kernel_table& kernels_avx2();
#endif

const kernel_table& kernels() {
  static const kernel_table& best = []() -> const kernel_table& {
#if defined(__x86_64__)
    // TENON_XSIMD=avx2 or sse2 asks for less than there is: for tests, and for comparing.
    const char* asked = std::getenv("TENON_XSIMD");
    const std::string_view most = asked ? asked : "avx512";
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    if (avx512 && most != "avx2" && most != "sse2") return kernels_avx512();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && most != "sse2") return kernels_avx2();
#endif
    return kernels_for<widest_arch>::table;
  }();
  return best;
}

}  // namespace tenon::xsimd_kernels
