/// @file compare: are two tensors equal up to a stated tolerance?
///
/// Floats: each element within abs + rel·|want|, and the whole within norm·‖want‖ (Euclidean, over finite elements).
/// NaN equals NaN, an infinity equals itself. Integers and bools are compared exactly.
#pragma once

#include <string>

#include <tenon/runtime/tensor.hpp>

namespace tenon {

struct tolerance {
  double abs = 1e-4, rel = 1e-3, norm = 1e-3;
  bool check_norm = true;  // false: elements only, the rule of the ONNX backend tests
};

struct comparison {
  bool ok = false;
  double max_abs_error = 0;  // infinity where only one side is NaN or infinite
  i64 index = -1;            // where that is, as a linear index; -1 when all elements are equal
  i64 bad_elements = 0;      // how many are outside the tolerance
  double norm_ratio = 0;     // ‖got − want‖ / ‖want‖; 0 when equal, infinity when only `want` is zero
  std::string message;       // what differs, in a sentence; empty when ok

  explicit operator bool() const { return ok; }
};

comparison compare(const tensor& got, const tensor& want, const tolerance& t = {});

/// "[1,0,3]": the position of a linear index.
std::string position_text(std::span<const i64> shape, i64 index);

}  // namespace tenon
