/// @file graph_level: what targets begin with: one graph, simplified whatever is known of its shapes.
///
///     using pipeline = targets::graph_level::pipeline::edit<append<passes::eliminate_dead, my_passes...>>;
///
/// A target of your own that begins so shares these passes with the built-in ones in a composite, where they run once.
/// As a target it stops there: `build<targets::graph_level>(std::move(m))` is a graph in `optimization`.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/passes/bind_inputs.hpp>
#include <tenon/passes/eliminate_common.hpp>
#include <tenon/passes/fold_batch_norm.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/passes/lift_lambdas.hpp>
#include <tenon/passes/simplify.hpp>
#include <tenon/passes/use_byte_products.hpp>
#include <tenon/pipeline.hpp>
#include <tenon/target.hpp>

namespace tenon::targets {

struct host_memory {
  static constexpr fixed_string name = "host";
  static constexpr device_kind kind = device_kind::cpu;
};

struct graph_level {
  static constexpr fixed_string name = "graph_level";
  static constexpr fixed_string on_the_way_to = "cpu";
  using device = host_memory;
  struct code_generator {
    using requires_facts = facts<>;
  };
  using ends_in = phases::optimization;
  using pipeline = tenon::pipeline<passes::lift_lambdas, passes::inline_calls, passes::bind_inputs,
                                   passes::infer_shapes, passes::use_byte_products, passes::fold_constants,
                                   passes::simplify, passes::fold_batch_norm, passes::eliminate_common>;
};

}  // namespace tenon::targets
