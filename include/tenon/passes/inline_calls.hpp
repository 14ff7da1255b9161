/// @file inline_calls: every call of a graph function becomes a copy of its body, and dataflow regions end.
///
/// Before: f(%a) { return neg(%a) }   main(%x) { return call(%x) {callee = @f} }
/// After:  main(%x) { return neg(%x) }
/// Before: %1 = dataflow() ({ %2 = exp(%x); yield(%2) })        After: %1 = exp(%x)
/// Functions that no entry reaches any more are removed. Errors: "passes.recursion", "passes.no_function".
/// Cost: O(ops afterwards), which can be exponential in the depth of calls.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/calls_inlined.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/phases/all.hpp>

namespace tenon {
namespace passes {

struct inline_calls {
  static constexpr fixed_string name = "inline_calls";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using gives = facts<fact::calls_inlined>;
  // A body may be less precise than its caller's operands, and speaks of extents by names of its own.
  using keeps = facts<fact::static_shapes, fact::regions_outlined, fact::purity_said>;
  using emits = ops<>;
  using eliminates = ops<op::call, op::dataflow>;
  using handles = eliminates;
  using moves = side_effects;      // bodies to where they are called
  using keeps_inside = moves;      // whole regions go with them
  using duplicates = any_effects;  // one for each call
  static constexpr bool removes_functions = true;
  static constexpr bool changes_functions = true;  // who takes in a body that is forced pure is so itself
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace passes

template <>
struct eliminators_of<op::call> {
  using type = pass_list<passes::inline_calls>;
};
template <>
struct eliminators_of<op::dataflow> {
  using type = pass_list<passes::inline_calls>;
};
template <>
struct givers_of<fact::calls_inlined> {
  using type = pass_list<passes::inline_calls>;
};

}  // namespace tenon
