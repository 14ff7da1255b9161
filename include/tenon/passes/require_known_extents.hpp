/// @file require_known_extents: stops, with the op and its location, where a shape depends on more than inputs'
/// extents.
///
/// The module is left as it is. Errors: "passes.dynamic_shape". Cost: O(ops).
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/extents_folded.hpp>
#include <tenon/facts/extents_known.hpp>
#include <tenon/facts/shapes_known.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>

namespace tenon {
namespace passes {

struct require_known_extents {
  static constexpr fixed_string name = "require_known_extents";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known, fact::extents_folded>;
  using gives = facts<fact::extents_known>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace passes

template <>
struct givers_of<fact::extents_known> {
  using type = pass_list<passes::require_known_extents>;
};

}  // namespace tenon
