/// @file simplify: algebraic identities, and movements that cancel out.
///
/// Before → after (c: a constant):
///   add(x, 0), sub(x, 0), mul(x, 1), div(x, 1), pow(x, 1), maximum(x, -inf), minimum(x, inf), and(x, true) → x
///   neg(neg(x)), not(not(x)) → x        abs(abs(x)), floor(floor(x)) and their like → abs(x)
///   where(const true, a, b) → a        sub(x, c) → add(x, -c)
///   div(x, c) → mul(x, 1/c) for powers of two       add(add(x, c), d) → add(x, c + d), and mul, for numbers that pull
///                                                   the same way (so that rounding stays what it was, nearly)
///   pow(x, 2) → mul(x, x), and 3, for floats
///   reshape(reshape(x)) → reshape(x)      transpose(transpose(x)) → transpose(x)      cast(cast(x)) → cast(x) if exact
///   reshapes, transposes, slices, expands, tiles, pads, casts that change nothing, concat of one → x
///   a transpose that moves only extents of 1 → reshape      add(expand(x), y) → add(x, y) where that broadcasts alike
/// Repeated until nothing changes. Cost: O(ops · rounds); rounds are few. Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/ops/simplified_ops.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct simplify {
  static constexpr fixed_string name = "simplify";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known>;
  using keeps = graph_facts;
  using emits = simplified_ops;
  using deletes = effects<>;
  using leaves = side_effects;
  using not_between = while_grouped;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes
