// Graphs on the target xsimd, on the instruction sets that this machine has, beside the interpreter.
#pragma once

#include <algorithm>
#include <optional>

#include <tenon/compile/run_pipeline.hpp>
#include <tenon/ir/artifact_calls.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/targets/xsimd.hpp>

#include <support/graph.hpp>

namespace graph_test {

/// From a graph whose weights are packed on.
using rest_of_xsimd =
    pipeline_with_ops<ops<op::call_external>, passes::infer_shapes, passes::eliminate_dead, passes::fold_extents,
                      passes::require_known_extents, passes::partition_for<targets::xsimd_library>,
                      passes::run_external_codegen<targets::xsimd_library>, passes::lower_external_calls, passes::fuse,
                      passes::legalize_ops, passes::eliminate_dead, passes::to_lowering, passes::plan_memory,
                      passes::lower_builtins>;

struct outcome {
  partition_report report;
  size_t kernels = 0;  ///< calls of vectorized kernels
  size_t nests = 0;    ///< of loop nests
};

/// The same graph for other sizes, too: extents of its inputs are symbols, by number, all of them or the first of each
/// input. Nothing where what its ops say of results is for these sizes only.
inline std::optional<ir_module<phases::optimization>> with_open_extents(std::string_view text, bool all) {
  auto typed = graph(text);
  ir::module& m = typed.body();
  const ir::function& main = m[m.find_function("main")];
  for (value_id v : std::vector<value_id>(m[main.body].arguments)) {
    ir::type t = m.type_of(v);
    for (size_t d = 0; d < (all ? t.shape.size() : std::min<size_t>(1, t.shape.size())); ++d)
      if (const i64 n = t.shape[d].extent(); n > 1) t.shape[d] = ir::dim::symbol(m.symbol("n" + std::to_string(n)));
    m.set_type(v, m.intern(t));
  }
  ir::for_each_op(m, [&](op_id op) {
    if (m.view(op).is<op::constant>()) return;
    for (value_id v : m.results(op)) {
      ir::type t = m.type_of(v);
      for (ir::dim& d : t.shape) d = ir::dim::unknown();
      m.set_type(v, m.intern(t));
    }
  });
  std::vector<type_id>& results = m[m.find_function("main")].result_types;
  const op_id end = m[main.body].ops.back();
  for (size_t i = 0; i < results.size(); ++i) results[i] = m[m.operand(end, static_cast<int>(i))].type;
  try {
    ir::refine_types(m);
  } catch (const error&) { return std::nullopt; }
  if (fact::extents_known::obstacle(m) || passes::legalize_ops::obstacle(m, {})) return std::nullopt;
  return typed;
}

/// Compiles a graph for xsimd, runs it on one and three threads, and compares.
inline outcome on_xsimd(ir_module<phases::optimization> m, std::span<const tensor> inputs,
                        const std::vector<tensor>& expected, bool layout) {
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
/// … and with open extents, where it may have some.
inline outcome on_xsimd(std::string_view text, bool layout = true) {
  auto m = graph(text);
  const std::vector<tensor> inputs = some_inputs(m.body()), expected = interpret(m.body(), "main", inputs);
  for (bool all : {false, true})
    if (auto open = with_open_extents(text, all)) on_xsimd(*std::move(open), inputs, expected, layout);
  return on_xsimd(std::move(m), inputs, expected, layout);
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
