/// @file lift_lambdas: inner functions become top-level ones, or part of their only caller: the way into
/// `optimization`.
///
/// Before: %f = closure(%c) ({ (%c2, %a): yield add(%a, %c2) }); %1 = call_closure(%f, %x); %2 = call_closure(%f, %1)
/// After:  main_lambda(%c2, %a) { return add(%a, %c2) };        %1 = call(%c, %x) {callee = @main_lambda}; …
/// What a body uses from around it (its captures) becomes leading operands. A closure that is called once, or that gets
/// or gives functions, is copied to its calls instead. Errors: "passes.lift_lambdas" for a closure that is called where
/// nobody knows which one it is. Cost: O(ops), and the copies.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/no_inner_functions.hpp>
#include <tenon/facts/shapes_known.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>

namespace tenon {
namespace passes {

struct lift_lambdas {
  static constexpr fixed_string name = "lift_lambdas";
  using from = phases::ingestion;
  using to = phases::optimization;
  using needs = facts<>;
  using gives = facts<fact::no_inner_functions>;
  using keeps =
      facts<>;  // bodies become functions, or are copied to their calls: others may know of functions and uses
  using emits = ops<op::call, op::return_>;
  using eliminates = front_end_ops;
  using handles = front_end_ops;
  using moves = side_effects;      // bodies to where they are called
  using keeps_inside = moves;      // whole regions go with them
  using duplicates = any_effects;  // where functions are values
  static constexpr bool adds_functions = true, removes_functions = true;
  ir_module<to> run(ir_module<from>&& m, context& cx) const;
};

}  // namespace passes

template <>
struct ways_into<phases::optimization> {
  using type = pass_list<passes::lift_lambdas>;
};
template <>
struct givers_of<fact::no_inner_functions> {
  using type = pass_list<passes::lift_lambdas>;
};

}  // namespace tenon
