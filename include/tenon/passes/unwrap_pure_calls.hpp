/// @file unwrap_pure_calls: calls of the host's functions that are said to be pure become plain ones.
///
/// Before: %1 = call_pure_packed(%x) {function = "f"}        After: %1 = call_packed(%x) {function = "f"}
/// From there they run as often as they stand there, in their order: behind the passes that delete, merge and move
/// ops. Functions that were pure and hold one say `forced_pure`. Cost: O(ops), times the depth of calls where callees
/// come first. Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/pure_calls_unwrapped.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/phases/all.hpp>

namespace tenon {
namespace passes {

struct unwrap_pure_calls {
  static constexpr fixed_string name = "unwrap_pure_calls";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using gives = facts<fact::pure_calls_unwrapped>;
  using keeps = graph_facts;
  using emits = ops<op::call_packed>;
  using eliminates = ops<op::call_pure_packed>;
  using handles = ops<op::call_pure_packed>;
  static constexpr bool changes_functions = true;  // some say `forced_pure`
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace passes

template <>
struct eliminators_of<op::call_pure_packed> {
  using type = pass_list<passes::unwrap_pure_calls>;
};
template <>
struct givers_of<fact::pure_calls_unwrapped> {
  using type = pass_list<passes::unwrap_pure_calls>;
};

}  // namespace tenon
