/// @file outline_regions: splits graph functions into native regions and what the host runs between them.
///
/// Before: main(%x) { %a = exp(%x); %n = non_zero(%a); %b = neg(%n); return %b }
/// After:  main(%x) { %a = call(%x) {callee = @main.0}; %n = non_zero(%a); %b = call(%n) {callee = @main.1}; … }
///         main.0(%x) { %a = exp(%x); return %a } for the target, and main.1 alike
/// A region is as large as the order allows: it ends where a result of the host is needed that needs the region. Shape
/// arithmetic goes into each region that uses it, so that reshapes are static once the operands' shapes are known;
/// views and few numbers that no region computes stay on the host. The bodies of control flow are split in the same
/// way. A region of an earlier run that is not native any more (folded extents are said on the host) is taken back
/// first. Cost: O(ops · regions).
#pragma once

#include <string>

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon {
namespace passes {

struct outline_regions {
  static constexpr fixed_string name = "outline_regions";
  using runs_in = phases::optimization;
  using not_between = while_grouped;
  using needs = facts<fact::shapes_known>;
  using gives = facts<fact::regions_outlined>;
  using keeps = graph_facts_of_new_functions;
  using emits = meta::concat_t<graph_ops, ops<op::call, op::return_>>;
  using moves = effects<>;
  using recomputes = effects<>;  // shape arithmetic, in each region that uses it
  using leaves = side_effects;   // with the host, in their order
  static constexpr bool adds_functions = true, removes_functions = true;
  std::string target = "cpu";  ///< of the regions' functions
  TENON_ATTRIBUTES(target)
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace passes

template <>
struct givers_of<fact::regions_outlined> {
  using type = pass_list<passes::outline_regions>;
};

}  // namespace tenon
