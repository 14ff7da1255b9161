/// @file pure_calls_unwrapped: no call says of a function of the host that it is pure: all are `call_packed`.
#pragma once

#include <tenon/fact.hpp>
#include <tenon/ops/fwd.hpp>

namespace tenon::fact {

struct pure_calls_unwrapped {
  static constexpr fixed_string name = "pure_calls_unwrapped";
  using absent_ops = ops<op::call_pure_packed>;
};

}  // namespace tenon::fact
