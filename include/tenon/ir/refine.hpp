/// @file refine: runs the type rules of graph ops again, now that more is known of their operands.
///
/// Types only get more precise: an extent that is known stays known. An op whose rule now contradicts what was known is
/// an error ("ir.refine"). Ops without a rule keep their types, except for calls, fused groups and closures, whose
/// types follow from what they hold.
#pragma once

#include <tenon/ir/infer.hpp>

namespace tenon::ir {

/// Refines the result types of one op. True: something changed.
bool refine_op(module& m, op_id op);
/// Refines all graph functions in program order, callees first, and the result types they state. Cost: O(ops).
bool refine_types(module& m);
/// Takes all extents of a function's values as unknown but those of its arguments and constants, to be refined anew:
/// what is said of them, numbers too, may be owed to conditions. Ranks stay.
void forget_extents(module& m, function_id f);
/// The more precise of what two types say; throws "ir.refine" with `what` when they contradict each other.
type meet(const module& m, const type& now, const type& found, std::string_view what, location_id at);

}  // namespace tenon::ir
