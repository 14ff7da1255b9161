/// @file legalize_ops: every graph op becomes a call of a kernel made of loop nests.
///
/// Before: %3 = add(%1, %2)          After: %3 = call_kernel(%1, %2) {kernel = @add}, and
///                                          kernel @add(%a, %b, %out) phase(lowering) { loop.for … loop.store … }
/// A `fused` group becomes one kernel. Equal ops share a kernel; reshapes become views; constants stay.
/// An op that a user adds goes through with `lower_with<legalize_ops, Op> : native_form<Op>` (lowering_table.hpp).
/// Cost: O(ops · size of their kernels). Extents are numbers, or symbols that a run has values for.
#pragma once

#include <optional>

#include <tenon/compile/context.hpp>
#include <tenon/facts/extents_known.hpp>
#include <tenon/facts/ops_legalized.hpp>
#include <tenon/facts/regions_outlined.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::ir {
struct obstacle;  // ir/obstacle.hpp
}  // namespace tenon::ir

namespace tenon::passes {

struct legalize_ops {
  static constexpr fixed_string name = "legalize_ops";
  using runs_in = phases::optimization;
  using needs = facts<fact::extents_known>;
  using gives = facts<fact::ops_legalized>;
  using breaks = facts<fact::regions_outlined>;  // that speaks of ops which become kernels, and these are
  // The table of passes/lowering_table.hpp, complete or not compiled; of what the host runs, static_shapes says that
  // none is there, and passes::outline_regions is for modules with some.
  using eliminates = fact::ops_legalized::absent_ops;
  using handles = eliminates;
  using emits = ops<op::call_kernel, op::view>;
  using recomputes = effects<>;  // a fused op, for each element that is read
  using deletes = effects<>;     // lists of extents that nobody needs any more
  using leaves = side_effects;
  using makes_functions_in = phases::lowering;  // the kernels
  void run(ir_module<runs_in>& m, context& cx) const;
  /// The first op that cannot become a kernel: the host runs it, or there are no loop nests for these operands. Kernels
  /// are tried on a copy, one for each op: as much work as the pass has.
  static std::optional<ir::obstacle> obstacle(const ir::module& m, const context& cx);
};

}  // namespace tenon::passes

template <class Op>
  requires(tenon::legalizable_ops::contains<Op>)
struct tenon::eliminators_of<Op> {
  using type = tenon::pass_list<tenon::passes::legalize_ops>;
};
template <>
struct tenon::givers_of<tenon::fact::ops_legalized> {
  using type = tenon::pass_list<tenon::passes::legalize_ops>;
};
