/// @file verify: is a module well-formed, and does it hold what its phase promises?
///
/// SSA (values are defined once and before use, use lists are consistent), operand, result and region counts,
/// terminators, types of region arguments and results (type rules are run again), references to functions and
/// constants, accesses that fit their buffers and do not surely reach past them (ir/bounds.hpp), functions that say
/// that they are pure and are (ir/purity.hpp); with rules also: only ops of the phase, its invariants, functions ahead
/// of the module in phases where they may be ("tenon-E033"), and calls across phases that are allowed ("tenon-E032").
/// Error: "ir.verify", which names function, op and location. Cost: O(ops), and a copy of the module for type rules.
#pragma once

#include <tenon/ir/module.hpp>
#include <tenon/judge/calls.hpp>
#include <tenon/judge/op_set.hpp>

namespace tenon::ir {

/// What a phase promises of functions that are in it, whether their module is there or not.
struct phase_rules {
  std::string_view name;
  op_set early;                             ///< what they may hold when it is not
  std::span<const std::string_view> calls;  ///< the phases whose functions they may call
};

/// What a phase promises.
struct verify_rules {
  std::string_view phase = {};
  op_set ops = {};                           ///< the ops that may exist in functions of this phase; empty: any
  op_set added = {};                         ///< and those that an extension of the phase adds
  std::span<const phase_rules> within = {};  ///< this phase, and those that other functions may be in
  bool type_rules = true;                    ///< false: each op was held against its own when it was made
};

namespace detail {
template <class... Ps>
struct call_row {
  std::string_view names[sizeof...(Ps)];
  size_t count = 0;
  template <class Caller>
  static constexpr call_row of() {
    call_row r{};
    const bool may[] = {callable_across<Caller, Ps>...};
    const label all[] = {tenon::detail::phase_name<Ps>()...};
    for (size_t i = 0; i < sizeof...(Ps); ++i)
      if (may[i]) r.names[r.count++] = all[i];
    return r;
  }
};
template <class List>
struct call_table;
template <class... Ps>
struct call_table<phase_list<Ps...>> {
  template <class P>
  static constexpr call_row<Ps...> row = call_row<Ps...>::template of<P>();
  static constexpr phase_rules rules[] = {
      {tenon::detail::phase_name<Ps>(), op_set_of<early_ops_t<Ps>>, {row<Ps>.names, row<Ps>.count}}...};
};
}  // namespace detail

/// The rules of a phase; its ops may be only declared. `More`: phases that functions may be in besides those that it
/// calls into.
template <class Phase, class More = phase_list<>>
verify_rules rules_of() {
  return {std::string_view(Phase::name.data(), Phase::name.size()),
          op_set_of<typename Phase::op_list>,
          {},
          detail::call_table<phases_within<Phase, More>>::rules};
}

void verify(const module& m, const verify_rules& rules = {});
template <class Phase>
void verify(const module& m) {
  verify(m, rules_of<Phase>());
}

/// Proves an op-set fact: none of the ops is left in functions of the module's phase. Error: "fact.<name>", which names
/// function, op and location. O(ops).
void verify_absent(const module& m, std::string_view fact, const op_set& absent);

/// The functions of the module's phase that a checker does not throw for. Cost: of the checker, each.
std::vector<function_id> functions_where(const module& m, void (*check)(const module&, function_id));

/// What an op's type rule says against its result types; empty if nothing. Interns types; throws what the rule throws.
std::string type_rule_problem(module& m, op_id op);

}  // namespace tenon::ir
