/// @file legalize_ops: every graph op becomes a call of a kernel made of loop nests.
///
/// Before: %3 = add(%1, %2)          After: %3 = call_kernel(%1, %2) {kernel = @add}, and
///                                          kernel @add(%a, %b, %out) { loop.for … loop.store … }
/// A `fused` group becomes one kernel. Equal ops share a kernel; reshapes become views; constants stay.
/// Cost: O(ops · size of their kernels). Types must be static.
#pragma once

#include <tenon/context.hpp>
#include <tenon/facts/ops_legalized.hpp>
#include <tenon/facts/static_shapes.hpp>
#include <tenon/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/phases.hpp>

namespace tenon::passes {

struct legalize_ops {
  static constexpr fixed_string name = "legalize_ops";
  using runs_in = phases::optimization;
  using needs = facts<fact::static_shapes>;
  using gives = facts<fact::ops_legalized>;
  using keeps = all_facts;
  using eliminates = tenon::legalizable_ops;
  using handles = tenon::legalizable_ops;  // the table of passes/lowering_table.hpp, complete or not compiled
  using emits = meta::concat_t<ops<op::call_kernel, op::view, op::return_>, loop_ops>;
  TENON_INLINE void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes

#if TENON_HEADER_ONLY
#  include <tenon/passes/legalize_ops.ipp>
#endif
