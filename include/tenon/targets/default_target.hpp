/// @file default_target: the target that the command line and the C API use when none is named.
#pragma once

namespace tenon {

/// Native code where it was built in, else vectorized kernels.
inline constexpr const char* default_target =
#if TENON_HAS_LLVM
    "cpu";
#elif __has_include(<xsimd/xsimd.hpp>)
    "xsimd";
#else
    "interpreter";
#endif

}  // namespace tenon
