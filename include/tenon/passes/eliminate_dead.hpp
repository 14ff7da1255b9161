/// @file eliminate_dead: removes ops without effects whose results nobody uses, and functions that no entry reaches.
///
/// Before: %1 = add(%x, %x); return %x          After: return %x
/// A call has the effects of its callee. If no function is an entry, all functions stay. Cost: O(ops). Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct eliminate_dead {
  static constexpr fixed_string name = "eliminate_dead";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  using deletes = effects<>;
  using leaves = side_effects;
  static constexpr bool removes_functions = true;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes
