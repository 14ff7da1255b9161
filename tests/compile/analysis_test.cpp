// Analyses: values that are computed of a module once, and are gone where their fact is broken.
#include <doctest/doctest.h>

#include <tenon/compile/analysis.hpp>
#include <tenon/compile/run_inside.hpp>
#include <tenon/compile/run_pipeline.hpp>
#include <tenon/facts/buffer_lives_known.hpp>
#include <tenon/facts/purity_known.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/tenon.hpp>

#include "support/caught.hpp"

using namespace tenon;
using testing::caught, testing::code_of;

namespace {

using graph = ir_module<phases::optimization>;
constexpr std::string_view text = R"(tenon.module phase=optimization
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %1 = neg(%0) : tensor<4xf32>
  %2 = exp(%0) : tensor<4xf32>
  return(%2)
}
)";
graph module_of_text() { return parse<phases::optimization>(text); }

int computed = 0;
/// How many ops of each kind there are.
struct ops_counted {
  static constexpr fixed_string name = "ops_counted";
  static std::map<std::string, int> compute(const ir::module& m) {
    ++computed;
    std::map<std::string, int> counts;
    ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) { ++counts[std::string(m.view(op).name())]; });
    return counts;
  }
};
/// Of the shapes, which must be known.
struct elements_counted {
  static constexpr fixed_string name = "elements_counted";
  using rests_on = facts<fact::shapes_known>;
  static i64 compute(const ir::module& m) {
    i64 n = 0;
    ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
      for (value_id v : m.results(op)) n += static_cast<i64>(m.type_of(v).shape.size());
    });
    return n;
  }
};
struct unproved {
  static constexpr fixed_string name = "unproved";
};
struct rests_on_unproved {
  static constexpr fixed_string name = "rests_on_unproved";
  using rests_on = facts<unproved>;
  static int compute(const ir::module&) { return 1; }
};
struct of_negations {
  [[maybe_unused]] static constexpr fixed_string name = "of_negations";
  using of_all = ops<op::neg>;
  static int compute(const ir::module&) { return ++computed; }
};
struct incomparable {
  static constexpr fixed_string name = "incomparable";
  struct value {};
  static value compute(const ir::module&) { return {}; }
};

struct quiet {
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
};
struct counts : quiet {
  static constexpr fixed_string name = "counts";
  void run(graph& m, context& cx) const {
    CHECK(cx.analysis<ops_counted>(*this, m) == ops_counted::compute(m.body()));
    computed -= 1;
  }
};
struct marks : quiet {
  static constexpr fixed_string name = "marks";
  void run(graph& m, context&) const { m.body().metadata["marked"] = "yes"; }
};
inline void erase_unused_negation(ir::module& m) {
  for (op_id op : std::vector<op_id>(m[m[m.find_function("main")].body].ops))
    if (m.view(op).is<op::neg>() && !m.has_uses(m.result(op))) m.erase(op);
}
struct forgets {
  static constexpr fixed_string name = "forgets";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using emits = ops<>;
  bool finds_nothing = false;
  void run(graph&, context& cx) const {
    if (finds_nothing) cx.changed_nothing();
  }
};
struct tidies : quiet {  // it deletes, and has never heard of what is computed
  static constexpr fixed_string name = "tidies";
  using deletes = effects<>;
  using leaves = side_effects;
  void run(graph& m, context&) const { erase_unused_negation(m.body()); }
};
struct around : quiet {
  static constexpr fixed_string name = "around";
  using deletes = tidies::deletes;
  using leaves = tidies::leaves;
  void run(graph& m, context& cx) const {
    CHECK(cx.analysis<ops_counted>(*this, m).count("neg") == 1);
    run_inside<tidies>(*this, m, cx);
    CHECK(cx.analysis<ops_counted>(*this, m).count("neg") == 0);
  }
};
struct lies : tidies {
  static constexpr fixed_string name = "lies";
  using keeps = facts<ops_counted>;
};
struct lies_of_nothing : tidies {
  static constexpr fixed_string name = "lies_of_nothing";
  void run(graph& m, context& cx) const { erase_unused_negation(m.body()), cx.changed_nothing(); }
};

