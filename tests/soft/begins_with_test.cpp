// What a phase begins with: in pipelines, planned, run, as text, and proved where modules go to passes.
#include <doctest/doctest.h>

#include <tenon/compile/run_pipeline.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/judge/plan.hpp>

#include <support/caught.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;
using tn::testing::caught;

struct source {
  static constexpr tn::fixed_string name = "source";
  using op_list = tn::ops<add, mul>;
  using begins_with = tn::facts<shapes, legal>;
};
struct base {
  using runs_in = source;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct relies : base {
  static constexpr tn::fixed_string name = "relies";
  using needs = tn::facts<shapes>;
};
struct quiet : base {
  static constexpr tn::fixed_string name = "quiet";
};
struct breaker {
  static constexpr tn::fixed_string name = "breaker";
  using runs_in = source;
  using needs = tn::facts<>;
  using breaks = tn::facts<shapes>;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct relies_on_ops : base {
  static constexpr tn::fixed_string name = "relies_on_ops";
  using needs = tn::facts<legal>;
};
struct makes_adds : base {
  static constexpr tn::fixed_string name = "makes_adds";
  using emits = tn::ops<add>;
};
struct enter_source {
  static constexpr tn::fixed_string name = "enter_source";
  using from = graph;
  using to = source;
  using needs = tn::facts<>;
  using eliminates = tn::ops<kernel_call>;
  using handles = tn::ops<kernel_call>;
  using emits = tn::ops<>;
};
static_assert(tn::is_valid<tn::pass_list<relies, relies_on_ops>>);
static_assert(tn::is_valid<tn::pass_list<relies, breaker>> && tn::verdict_of<breaker, relies>.code == 3);
static_assert(tn::verdict_of<makes_adds, relies_on_ops>.code == 3);
static_assert(tn::verdict_of<enter_source, relies>.code == 2, "who leads there gives it, or not");
template <class P, tn::fixed_string F>
using on = tn::optional<P, tn::when<F>>;
static_assert(tn::is_valid<tn::pass_list<on<quiet, "q">, relies>>);
static_assert(tn::verdict_of<on<breaker, "b">, relies>.inner == 3);
static_assert(tn::meta::same<tn::arrange<source, source, breaker, relies>::passes, tn::pass_list<relies, breaker>>);
static_assert(
    tn::meta::same<tn::minimal<source, tn::goal<source, tn::facts<shapes>>, breaker>::passes, tn::pass_list<>>);
// An extension begins with the same.
struct relies_on_extension : relies {
  static constexpr tn::fixed_string name = "relies_on_extension";
  using runs_in = tn::extend<source, jump>;
};
static_assert(tn::judged<tn::ops<jump>, relies_on_extension>::ok);
// By hand, what is known is what the type says.
static_assert(!tn::can_run<relies, tn::ir_module<source>> && tn::can_run<relies, tn::ir_module<source, shapes>>);

tn::ir_module<source> wrong() {
  tn::ir_module<source> m;
  m.body().metadata["shapes are wrong"] = "yes";
  return m;
}
using rely = tn::pipeline<relies, quiet>;
}  // namespace

TEST_CASE("what a phase begins with is proved where a module goes to passes that rely on it") {
  tn::context cx;
  auto m = tn::run_pipeline<rely>(tn::ir_module<source>(), cx);
  static_assert(decltype(m)::knows<shapes>);
  CHECK(
      std::string(caught([&] { static_cast<void>(tn::run_pipeline<rely>(wrong(), cx)); }).what()) ==
      "phase 'source' begins with 'shapes', which these passes rely on, and of this module it does not hold: 'shapes' "
      "does not hold; run a pass that gives it first [fact]");
  static_cast<void>(tn::run_pipeline<tn::pipeline<quiet, breaker>>(wrong(), cx));  // nobody relies on it
  static_cast<void>(tn::run_pipeline<rely>(tn::establish<shapes>(tn::ir_module<source>()), cx));
}

TEST_CASE("the same in an order that comes as text") {
  using known = tn::pass_list<relies, quiet, breaker>;
  tn::context cx;
  const tn::order o = tn::order::parse("quiet, relies", tn::registry_of<known>);
  static_cast<void>(o.run(std::make_unique<tn::ir::module>(), cx));
  CHECK(caught([&] { static_cast<void>(o.run(std::make_unique<tn::ir::module>(wrong().body()), cx)); })
            .message()
            .find("phase 'source' begins with 'shapes'") == 0);
  CHECK(caught([&] { tn::order::parse("breaker, relies", tn::registry_of<known>); })
            .message()
            .find("which pass 'breaker' (1st) breaks after it held from the start") != std::string::npos);
  CHECK(tn::judge_order({&tn::pass_desc_of<relies>}).ok());
  const std::vector<const tn::pass_desc*> passes = {&tn::pass_desc_of<quiet>, &tn::pass_desc_of<relies>};
  CHECK(tn::resume_at(passes, tn::phase_desc_of<source>, std::vector<std::string>{"shapes"}) == 0);
}
