/// @file fold_constants: computes ops whose operands are all constants, and takes constant operands into attributes.
///
/// Before: %3 = add(const 2, const 3)               After: %3 = const 5
///         %s = shape_of(%x: f32[2,3])                     %s = const [2, 3]
///         %y = reshape(%x, const [3, 2])                  %y = reshape(%x) {shape = [3, 2]}
/// Types become more precise on the way, so one run does a whole Shape → Gather → Concat → Reshape. An op is left alone
/// if its result has more bytes than its operands together and than `max_bytes`, or if its evaluation fails. Cost:
/// O(ops) and the evaluations. Idempotent.
#pragma once

#include <span>

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/ops/fwd.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon {
struct eval_entry;

namespace passes {

struct fold_constants {
  static constexpr fixed_string name = "fold_constants";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = graph_facts;
  using emits = ops<op::constant>;
  using deletes = effects<>;
  using leaves = side_effects;
  using not_between = while_grouped;
  i64 max_bytes = 1 << 16;
  TENON_ATTRIBUTES(max_bytes)
  /// Evaluations of ops that are not built in: `eval_table_of<ops<my_op>>()`.
  std::span<const eval_entry> evaluations{};
  void run(ir_module<runs_in>& m, context& cx) const;
};

/// May an op be evaluated before the program runs? Not what has effects, nor what the program's own functions give.
bool is_foldable(const ir::op_info& info);
/// Replaces the results of one op by constants if its operands are; the op itself is left, unused. True if it did.
bool fold_op(ir::module& m, op_id op, i64 max_bytes, std::span<const eval_entry> evaluations = {});
/// Erases an op whose results nobody uses, with what only it used: pure ops, and constants, whose memory is free then,
/// before `eliminate_dead` comes. Small constants are left to that pass: each search for other users costs O(ops).
void erase_unused(ir::module& m, op_id op);
/// Takes the constant operands of one op that can be attributes into the attributes. True if something changed.
bool absorb_constants(ir::module& m, op_id op);

}  // namespace passes
}  // namespace tenon
