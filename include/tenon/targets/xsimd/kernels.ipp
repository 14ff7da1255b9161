/// @file kernels.ipp: the kernels of a program that is compiled for one instruction set; tenon::compiled chooses when
/// it runs.
#pragma once

#include <tenon/targets/xsimd/kernels.hpp>

namespace tenon::xsimd_kernels {

const kernel_table& kernels() { return kernels_for<widest_arch>::table; }

}  // namespace tenon::xsimd_kernels
