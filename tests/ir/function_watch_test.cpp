// What passes say of functions, and what they do with them.
#include <tenon/ir/function_watch.hpp>

#include <tenon/compile/build.hpp>
#include <tenon/compile/run_pipeline.hpp>
#include <tenon/ops/graph/elementwise.hpp>

#include <support/graph.hpp>

using namespace graph_test;

namespace {

ir_module<phases::optimization> two_functions() {
  return graph(
      "func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) inputs(\"x\") outputs(\"y\") {\n"
      "  %1 = call(%0) {callee = @part} : tensor<2xf32>\n  return(%1)\n}\n"
      "func @part(%0: tensor<2xf32>) -> (tensor<2xf32>) {\n  %1 = neg(%0) : tensor<2xf32>\n  return(%1)\n}\n");
}
/// What is found where `change` is done and `said` is claimed; empty: nothing.
template <class Change>
std::string found(Change change, const ir::function_claims& said = {}) {
  ir::module m = two_functions().body();
  const ir::function_watch watch(m);
  change(m);
  const ir::function_watch::finding f = watch.find(m, said);
  return f.what.empty() ? "" : f.what + ": " + f.flag;
}
function_id part(const ir::module& m) { return m.find_function("part"); }
const auto for_a_target = [](ir::module& m) { m[part(m)].target = "cpu"; };
const auto dropped = [](ir::module& m) { m.erase_function(part(m)); };
const auto added = [](ir::module& m) {
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {2}))};
  m.add_function("clone", ir::function_kind::graph, types);
};

/// A pass that does it, and says nothing of it, or what it does.
template <int Said>
struct binds_part {
  static constexpr fixed_string name = "binds_part";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  static constexpr bool changes_functions = Said;
  void run(ir_module<runs_in>& m, context&) const { for_a_target(m.body()); }
};

}  // namespace

TEST_CASE("a pass says that it adds, removes or changes functions") {
  CHECK(found([](ir::module&) {}) == "");
  CHECK(found(added) == "adds function 'clone': adds_functions");
  CHECK(found(added, {.adds = true}) == "");
  CHECK(found(added, {.removes = true, .changes = true}) == "adds function 'clone': adds_functions");
  CHECK(found(dropped) == "removes function 'part': removes_functions");
  CHECK(found(dropped, {.removes = true}) == "");
  CHECK(found(dropped, {.adds = true, .changes = true}) == "removes function 'part': removes_functions");
  const std::string changed = "changes what function 'part' takes, returns or says of itself: changes_functions";
  CHECK(found(for_a_target) == changed);
  CHECK(found(for_a_target, {.adds = true}) == changed);
  CHECK(found(for_a_target, {.changes = true}) == "");
  CHECK(found([](ir::module& m) { m[part(m)].purity = ir::function_purity::pure; }) == changed);
  CHECK(found([](ir::module& m) { m[part(m)].result_types = {m.intern(ir::type::tensor(dtype::f32, {3}))}; }) ==
        changed);
  CHECK(found([](ir::module& m) {
          m.set_type(m[m[part(m)].body].arguments[0], m.intern(ir::type::tensor(dtype::f32, {3})));
        }) == changed);
  CHECK(found([](ir::module& m) { m[part(m)].result_names = {"z"}; }) == changed);
}

TEST_CASE("a type that is known better or worse is no change") {
  ir::module m = graph(
                     "func @part(%0: tensor<?x2xf32>) -> (tensor<*xf32>) {\n  %1 = neg(%0) : tensor<*xf32>\n"
                     "  return(%1)\n}\n")
                     .body();
  const ir::function_watch open(m);
  m[part(m)].result_types = {m.intern(ir::type::tensor(dtype::f32, {3, 2}))};
  m.set_type(m[m[part(m)].body].arguments[0], m.intern(ir::type::tensor(dtype::f32, {3, 2})));
  CHECK(open.find(m, {}).what == "");
  const ir::function_watch known(m);
  m[part(m)].result_types = {m.intern(ir::type::unranked_tensor(dtype::f32))};
  CHECK(known.find(m, {}).what == "");
  m[part(m)].result_types = {m.intern(ir::type::unranked_tensor(dtype::i64))};
  CHECK(std::string_view(known.find(m, {}).flag) == "changes_functions");
}

TEST_CASE("bodies are no matter of its, nor functions that are ahead") {
  CHECK(found([](ir::module& m) {
          ir::builder<> b(m, m[part(m)].body);
          b.before(m.terminator(m[part(m)].body));
          b.make(op::exp{}, {m[m[part(m)].body].arguments[0]});
        }) == "");
  ir::module m = two_functions().body();
  m[part(m)].phase = "lowering";
  const ir::function_watch watch(m);
  m[part(m)].target = "cpu";
  CHECK(watch.find(m, {}).what == "");
  m[part(m)].phase.clear();  // the module came to its phase
  CHECK(watch.find(m, {}).what == "");
}

TEST_CASE("a function made anew is one removed and one added") {
  const auto anew = [](ir::module& m) { dropped(m), added(m); };
  CHECK(found(anew, {.changes = true}) == "adds function 'clone': adds_functions");
  CHECK(found(anew, {.adds = true}) == "removes function 'part': removes_functions");
  CHECK(found(anew, {.adds = true, .removes = true}) == "");
  CHECK(found(for_a_target, {.adds = true, .removes = true}) == "");
}

TEST_CASE("verify_each holds a pass to it") {
  context cx;
  cx.verify_each = true;
  CHECK_NOTHROW((void)run<binds_part<1>>(two_functions(), cx));
  const error e = caught([&] { (void)run<binds_part<0>>(two_functions(), cx); });
  CHECK(e.code() == "tenon-E030");
  CHECK(e.message() ==
        "pass 'binds_part' changes what function 'part' takes, returns or says of itself, and does not say so");
  CHECK(e.hint() == "correct the pass, or say 'static constexpr bool changes_functions = true'");
}