static_assert(analysis<ops_counted> && analysis<fact::purity_known> && analysis<fact::buffer_lives_known>);
static_assert(!analysis<fact::shapes_known> && !analysis<incomparable> && !analysis<int>);
template <class A, class Asker>
constexpr bool may_ask = detail::analysis_check<A, Asker>::ok;
static_assert(may_ask<ops_counted, counts> && may_ask<ops_counted, graph> && may_ask<ops_counted, ir::module>);
static_assert(!may_ask<elements_counted, counts> && may_ask<elements_counted, graph>, "proved by the checker");
static_assert(!may_ask<rests_on_unproved, graph> && may_ask<rests_on_unproved, ir_module<phases::build, unproved>>);
// What it says of its end is what the judge goes by.
static_assert(pass_desc_of<marks>.keeps_fact(&fact_desc_of<ops_counted>));
static_assert(!pass_desc_of<tidies>.keeps_fact(&fact_desc_of<ops_counted>));
static_assert(pass_desc_of<lies>.keeps_fact(&fact_desc_of<ops_counted>));
static_assert(!pass_desc_of<passes::infer_shapes>.keeps_fact(&fact_desc_of<elements_counted>) ||
              pass_desc_of<passes::infer_shapes>.gives().contains(&fact_desc_of<fact::shapes_known>));

/// How often something is computed while passes run.
template <class... Ps>
int computed_by(context& cx, const Ps&... ps) {
  computed = 0;
  graph m = module_of_text();
  const auto one = [&](const auto& p) { m = std::move(run(p, std::move(m), cx)).edit(); };
  (one(ps), ...);
  return computed;
}

}  // namespace

TEST_CASE("an analysis is computed once, and again where a pass ended its fact") {
  for (bool verify : {false, true}) {
    CAPTURE(verify);
    context cx;
    const auto times = [&](const auto&... ps) {
      cx.verify_each = false;
      const int plain = computed_by(cx, ps...);
      cx.verify_each = verify;
      CHECK(computed_by(cx, ps...) >= plain);  // proved again and again
      return plain;
    };
    CHECK(times(counts{}) == 1);
    CHECK(times(counts{}, counts{}, counts{}) == 1);
    CHECK(times(counts{}, marks{}, counts{}) == 1);
    CHECK(times(counts{}, forgets{}, counts{}) == 2);
    CHECK(times(counts{}, forgets{.finds_nothing = true}, counts{}) == 1);
    CHECK(times(counts{}, tidies{}, counts{}) == 2);
    CHECK(times(counts{}, forgets{.finds_nothing = true}, tidies{}, counts{}, marks{}, counts{}) == 2);
  }
}

TEST_CASE("verify_each computes again what a pass says it kept") {
  context cx;
  CHECK_NOTHROW(computed_by(cx, counts{}, lies{}));
  CHECK_NOTHROW(computed_by(cx, counts{}, lies_of_nothing{}));
  cx.verify_each = true;
  CHECK_NOTHROW(computed_by(cx, lies{}, counts{}));  // nothing was computed that it could spoil
  const error kept = caught([&] { computed_by(cx, counts{}, lies{}); });
  CHECK(kept.code() == "tenon-E030");
  CHECK(kept.message().find("pass 'lies' leaves a module of which 'ops_counted' is said to be kept") == 0);
  const error nothing = caught([&] { computed_by(cx, counts{}, lies_of_nothing{}); });
  CHECK(nothing.message() == "pass 'lies_of_nothing' leaves a module that it changed, and says 'changed_nothing'");
}

TEST_CASE("what an analysis rests on is proved where nobody needs it") {
  context cx;
  graph known = module_of_text();
  CHECK(cx.analysis<elements_counted>(known) == 2);
  graph open = parse<phases::optimization>(R"(tenon.module phase=optimization
func entry @main(%0: tensor<4xf32>) -> (tensor<*xf32>) inputs("x") outputs("y") {
  %1 = neg(%0) : tensor<*xf32>
  return(%1)
}
)");
  CHECK(caught([&] { cx.analysis<elements_counted>(open); }).code() == "fact.shapes_known");
}

