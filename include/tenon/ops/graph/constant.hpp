/// @file constant: a tensor known at compile time, held by the module.
#pragma once

#include <tenon/op.hpp>

namespace tenon::op {

/// `%r = constant {value = #3}`: the module's constant number 3. Its type is that of the tensor.
struct constant {
  static constexpr fixed_string name = "constant";
  static constexpr op_traits traits{.max_operands = 0, .fusion = {.alone = true}};
  constant_id value;
  TENON_ATTRIBUTES(value)
};
void infer(const constant&, ir::infer_context&);

}  // namespace tenon::op
