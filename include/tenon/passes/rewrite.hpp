/// @file rewrite: a pass that is made of rules.
///
///     struct tidy : passes::rewrite<phases::optimization, square, cube> {
///       static constexpr fixed_string name = "tidy";
///       using keeps = passes::graph_facts;
///     };
///
/// What it emits and works on follows from the rules (ops/rewrite_rule.hpp). They are applied until none fits: rules
/// that undo each other are an error ("rewrite.no_end"). Cost: O(ops * rules * rounds).
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/rewrite_rule.hpp>
#include <tenon/pass.hpp>

namespace tenon::passes {

/// Calls `one(op)` for each op of the module's graphs that has one result, which is used, until it answers false for
/// all. (What nothing uses is left to eliminate_dead: to rewrite it would go on for ever.) Error: "rewrite.no_end".
template <class F>
void rewrite_until_done(ir::module& m, std::string_view who, F&& one) {
  constexpr int most_rounds = 10000;  // each round goes through all ops: rules that end need a few
  for (int round = 0;; ++round) {
    bool changed = false;
    std::string last;
    ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
      if (m.view(op).result_count() != 1 || !m.has_uses(m.result(op))) return;
      const std::string_view name = m.view(op).name();
      if (one(op)) changed = true, last = name;
    });
    if (!changed) return;
    if (round == most_rounds)
      throw error(
          "rewrite.no_end",
          "'" + std::string(who) + "' still replaces '" + last + "' after " + std::to_string(most_rounds) + " rounds",
          {}, "look for rules that undo each other");
  }
}

template <class Phase, class... Rules>
struct rewrite {
  using rules = rewrite_rules<Rules...>;
  using runs_in = Phase;
  using needs = facts<>;
  using emits = typename rules::emits;
  using works_on = typename rules::roots;
  static constexpr bool may_find_nothing = true;
  using deletes = effects<>;
  using leaves = side_effects;

  void run(ir_module<Phase>& module, context&) const {
    rewriter<emits> r(module.body());
    rewrite_until_done(module.body(), "rewrite", [&](op_id op) { return rules::apply(r, op); });
    ir::refine_types(module.body());
  }
};

}  // namespace tenon::passes
