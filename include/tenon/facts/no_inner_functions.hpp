/// @file no_inner_functions: no closures: every function is a top-level one.
#pragma once

#include <tenon/fact.hpp>
#include <tenon/ops/fwd.hpp>

namespace tenon::fact {

struct no_inner_functions {
  static constexpr fixed_string name = "no_inner_functions";
  using absent_ops = front_end_ops;
};

}  // namespace tenon::fact
