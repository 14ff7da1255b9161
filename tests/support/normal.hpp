/// @file normal: tensors of normally distributed numbers, as weights and activations are.
#pragma once

#include <random>
#include <utility>
#include <vector>

#include <tenon/runtime/tensor.hpp>

namespace tenon::testing {

inline tensor normal(std::vector<i64> shape, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> next;
  tensor t(dtype::f32, std::move(shape));
  for (float& v : t.data<float>()) v = next(random);
  return t;
}

}  // namespace tenon::testing
