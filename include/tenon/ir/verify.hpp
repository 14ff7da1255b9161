/// @file verify: is a module well-formed, and does it hold what its phase promises?
///
/// SSA (values are defined once and before use, use lists are consistent), operand, result and region counts,
/// terminators, types of region arguments and results (type rules are run again), references to functions and
/// constants, accesses that fit their buffers; with rules also: only ops of the phase, and its invariants.
/// Error: "ir.verify", which names function, op and location. Cost: O(ops), and a copy of the module for type rules.
#pragma once

#include <tenon/ir/module.hpp>
#include <tenon/ir/op_table.hpp>

namespace tenon::ir {

/// What a phase promises.
struct verify_rules {
  std::string_view phase;
  std::span<const op_info* const> ops;  ///< the ops that may exist; empty: any
};

/// The rules of a phase; its ops must be complete.
template <class Phase>
verify_rules rules_of() {
  return {std::string_view(Phase::name.data(), Phase::name.size()), op_table_of<typename Phase::op_list>()};
}

void verify(const module& m, const verify_rules& rules = {});
template <class Phase>
void verify(const module& m) {
  verify(m, rules_of<Phase>());
}

/// What an op's type rule says against its result types; empty if nothing. Interns types; throws what the rule throws.
std::string type_rule_problem(module& m, op_id op);

}  // namespace tenon::ir

#if TENON_HEADER_ONLY
#  include <tenon/ir/verify.ipp>
#endif
