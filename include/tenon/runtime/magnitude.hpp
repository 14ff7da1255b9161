/// @file magnitude: how large the elements of a tensor are.
#pragma once

#include <tenon/core/dtype.hpp>

namespace tenon {

/// The greatest absolute value of so many elements of f64, f32, f16 or bf16, at any address: infinity where one is
/// infinite or NaN, 0 where there are none. At the speed of memory.
double greatest_magnitude(dtype type, const void* elements, i64 count);

}  // namespace tenon
