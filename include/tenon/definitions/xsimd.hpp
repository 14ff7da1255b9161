/// @file xsimd: all definitions, with the target xsimd for the instruction set that the compiler is told to use; needs
/// xsimd.
#pragma once

#include <tenon/definitions.hpp>

#if !__has_include(<tenon_definitions_are_linked>)
#  include <tenon/definitions/parts/xsimd.hpp>
#  include <tenon/targets/xsimd/kernels.ipp>
#endif
