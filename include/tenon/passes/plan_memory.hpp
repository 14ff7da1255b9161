/// @file plan_memory: gives every buffer a place in one arena.
///
/// Before: %1 = alloc                After: %1 = alloc {offset = 4096}
/// Two buffers share bytes when their lives do not meet; a result takes the place of an operand that dies in the call
/// when the kernel reads it only where it writes (`in_place`). Largest first, lowest offset that is free (the
/// "greedy by size" of Pisarchyk and Lee, arXiv:2001.03288). Cost: O(buffers²) in the worst case.
/// The arena's size is `build.memory.arena()` of the module. Buffers of another memory space have places of their own
/// there
/// (`arena_bytes.scratchpad`). Errors, by what the context's `device_memory` says: "plan_memory.capacity" if they need
/// more than a space holds, and "plan_memory.space" if the device has no such space; both name space and function.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/loops_scheduled.hpp>
#include <tenon/facts/memory_planned.hpp>
#include <tenon/facts/static_shapes.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/targets/device.hpp>

namespace tenon::passes {

struct plan_memory {
  static constexpr fixed_string name = "plan_memory";
  using runs_in = phases::lowering;
  using needs = facts<>;
  using gives = facts<fact::memory_planned>;
  // What others say of storage ("no two buffers are one", "accesses are ordered") it has never heard of.
  using keeps = facts<fact::loops_scheduled, fact::static_shapes>;
  using emits = ops<>;
  using merges = effects<effect::allocates>;  // buffers whose lives do not meet share storage
  using keeps_inside = merges;                // those within regions are not its business
  using looks_through = any_ops;
  using leaves = effects<effect::random, effect::reads, effect::writes>;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes

template <>
struct tenon::givers_of<tenon::fact::memory_planned> {
  using type = tenon::pass_list<tenon::passes::plan_memory>;
};