TEST_CASE("by hand: a value lives with its module, and is computed anew while somebody can edit that") {
  context cx;
  computed = 0;
  auto m = run(marks{}, module_of_text(), cx);
  CHECK(cx.analysis<ops_counted>(m).at("neg") == 1);
  CHECK(cx.analysis<ops_counted>(m).at("neg") == 1);
  CHECK(computed == 1);
  auto copy = m.clone();
  CHECK(copy.body().analyses().empty());
  graph editable = std::move(m).edit();
  erase_unused_negation(editable.body());
  CHECK(cx.analysis<ops_counted>(editable).count("neg") == 0);
  CHECK(cx.analysis<ops_counted>(editable).count("neg") == 0);
  CHECK(computed == 3);
  editable.body().metadata["a"] = "b";
  auto after = run(counts{}, std::move(editable), cx);
  CHECK(computed == 4);
  CHECK(cx.analysis<ops_counted>(after.body()).size() == 2);
  CHECK(computed == 5);  // of a plain module nobody knows what was done to it
}

TEST_CASE("compact: nothing is found behind it, and what stands there stays until the pass ends") {
  graph m = module_of_text();
  ir::module& body = m.body();
  const auto& what = detail::analysis_info_of<ops_counted>;
  const void* const value = body.analyses().compute(what, body);
  CHECK(body.analyses().find(what) == value);
  body.compact();
  CHECK(body.analyses().find(what) == nullptr);
  CHECK_FALSE(body.analyses().empty());
  body.analyses().keep_if(true, [](const ir::analysis_info&) { return true; });
  CHECK(body.analyses().find(what) == value);
  body.compact();
  body.analyses().keep_if(false, [](const ir::analysis_info&) { return true; });
  CHECK(body.analyses().empty());
}

TEST_CASE("passes inside of a pass end what they end") {
  context cx;
  cx.verify_each = true;
  CHECK_NOTHROW(computed_by(cx, around{}));
}

TEST_CASE("purity: of calls, regions, and functions that call each other") {
  graph m = parse<phases::optimization>(R"(tenon.module phase=optimization
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %1 = call(%0) {callee = @pure} : tensor<4xf32>
  %2 = call(%1) {callee = @noisy} : tensor<4xf32>
  %3 = call(%2) {callee = @ping} : tensor<4xf32>
  %4 = call(%3) {callee = @outer} : tensor<4xf32>
  return(%4)
}
func @outer(%0: tensor<4xf32>) -> (tensor<4xf32>) {
  %1 = call(%0) {callee = @pure} : tensor<4xf32>
  return(%1)
}
func @ping(%0: tensor<4xf32>) -> (tensor<4xf32>) {
  %1 = call(%0) {callee = @pong} : tensor<4xf32>
  return(%1)
}
func @pong(%0: tensor<4xf32>) -> (tensor<4xf32>) {
  %1 = call(%0) {callee = @ping} : tensor<4xf32>
  return(%1)
}
func @pure(%0: tensor<4xf32>) -> (tensor<4xf32>) {
  %1 = neg(%0) : tensor<4xf32>
  return(%1)
}
func @noisy(%0: tensor<4xf32>) -> (tensor<4xf32>) {
  %1 = draw_seed() : tensor<u32>
  return(%0)
}
)");
  const fact::purity pure = fact::purity_known::compute(m.body());
  std::vector<bool> said;
  for (op_id op : m.body()[m.body()[m.body().find_function("main")].body].ops)
    if (!m.body().view(op).info().traits.terminator) said.push_back(pure.of_op(m.body(), op));
  CHECK(said == std::vector<bool>{true, false, false, true});
}

TEST_CASE("a pipeline computes purity once for passes that keep it") {
  context cx;
  cx.verify_each = true;
  const auto done = run_pipeline<pipeline<passes::infer_shapes, passes::eliminate_dead, passes::eliminate_dead>>(
      module_of_text(), cx);
  CHECK(print(done).find("neg") == std::string::npos);
}
