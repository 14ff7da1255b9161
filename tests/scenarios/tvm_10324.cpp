// apache/tvm #10324: at opt_level 0 the pass to A-normal form was left out, the allocation pass that needs it was not.
#include "scenario.hpp"

namespace tvm_10324 {

/// No op stands inside of another one: each has a name of its own.
struct in_normal_form {
  static constexpr tn::fixed_string name = "in_normal_form";
  using absent_ops = tn::ops<tn::op::fused>;
};
struct to_normal_form {
  static constexpr tn::fixed_string name = "to_normal_form";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<tn::op::fused>;
  using handles = tn::ops<tn::op::fused>;
  using emits = tn::ops<>;  // what stood inside, it moves
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
/// Says how many bytes the results of all ops need.
struct manifest_alloc {
  static constexpr tn::fixed_string name = "manifest_alloc";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<in_normal_form>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

using level = tn::when<"opt_level_1">;
constexpr tn::verdict wrong = tn::verdict_of<tn::optional<to_normal_form, level>, manifest_alloc>;
static_assert(wrong.code == 25 && wrong.pass_name == manifest_alloc::name && wrong.subject == in_normal_form::name);
static_assert(wrong.condition_count == 1 && wrong.conditions[0] == level::flag && !wrong.condition_on[0]);
static_assert(tn::is_valid<tn::pass_list<to_normal_form, manifest_alloc>>);

#ifdef TENON_TWIN
using order = tn::pipeline<to_normal_form, tn::optional<manifest_alloc, level>>;
#else
// CHECK: tenon-E025: when 'opt_level_1' is off, pass 'manifest_alloc' (2nd) needs 'in_normal_form'
// CHECK-SAME: run 'to_normal_form' always, or run 'manifest_alloc' only when 'opt_level_1' is on
using order = tn::pipeline<tn::optional<to_normal_form, level>, manifest_alloc>;
#endif

#ifdef TENON_RUN
void to_normal_form::run(tn::ir_module<runs_in>& module, tn::context&) const {
  ir::module& m = module.body();
  for_each<op::fused>(m, [&](ir::op_view group) {
    const region_id r = group.region(), outer = group.parent();
    for (size_t i = 0; i < m[r].arguments.size(); ++i)
      m.replace_uses(m[r].arguments[i], group.operand(static_cast<int>(i)));
    const op_id end = m.terminator(r);
    m.replace_uses(group.result(), m.operand(end, 0));
    m.erase(end);
    size_t place = 0;
    while (m[outer].ops[place] != group.id()) ++place;
    for (op_id inside : std::vector<op_id>(m[r].ops)) m[inside].parent = {}, m.insert(outer, place++, inside);
    m[r].ops.clear();
    m.erase(group.id());
  });
}
void manifest_alloc::run(tn::ir_module<runs_in>& m, tn::context&) const {
  i64 bytes = 0;
  const ir::module& body = m.body();
  for (op_id o : body[body[body.find_function("main")].body].ops)
    for (value_id v : body.results(o)) bytes += body.type_of(v).bytes();
  m.body().metadata["bytes"] = std::to_string(bytes);
}

TEST_CASE("tvm #10324") {
  for (const bool on : {true, false}) {
    auto m = make_module<phases::optimization>({vector_of(2)}, [](auto& b, const auto& x) {
      const type_id t[] = {b.mod().intern(vector_of(2))};
      const op_id group = b.make_op(op::fused{}, x, t, 1);
      const value_id p = b.mod().add_argument(b.mod().region(group), t[0]);
      ir::builder<> inside(b.mod(), b.mod().region(group));
      const value_id twice = inside.make(op::add{}, {p, p});
      inside.make_op(op::yield{}, std::vector{inside.make(op::mul{}, {twice, p})}, {});
      return std::vector{b.mod().result(group)};
    });
    context cx;
    cx.set_flag("opt_level_1", on);
    const auto done = through<order, phases::optimization>(std::move(m), cx);
    CHECK(done.body().metadata.count("bytes") == (on ? 1 : 0));
    if (on) CHECK(done.body().metadata.at("bytes") == "16");  // the sum and the product
    CHECK(values(done, {floats({3, 4})}) == numbers{18, 32});
  }
}
#endif
}  // namespace tvm_10324
