/// @file require_static_shapes: stops, with the op and its location, where a shape is known only when the program runs.
///
/// The module is left as it is. Errors: "passes.dynamic_shape". Cost: O(ops).
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/extents_known.hpp>
#include <tenon/facts/shapes_known.hpp>
#include <tenon/facts/static_shapes.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>

namespace tenon {
namespace passes {

struct require_static_shapes {
  static constexpr fixed_string name = "require_static_shapes";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known>;
  using gives = facts<fact::static_shapes, fact::extents_known>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace passes

template <>
struct givers_of<fact::static_shapes> {
  using type = pass_list<passes::require_static_shapes>;
};

}  // namespace tenon
