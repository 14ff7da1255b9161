/// @file kernel_options: what kernels are made for; a target sets it in the context.
#pragma once

#include <tenon/ir/bounds_checks.hpp>

namespace tenon::passes {

struct kernel_options {
  const char* target = "cpu";  ///< the target's name, for functions that are not constrained to another
  int vector_bytes = 64;       ///< width of a vector register: 64, 32 or 16
  int threads = 1;             ///< threads that parallel loops are cut for
  bounds_checks check_bounds = bounds_checks::untrusted;
};

}  // namespace tenon::passes
