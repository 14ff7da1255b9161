/// @file random_tensor: inputs to try a program with.
#pragma once

#include <tenon/runtime/tensor.hpp>

namespace tenon {

/// The same numbers for the same seed, on every machine: floats in [-1, 1), integers in [0, 8), bools.
tensor random_tensor(dtype type, std::vector<i64> shape, u64 seed);

}  // namespace tenon
