/// @file bind_inputs: gives the entry's arguments the shapes, or the values, that a compilation is for.
///
/// Before: main(%x: f32[N,3]) { return add(%x, %x) : f32[N,3] }        shapes = {{2,3}}
/// After:  main(%x: f32[2,3]) { return add(%x, %x) : f32[2,3] }        N is 2 wherever it occurs
/// An argument that is given a value stays in the signature, and its uses become a constant.
/// Without an `input_binding` in the context nothing changes. Errors: "passes.bind_inputs". Cost: O(values).
#pragma once

#include <utility>
#include <vector>

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

/// Set in the context: `cx.set(passes::input_binding{.shapes = {{1, 3, 224, 224}}})`.
struct input_binding {
  /// By argument; an empty list leaves an argument as it is, and -1 leaves an extent as it is.
  std::vector<std::vector<i64>> shapes{};
  /// Argument numbers, and what they are.
  std::vector<std::pair<int, tensor>> values{};
  /// Which entry; empty: the first one.
  std::string function{};
};

/// Gives them to a module's entry, in whatever phase of graphs it is.
void bind(ir::module& m, const input_binding& given);

struct bind_inputs {
  static constexpr fixed_string name = "bind_inputs";
  using runs_in = phases::optimization;
  using needs = facts<>;
  // Not shapes_known, extents_folded, channels_last: more follows from more.
  using keeps = facts<fact::static_shapes, fact::extents_known, fact::regions_outlined>;
  using emits = ops<op::constant>;
  using not_between = after_kernels;
  static constexpr bool changes_functions = true;  // arguments get types
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes
