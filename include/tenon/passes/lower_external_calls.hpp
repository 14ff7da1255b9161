/// @file lower_external_calls: native code calls what external code generators made.
///
/// Before: %2 = call_external(%x) {symbol = "my_library_0", format = "my_format"}     artifact my_library_0 : my_format
/// After:  %2 = call_kernel(%x) {kernel = @my_library_0}                              artifact my_library_0 : my_format
/// The kernel is the artifact (ir/artifact_calls.hpp): it goes the way of other kernels' calls, through destination
/// passing and the memory plan to a call with buffers where they are. Errors: "external.no_artifact", "external.name".
/// Cost: O(ops).
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct lower_external_calls {
  static constexpr fixed_string name = "lower_external_calls";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = graph_facts;
  using eliminates = ops<op::call_external>;
  using handles = ops<op::call_external>;
  using emits = ops<op::call_kernel>;
  using leaves = side_effects;
  using not_after = legalize_ops;  // which has no kernels for such calls
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes

template <>
struct tenon::eliminators_of<tenon::op::call_external> {
  using type = tenon::pass_list<tenon::passes::lower_external_calls>;
};
