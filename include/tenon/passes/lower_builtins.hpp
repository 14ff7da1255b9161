/// @file lower_builtins: storage becomes explicit: arena slots and direct calls.
///
/// Before: %1 = alloc {offset = 64}; call_dps(%x, %1) {kernel = @k}
/// After:  %1 = slot {offset = 64};  call_native(%x, %1) {kernel = @k}
/// Functions without a target constraint get the target that is compiled for. Errors: "target.elsewhere",
/// "fact.memory_planned".
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/memory_planned.hpp>
#include <tenon/facts/regions_outlined.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct lower_builtins {
  static constexpr fixed_string name = "lower_builtins";
  using from = phases::lowering;
  using to = phases::build;
  using needs = facts<fact::memory_planned>;
  // They speak of allocations, of which none are left, and of the functions with a target, which all have from here on.
  using breaks = facts<fact::memory_planned, fact::regions_outlined>;
  using eliminates = ops<op::alloc, op::call_dps>;
  using handles = ops<op::alloc, op::call_dps>;
  using emits = ops<op::slot, op::call_native>;
  static constexpr bool changes_functions = true;  // they get a target
  ir_module<to> run(ir_module<from>&& m, context& cx) const;
};

}  // namespace tenon::passes

template <>
struct tenon::ways_into<tenon::phases::build> {
  using type = pass_list<passes::lower_builtins>;
};
