// A made-up accelerator: a matrix unit with a scratchpad, a scalar core for the rest. Everything that a target is made
// of.
#pragma once

#include <tenon/targets/graph_level.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/tenon.hpp>

#include "code.hpp"
#include "passes.hpp"

namespace mine {

struct npu_stream {
  static constexpr fixed_string name = "npu_stream";
};
struct npu_calls {
  static constexpr fixed_string name = "npu_calls";
};

struct npu {
  static constexpr fixed_string name = "npu";
  using device = npu_device;
  using code_generator = assemble;
  using format = npu_stream;
  using abi = npu_calls;
  using runtime = npu_runtime;
  // It begins as `targets::cpu` does, so that a composite of both runs these passes once.
  using pipeline = targets::graph_level::pipeline::edit<
      append<passes::eliminate_dead, passes::require_static_shapes, passes::legalize_ops, passes::to_lowering,
             passes::tensorize<matrix_unit>, passes::plan_memory, select_instructions, assemble>>;

  /// What it is good at; in a composite the host does the rest.
  static bool has(const ir::op_view& op) {
    if (op.result_count() != 1 || op.result_type().elem != dtype::f32) return false;
    return op.is<op::matmul>() || op.is<op::reshape>() || op.info().traits.elementwise;
  }
};
static_assert(is_complete<npu>);

}  // namespace mine
