// apache/tvm #9793, #9597: a refactoring of a pipeline dropped the layout pass; nobody saw it, models became slow.
// A pipeline that matters is written down twice: where it is made, and here.
#include "scenario.hpp"

#include <tenon/judge/fingerprint.hpp>
#include <tenon/passes/convert_layout.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#ifdef TENON_RUN
#  include <tenon/judge/questions.hpp>
#  include <tenon/ops/graph/contraction.hpp>
#endif

namespace tvm_9793 {
using tn::passes::convert_layout, tn::passes::fold_constants, tn::passes::infer_shapes,
    tn::passes::require_static_shapes;

/// Adds the cost of all convolutions up.
struct estimate_cost {
  static constexpr tn::fixed_string name = "estimate_cost";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<tn::fact::static_shapes>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

using golden = tn::pipeline<infer_shapes, require_static_shapes, convert_layout, fold_constants, estimate_cost>;
using refactored = tn::pipeline<infer_shapes, require_static_shapes, fold_constants, estimate_cost>;
static_assert(tn::is_valid<refactored::passes>, "it is a right pipeline, and not the one that was meant");
static_assert(tn::fingerprint<refactored> != tn::fingerprint<golden>);

#ifdef TENON_TWIN
using order = refactored::edit<tn::insert_after<require_static_shapes, convert_layout>>;
#else
using order = refactored;
#endif
// CHECK: the pipeline of tvm #9793 changed: compare with diff
static_assert(tn::fingerprint<order> == tn::fingerprint<golden>,
              "the pipeline of tvm #9793 changed: compare with diff");

#ifdef TENON_RUN
void estimate_cost::run(tn::ir_module<runs_in>& m, tn::context&) const {
  i64 elements = 0;
  for_each<op::conv>(m.body(), [&](ir::op_view v) { elements += v.result_type().count(); });
  m.body().metadata["elements"] = std::to_string(elements);
}

TEST_CASE("tvm #9793: the difference, and the drawing") {
  CHECK(diff(passes_of<golden>(), passes_of<order>()).empty());
  CHECK(diff(passes_of<golden>(), passes_of<refactored>()) ==
        "  infer_shapes\n  require_static_shapes\n- convert_layout\n  fold_constants\n  estimate_cost\n");
  CHECK(mermaid(passes_of<order>()) ==
        "flowchart TB\n"
        "  subgraph optimization\n"
        "    p1[\"infer_shapes\"]\n"
        "    p2[\"require_static_shapes\"]\n"
        "    p3[\"convert_layout\"]\n"
        "    p4[\"fold_constants\"]\n"
        "    p5[\"estimate_cost\"]\n"
        "  end\n"
        "  p1 --> p2\n  p2 --> p3\n  p3 --> p4\n  p4 --> p5\n"
        "  p1 -. shapes_known .-> p2\n"
        "  p1 -. shapes_known .-> p3\n"
        "  p2 -. static_shapes .-> p5\n");
}
TEST_CASE("tvm #9793: what it computes") {
  auto m = make_module<phases::optimization>({ir::type::tensor(dtype::f32, {1, 1, 3, 3})}, [](auto& b, const auto& x) {
    return std::vector{b.make(op::conv{}, {x[0], constant(b, tensor::from<float>({1, 1, 2, 2}, {1, 2, 3, 4}))})};
  });
  const tensor x = tensor::from<float>({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const numbers before = values(m, {x});
  CHECK(before == numbers{37, 47, 67, 77});
  const auto done = through<order, phases::optimization>(std::move(m));
  CHECK(done.body().metadata.at("elements") == "4");
  CHECK(values(done, {x}) == before);
}
#endif
}  // namespace tvm_9793
