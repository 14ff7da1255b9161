/// @file kernel_options: what kernels are made for; a target sets it in the context.
#pragma once

#include <string_view>

#include <tenon/ir/bounds_checks.hpp>

namespace tenon::passes {

struct kernel_options {
  const char* target = "cpu";  ///< the target's name, for functions that are not constrained to another
  int vector_bytes = 64;       ///< width of a vector register: 64, 32 or 16
  int threads = 1;             ///< threads that parallel loops are cut for
  bounds_checks check_bounds = bounds_checks::untrusted;
  bool strict = false;   ///< functions are computed as libm does
  bool winograd = true;  ///< convolutions may be computed by transformed tiles (passes/use_winograd.hpp)

  /// What options of a constraint make of those of the program; null: the target has no options of single functions.
  kernel_options (*constrained)(const kernel_options& program, std::string_view constraint) = nullptr;
  /// Those of a function, by its constraint: `cpu:threads=1`.
  kernel_options of(std::string_view constraint) const {
    return constrained == nullptr || constraint.find(':') == constraint.npos ? *this : constrained(*this, constraint);
  }
};

}  // namespace tenon::passes
