/// @file entry_test: what was made or edited by hand is verified where it goes to passes, wherever that is; what passes
/// left is not verified again.
#include <doctest/doctest.h>

#include <tenon/compile/run_inside.hpp>
#include <tenon/compile/run_pipeline.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

using graph = phases::optimization;
const ir::type vec = ir::type::tensor(dtype::f32, {4});

/// An entry that adds; without a terminator if asked, which passes would follow into nothing.
ir::module adding(bool terminated) {
  ir::module m;
  const type_id list[] = {m.intern(vec)};
  const function_id f = m.add_function("main", ir::function_kind::graph, list);
  m[f].entry = true, m[f].argument_names = {"x"}, m[f].result_names = {"y"};
  ir::builder<> b(m, m[f].body);
  const value_id x = m[m[f].body].arguments[0];
  const value_id y = b.make(op::add{}, {x, x});
  if (terminated) {
    const value_id results[] = {y};
    b.make_op(op::return_{}, results, {});
    m[f].result_types = {m.intern(vec)};
  }
  return m;
}
template <class Phase = graph>
ir_module<Phase> adopted(bool terminated) {
  return ir_module<Phase>::adopt(adding(terminated));
}

template <class F>
std::string failure(F&& f) {
  try {
    f();
  } catch (const error& e) { return e.code() + ": " + e.message(); }
  return "";
}
bool refused(const std::string& said) { return said.find("ir.verify: function 'main'") == 0; }

/// Breaks what it is given, and nobody asks it.
struct breaks_it {
  static constexpr fixed_string name = "breaks_it";
  using runs_in = graph;
  using needs = facts<>;
  using keeps = facts<>;
  void run(ir_module<graph>& m, context&) const {
    ir::module& body = m.body();
    const region_id r = body[body.functions()[0]].body;
    body.erase(body.terminator(r));
  }
};
struct looks_on {
  static constexpr fixed_string name = "looks_on";
  using runs_in = graph;
  using needs = facts<>;
  using keeps = facts<>;
  void run(ir_module<graph>&, context&) const {}
};

}  // namespace

TEST_CASE("a module without a terminator is refused by every way to passes") {
  context cx;
  CHECK(refused(failure([&] { (void)run<passes::infer_shapes>(adopted(false), cx); })));
  CHECK(refused(failure([&] { (void)run(passes::simplify{}, establish<fact::shapes_known>(adopted(false)), cx); })));
  CHECK(refused(failure([&] { (void)run_pipeline<pipeline<passes::infer_shapes>>(adopted(false), cx); })));
  CHECK(
      refused(failure([&] { (void)compile_to<graph, targets::interpreter>(adopted<phases::ingestion>(false), cx); })));
  CHECK(refused(failure([&] { (void)build<targets::interpreter>(adopted<phases::ingestion>(false), cx); })));
  CHECK(refused(failure([&] { (void)build<targets::interpreter>(adopted(false), cx); })));
  CHECK(refused(failure([&] { (void)establish<fact::static_shapes>(adopted(false)); })));
  CHECK(cx.records.empty());
}

TEST_CASE("a right one is taken by all of them") {
  context cx;
  CHECK(failure([&] {
          (void)run<passes::infer_shapes>(adopted(true), cx);
          (void)run_pipeline<pipeline<passes::infer_shapes>>(adopted(true), cx);
          (void)build<targets::interpreter>(adopted<phases::ingestion>(true), cx);
          (void)establish<fact::static_shapes>(adopted(true));
        }) == "");
}

TEST_CASE("what was edited after a pass is verified again") {
  context cx;
  auto known = run<passes::infer_shapes>(adopted(true), cx);
  auto edited = std::move(known).edit();
  ir::module& body = edited.body();
  body.erase(body.terminator(body[body.functions()[0]].body));
  CHECK(refused(failure([&] { (void)run<passes::infer_shapes>(std::move(edited), cx); })));
  // A copy of what could be edited is no better.
  auto whole = adopted(true);
  ir::module& open = whole.body();
  open.erase(open.terminator(open[open.functions()[0]].body));
  CHECK(refused(failure([&] { (void)run<passes::infer_shapes>(whole.clone(), cx); })));
}

TEST_CASE("what a pass left is not verified again: that is what verify_each is for") {
  context cx;
  auto broken = run<breaks_it>(adopted(true), cx);
  CHECK(failure([&] { (void)run<looks_on>(std::move(broken), cx); }) == "");
  cx.verify_each = true;
  CHECK(failure([&] { (void)run<breaks_it>(adopted(true), cx); }) != "");
}
