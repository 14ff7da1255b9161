// apache/tvm #17353: RunCodegen set the module's external modules, and so threw away those of the code generator
// before it.
#include "scenario.hpp"

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/passes/infer_shapes.hpp>

namespace tvm_17353 {

using made = std::vector<tn::ir::artifact>;
static_assert(!std::is_assignable_v<decltype(std::declval<tn::ir::module&>().artifacts()), made>, "append-only");

inline void keep(tn::ir::module& m, made&& mine) {
#ifdef TENON_TWIN
  for (tn::ir::artifact& a : mine) m.add_artifact(std::move(a));
#else
  // CHECK: tenon-E028: the artifacts of a module are append-only, since setting them loses what another code generator made: add each with 'add_artifact'
  m.artifacts() = mine;
#endif
}

/// An external code generator: one artifact for each function that is constrained to it.
template <tn::fixed_string Compiler>
struct run_codegen {
  static constexpr tn::fixed_string name = Compiler;
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>& m, tn::context&) const {
    made mine;
    for (tn::function_id f : m.body().functions())
      if (m.body()[f].target == Compiler.data())
        mine.push_back({"c_source", Compiler.data(), m.body()[f].name, {'{', '}'}});
    keep(m.body(), std::move(mine));
  }
};
using order = tn::pipeline<tn::passes::infer_shapes, run_codegen<"dsp">, run_codegen<"npu">>;

#ifdef TENON_RUN
TEST_CASE("tvm #17353") {
  ir::module m;
  const auto twice = [](auto& b, const auto& x) { return std::vector{b.make(op::add{}, {x[0], x[0]})}; };
  m[add_function(m, "on_dsp", {vector_of(2)}, twice)].target = "dsp";
  m[add_function(m, "on_npu", {vector_of(2)}, twice)].target = "npu";
  m[add_function(m, "main", {vector_of(2)}, [&](auto& b, const auto& x) {
    const type_id t[] = {m.intern(vector_of(2))};
    const op_id first = b.make_op(op::call{{"on_dsp"}}, x, t);
    return std::vector{m.result(b.make_op(op::call{{"on_npu"}}, std::vector{m.result(first)}, t))};
  })].entry = true;
  const auto done = through<order, phases::optimization>(ir_module<phases::optimization>::adopt(std::move(m)));
  REQUIRE(done.body().artifacts().size() == 2);
  CHECK(done.body().artifacts()[0].target == "dsp");
  CHECK(done.body().artifacts()[1].symbol == "on_npu");
  CHECK(values(done, {floats({1, 2})}) == numbers{4, 8});
  context cx;
  CHECK_THROWS_AS(static_cast<void>(run<run_codegen<"npu">>(ir_module<phases::optimization>::adopt(done.body()), cx)),
                  error);
}
#endif
}  // namespace tvm_17353
