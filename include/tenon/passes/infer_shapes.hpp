/// @file infer_shapes: runs the type rules of all ops again, with what is known of their operands by now.
///
/// Before: %y = add(%x: f32[2,3], %x) : f32[?,3]       After: … : f32[2,3]
/// Calls get what their callee's body gives. Nothing but types changes. Cost: O(ops). Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/shapes_known.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>

namespace tenon {
namespace passes {

struct infer_shapes {
  static constexpr fixed_string name = "infer_shapes";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using gives = facts<fact::shapes_known>;
  using keeps = all_facts;
  using emits = ops<>;
  static constexpr bool changes_functions = true;  // their results get the types that their bodies give
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace passes

template <>
struct givers_of<fact::shapes_known> {
  using type = pass_list<passes::infer_shapes>;
};

}  // namespace tenon
