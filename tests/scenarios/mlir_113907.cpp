// llvm #113907: the documentation's picture of a pipeline shows its passes in a wrong order.
// A drawing here is made from the pipeline, and a picture that is kept is compared with it.
#include "scenario.hpp"

#include <tenon/judge/fingerprint.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/to_lowering.hpp>
#ifdef TENON_RUN
#  include <tenon/judge/questions.hpp>
#endif

namespace mlir_113907 {
using tn::passes::fold_constants, tn::passes::infer_shapes, tn::passes::legalize_ops, tn::passes::require_static_shapes;
using tn::passes::to_lowering;

/// Gives the module's one kernel a name that tells what it is for.
struct name_kernels {
  static constexpr tn::fixed_string name = "name_kernels";
  using runs_in = tn::phases::lowering;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

using order =
    tn::pipeline<infer_shapes, require_static_shapes, fold_constants, legalize_ops, to_lowering, name_kernels>;
/// What the picture shows.
#ifdef TENON_TWIN
using pictured =
    tn::pass_list<infer_shapes, require_static_shapes, fold_constants, legalize_ops, to_lowering, name_kernels>;
#else
using pictured =
    tn::pass_list<infer_shapes, fold_constants, require_static_shapes, legalize_ops, to_lowering, name_kernels>;
#endif
static_assert(tn::is_valid<pictured>, "an order that could be, and is not the one that runs");
// CHECK: the picture of llvm #113907 is not of this pipeline: draw it again with mermaid
static_assert(tn::meta::same<pictured, order::passes>,
              "the picture of llvm #113907 is not of this pipeline: draw it again with mermaid");

#ifdef TENON_RUN
void name_kernels::run(tn::ir_module<runs_in>& m, tn::context&) const {
  for (function_id f : m.body().functions())
    if (m.body()[f].kind == ir::function_kind::kernel) m.body().metadata["kernel"] = m.body()[f].name;
}

TEST_CASE("llvm #113907: the pictures") {
  CHECK(mermaid(passes_of<order>()) ==
        "flowchart TB\n"
        "  subgraph optimization\n"
        "    p1[\"infer_shapes\"]\n"
        "    p2[\"require_static_shapes\"]\n"
        "    p3[\"fold_constants\"]\n"
        "    p4[\"legalize_ops\"]\n"
        "    p5[\"to_lowering\"]\n"
        "  end\n"
        "  subgraph lowering\n"
        "    p6[\"name_kernels\"]\n"
        "  end\n"
        "  p1 --> p2\n  p2 --> p3\n  p3 --> p4\n  p4 --> p5\n  p5 --> p6\n"
        "  p1 -. shapes_known .-> p2\n"
        "  p2 -. extents_known .-> p4\n"
        "  p4 -. ops_legalized .-> p5\n");
  CHECK(mermaid(passes_of<order>()) == mermaid(passes_of<pictured>()));
}
TEST_CASE("llvm #113907: what it computes") {
  const auto done =
      through<order, phases::lowering>(make_module<phases::optimization>({vector_of(2)}, [](auto& b, const auto& x) {
        return std::vector{b.make(op::sub{}, {x[0], constant(b, floats({1, 1}))})};
      }));
  CHECK(done.body().find_function(done.body().metadata.at("kernel")));
  CHECK(values(done, {floats({5, 7})}) == numbers{4, 6});
}
#endif
}  // namespace mlir_113907
