// Graphs on the target xsimd, on the instruction sets that this machine has, beside the interpreter.
#pragma once

#include <tenon/ops/all.hpp>
#include <tenon/passes/convert_layout.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/pack_weights.hpp>
#include <tenon/targets/xsimd.hpp>

#include <support/graph.hpp>

namespace graph_test {

struct outcome {
  partition_report report;
  size_t host = 0;
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
  ir_module<phases::optimization, fact::extents_known> known = establish<fact::extents_known>(std::move(m));
  cx.verify_each = true;
  auto done = run<passes::run_external_codegen<targets::xsimd>>(
      run<passes::partition_for<targets::xsimd>>(std::move(known), cx), cx);
  const external_program p(ir::module(done.body()), external_formats<targets::xsimd>());
  for (int threads : {1, 3, 1}) {
    const std::vector<tensor> got = p.run(inputs, threads);
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      const comparison c = compare(got[i], expected[i], {2e-5, 2e-5, 1e-5});
      CHECK_MESSAGE(c.ok, c.message << " with " << threads << " threads\n" << print(done));
    }
  }
  outcome o{*cx.find<partition_report>(), 0};
  o.host = o.report.host.size();
  return o;
}
/// The whole graph is one part.
inline void all_on_xsimd(std::string_view text, bool layout = true) {
  const outcome o = on_xsimd(text, layout);
  CHECK_MESSAGE(o.host == 0, o.report.text());
  CHECK(o.report.parts.size() == 1);
}

inline std::string one_op(std::string_view op, std::string_view in, std::string_view out) {
  return "func entry @main(%0: " + std::string(in) + ", %1: " + std::string(in) + ") -> (" + std::string(out) +
         ") {\n  %2 = " + std::string(op) + " : " + std::string(out) + "\n  return(%2)\n}\n";
}

}  // namespace graph_test
