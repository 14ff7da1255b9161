// iree PR #18573: ROCm's kernels were annotated inside of serialization, of which it is said that the module "contains
// the final llvm.module ready to be serialized".
#include "scenario.hpp"

#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/to_lowering.hpp>

namespace iree_18573 {

/// Ready to be written: no pass that changes kernels runs here.
struct final_code {
  static constexpr tn::fixed_string name = "final_code";
  using op_list = tn::lowering_ops;
};
struct annotate_kernels {
  static constexpr tn::fixed_string name = "annotate_kernels";
  using runs_in = tn::phases::lowering;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool changes_functions = true;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
struct finish {
  static constexpr tn::fixed_string name = "finish";
  using from = tn::phases::lowering;
  using to = final_code;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  tn::ir_module<to> run(tn::ir_module<from>&& m, tn::context& cx) const;
};

using tn::passes::infer_shapes, tn::passes::legalize_ops, tn::passes::require_static_shapes, tn::passes::to_lowering;
constexpr tn::verdict wrong =
    tn::verdict_of<infer_shapes, require_static_shapes, legalize_ops, to_lowering, finish, annotate_kernels>;
static_assert(wrong.code == 1 && wrong.pass_name == annotate_kernels::name && wrong.culprit_name == finish::name);

#ifdef TENON_TWIN
using order = tn::pipeline<infer_shapes, require_static_shapes, legalize_ops, to_lowering, annotate_kernels, finish>;
#else
// CHECK: tenon-E001: pass 'annotate_kernels' (6th) runs in phase 'lowering', but the module is in 'final_code' since 'finish' (5th): move 'annotate_kernels'
using order = tn::pipeline<infer_shapes, require_static_shapes, legalize_ops, to_lowering, finish, annotate_kernels>;
#endif

#ifdef TENON_RUN
void annotate_kernels::run(tn::ir_module<runs_in>& m, tn::context&) const {
  for (function_id f : m.body().functions())
    if (m.body()[f].kind == ir::function_kind::kernel) m.body()[f].target = "rocm";
}
auto finish::run(tn::ir_module<from>&& m, tn::context&) const -> tn::ir_module<to> {
  return tn::ir_module<to>::adopt(std::move(m.body()));
}
/// Takes the final module only, and cannot change it.
std::string serialize(const ir_module<final_code>& m) {
  std::string lines;
  for (function_id f : m.body().functions()) lines += m.body()[f].name + " " + m.body()[f].target + "\n";
  return lines;
}
template <class Module>
concept can_serialize = requires(const Module& m) { serialize(m); };
static_assert(!can_serialize<ir_module<phases::lowering>>);

TEST_CASE("iree PR #18573") {
  const auto done = through<order, final_code>(make_module<phases::optimization>(
      {vector_of(2)}, [](auto& b, const auto& x) { return std::vector{b.make(op::mul{}, {x[0], x[0]})}; }));
  CHECK(values(done, {floats({3, 4})}) == numbers{9, 16});
  const std::string written = serialize(ir_module<final_code>::adopt(done.body()));
  CHECK(written.find(" rocm\n") != std::string::npos);
}
#endif
}  // namespace iree_18573
