// Graphs on the target xsimd, on the instruction sets that this machine has, beside the interpreter.
#pragma once

#include <algorithm>

#include <tenon/compile/run_pipeline.hpp>
#include <tenon/ir/artifact_calls.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/targets/xsimd.hpp>

#include <support/graph.hpp>

namespace graph_test {

/// From a graph whose weights are packed on.
using rest_of_xsimd =
    pipeline_with_ops<ops<op::call_external>, passes::infer_shapes, passes::eliminate_dead,
                      passes::require_static_shapes, passes::partition_for<targets::xsimd_library>,
                      passes::run_external_codegen<targets::xsimd_library>, passes::lower_external_calls, passes::fuse,
                      passes::legalize_ops, passes::eliminate_dead, passes::to_lowering, passes::plan_memory,
                      passes::lower_builtins>;

struct outcome {
  partition_report report;
  size_t kernels = 0;  ///< calls of vectorized kernels
  size_t nests = 0;    ///< of loop nests
};

/// Compiles a graph for xsimd, runs it on one and three threads, and compares.
inline outcome on_xsimd(std::string_view text, bool layout = true) {
  auto m = graph(text);
  const std::vector<tensor> inputs = some_inputs(m.body()), expected = interpret(m.body(), "main", inputs);
  context cx;
  targets::xsimd{}.configure(cx);
  if (layout) passes::convert_layout{}.run(m, cx);
  passes::fold_constants{}.run(m, cx);
  passes::pack_weights{}.run(m, cx);
  cx.verify_each = true;
  auto done = run_pipeline<rest_of_xsimd>(std::move(m), cx);
  const program p = load_xsimd(done.body());
  for (int threads : {1, 3, 1}) {
    const std::vector<tensor> got = p.run(inputs, threads);
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      const comparison c = compare(got[i], expected[i], {2e-5, 2e-5, 1e-5});
      CHECK_MESSAGE(c.ok, c.message << " with " << threads << " threads\n" << print(done));
    }
  }
  outcome o{*cx.find<partition_report>()};
  ir::for_each_op(done.body(), [&](op_id op) {
    const bool external = ir::called_artifact(done.body(), op) != nullptr;
    o.kernels += external;
    o.nests += !external && done.body().view(op).is<op::call_native>();
  });
  return o;
}
/// All of it by vectorized kernels; 0: in as many steps as it takes.
inline void all_by_kernels(std::string_view text, bool layout = true, size_t steps = 0) {
  const outcome o = on_xsimd(text, layout);
  CHECK_MESSAGE(o.nests == 0, o.report.text());
  CHECK(o.kernels != 0);
  if (steps != 0) CHECK(o.kernels == steps);
}
/// All of it by loop nests.
inline void all_by_nests(std::string_view text, bool layout = true) {
  const outcome o = on_xsimd(text, layout);
  CHECK(o.kernels == 0);
  CHECK(o.nests != 0);
}

inline std::string one_op(std::string_view op, std::string_view in, std::string_view out) {
  return "func entry @main(%0: " + std::string(in) + ", %1: " + std::string(in) + ") -> (" + std::string(out) +
         ") {\n  %2 = " + std::string(op) + " : " + std::string(out) + "\n  return(%2)\n}\n";
}

}  // namespace graph_test
