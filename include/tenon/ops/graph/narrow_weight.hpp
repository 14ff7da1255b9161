/// @file narrow_weight: weights of fewer bits than the image that products multiply them with.
#pragma once

#include <tenon/core/dtype.hpp>

namespace tenon::op {

/// May a matmul, conv or conv_transpose of f32 have a weight of this type? It stands for the numbers that it holds:
/// memory has it so, registers have it as f32 (passes/narrow_weights.hpp).
constexpr bool is_narrow_weight(dtype image, dtype weight) {
  return image == dtype::f32 && (weight == dtype::f16 || weight == dtype::bf16 || weight == dtype::i8);
}

}  // namespace tenon::op
