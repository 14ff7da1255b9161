// apache/tvm #16770, #16767: a new order of the driver's passes legalized FP8 before the target was bound; MLC broke.
#include "scenario.hpp"

#include <tenon/passes/infer_shapes.hpp>

namespace tvm_16770 {

/// Every function says what it is compiled for.
struct target_bound {
  static constexpr tn::fixed_string name = "target_bound";
  static bool check(const tn::ir::module& m);
};
struct bind_target {
  static constexpr tn::fixed_string name = "bind_target";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using gives = tn::facts<target_bound>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool changes_functions = true;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
/// Computes in f32 where the function's target has no arithmetic on small floats.
struct legalize_small_floats {
  static constexpr tn::fixed_string name = "legalize_small_floats";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<target_bound>;
  using keeps = tn::all_facts;
  using emits = tn::ops<tn::op::cast, tn::op::add>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

using tn::passes::infer_shapes;
constexpr tn::verdict wrong = tn::verdict_of<infer_shapes, legalize_small_floats, bind_target>;
static_assert(wrong.code == 2 && wrong.pass_name == legalize_small_floats::name && wrong.subject == target_bound::name);
static_assert(tn::is_valid<tn::pass_list<infer_shapes, bind_target, legalize_small_floats>>);

#ifdef TENON_TWIN
using order = tn::pipeline<infer_shapes, bind_target, legalize_small_floats>;
#else
// CHECK: tenon-E002: pass 'legalize_small_floats' (2nd) needs 'target_bound', which no pass before it gives: move 'bind_target' before 'legalize_small_floats', or move 'legalize_small_floats' after 'bind_target'
using order = tn::pipeline<infer_shapes, legalize_small_floats, bind_target>;
#endif

#ifdef TENON_RUN
bool target_bound::check(const tn::ir::module& m) {
  for (function_id f : m.functions())
    if (m[f].target.empty()) return false;
  return true;
}
void bind_target::run(tn::ir_module<runs_in>& m, tn::context&) const {
  for (function_id f : m.body().functions())
    if (m.body()[f].target.empty()) m.body()[f].target = "cpu";
}
void legalize_small_floats::run(tn::ir_module<runs_in>& module, tn::context&) const {
  ir::module& m = module.body();
  for_each<op::add>(m, [&](ir::op_view v) {
    if (v.result_type().elem != dtype::f16 || m[m.function_of(v.parent())].target != "cpu") return;
    auto b = before<emits>(m, v.id());
    const value_id wide =
        b.make(op::add{}, {b.make(op::cast{dtype::f32}, {v.operand(0)}), b.make(op::cast{dtype::f32}, {v.operand(1)})});
    replace_op(m, v.id(), b.make(op::cast{dtype::f16}, {wide}));
  });
}

TEST_CASE("tvm #16770") {
  auto done = through<order, phases::optimization>(make_module<phases::optimization>(
      {vector_of(2, dtype::f16)}, [](auto& b, const auto& x) { return std::vector{b.make(op::add{}, {x[0], x[0]})}; }));
  CHECK(count<op::cast>(done.body()) == 3);
  tensor x(dtype::f16, {2});
  x.set_f64(0, 1.5), x.set_f64(1, -2);
  CHECK(values(done, {x}) == numbers{3, -4});
}
#endif
}  // namespace tvm_16770
