/// @file calls_inlined: no graph function calls another one.
#pragma once

#include <tenon/fact.hpp>
#include <tenon/ops/fwd.hpp>

namespace tenon::fact {

struct calls_inlined {
  static constexpr fixed_string name = "calls_inlined";
  using absent_ops = ops<op::call>;
};

}  // namespace tenon::fact
