// apache/tvm #19382: VerifyMemory crashed on a function without a target attribute.
#include "scenario.hpp"

namespace tvm_19382 {

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
/// Holds the results of each function against the memory of its target.
struct verify_memory {
  static constexpr tn::fixed_string name = "verify_memory";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<target_bound>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
/// Makes functions, and does not know for what.
struct outline_sums {
  static constexpr tn::fixed_string name = "outline_sums";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using breaks = tn::facts<target_bound>;
  using emits = tn::ops<tn::op::call, tn::op::add, tn::op::return_>;
  static constexpr bool adds_functions = true;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
}  // namespace tvm_19382

template <>
struct tenon::givers_of<tvm_19382::target_bound> {
  using type = tenon::pass_list<tvm_19382::bind_target>;
};

namespace tvm_19382 {
constexpr tn::verdict wrong = tn::verdict_of<outline_sums, verify_memory>;
static_assert(wrong.code == 2 && wrong.pass_name == verify_memory::name && wrong.subject == target_bound::name);
static_assert(wrong.repair_count == 1 && wrong.repairs[0].what == bind_target::name);
static_assert(tn::verdict_of<bind_target, outline_sums, verify_memory>.culprit_name == outline_sums::name);

#ifdef TENON_TWIN
using order = tn::pipeline<outline_sums, bind_target, verify_memory>;
#else
// CHECK: tenon-E002: pass 'verify_memory' (2nd) needs 'target_bound', which no pass before it gives: insert 'bind_target' before 'verify_memory'
using order = tn::pipeline<outline_sums, verify_memory>;
#endif

#ifdef TENON_RUN
bool target_bound::check(const tn::ir::module& m) {
  for (function_id f : m.functions())
    if (m[f].target.empty()) return false;
  return true;
}
void bind_target::run(tn::ir_module<runs_in>& m, tn::context&) const {
  for (function_id f : m.body().functions())
    if (m.body()[f].target.empty()) m.body()[f].target = "tiny";
}
void verify_memory::run(tn::ir_module<runs_in>& m, tn::context&) const {
  static const std::map<std::string, i64> capacity{{"tiny", 64}};
  for (function_id f : m.body().functions())
    for (type_id t : m.body()[f].result_types)
      if (m.body()[t].bytes() > capacity.at(m.body()[f].target)) throw error("test.memory", m.body()[f].name);
}
void outline_sums::run(tn::ir_module<runs_in>& module, tn::context&) const {
  ir::module& m = module.body();
  for_each<op::add>(m, [&](ir::op_view v) {
    const std::vector<ir::type> types{v.operand_type(0), v.operand_type(1)};
    const function_id f = add_function(
        m, "sum", types, [](auto& b, const auto& x) { return std::vector{b.make(op::add{}, {x[0], x[1]})}; });
    const type_id t[] = {m[m.result(v.id())].type};
    replace_op(m, v.id(), m.result(before<emits>(m, v.id()).make_op(op::call{{m[f].name}}, m.operands(v.id()), t)));
  });
}

TEST_CASE("tvm #19382") {
  const auto sum_of = [](i64 n) {
    return make_module<phases::optimization>(
        {vector_of(n)}, [](auto& b, const auto& x) { return std::vector{b.make(op::add{}, {x[0], x[0]})}; });
  };
  const auto done = through<order, phases::optimization>(sum_of(2));
  CHECK(done.body().functions().size() == 2);
  CHECK(values(done, {floats({1, 2})}) == numbers{2, 4});
  CHECK_THROWS_AS((static_cast<void>(through<order, phases::optimization>(sum_of(17)))), error);
}
#endif
}  // namespace tvm_19382
