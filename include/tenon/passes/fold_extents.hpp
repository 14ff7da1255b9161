/// @file fold_extents: small lists of integers that follow from the inputs' extents are said as such.
///
/// Before: %s = shape_of(%x: f32[batch,3,n])          After: %t = extents_of() {values = ["batch", "3*n"]}
///         %b = gather(%s, 0), %n = gather(%s, 2) …           %y = reshape(%x, %t)
///         %t = concat(%b, %m)
///         %y = reshape(%x, %t)
/// A list of numbers becomes a constant. What computed the list is left for eliminate_dead. Values are read by
/// ops/graph/symbolic_values.hpp. Cost: O(ops * length of the chains). Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon {
namespace passes {

struct fold_extents {
  static constexpr fixed_string name = "fold_extents";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known>;
  using gives = facts<fact::extents_folded>;
  using keeps = meta::concat_t<facts_of_extents, facts<fact::channels_last>>;  // extents_of is said on the host
  using emits = ops<op::extents_of, op::constant>;
  using deletes = effects<>;
  using leaves = side_effects;
  using not_between = while_grouped;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace passes

template <>
struct givers_of<fact::extents_folded> {
  using type = pass_list<passes::fold_extents>;
};

}  // namespace tenon
