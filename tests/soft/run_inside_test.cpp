// Passes that run in the body of another one: what that must say of them, and what runs.
#include <doctest/doctest.h>

#include <tenon/compile/run_inside.hpp>
#include <tenon/compile/run_pipeline.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/simplify.hpp>
#include <tenon/phases/all.hpp>

#include <support/caught.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;

// Small passes of one kind each, and who runs them.
struct other_fact {
  static constexpr tn::fixed_string name = "other_fact";
};
struct spoil_other : spoil {
  static constexpr tn::fixed_string name = "spoil_other";
  using breaks = tn::facts<other_fact>;
};
struct outer {
  static constexpr tn::fixed_string name = "outer";
  using runs_in = graph;
  using needs = tn::facts<shapes>;
  using keeps = tn::all_facts;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
template <class Outer, class... Inner>
constexpr bool may = tn::can_run_inside<Outer, graph, Inner...>;

static_assert(may<outer> && may<outer, fold> && may<outer, infer, fold>);
static_assert(!tn::can_run_inside<outer, code, fold>, "another phase");
static_assert(!may<outer, lift> && !may<outer, leave>, "a pass that leaves the phase");

// Needs: what the pass around needs and keeps, or what was given inside.
struct needs_nothing : outer {
  static constexpr tn::fixed_string name = "needs_nothing";
  using needs = tn::facts<>;
};
struct keeps_nothing : outer {
  static constexpr tn::fixed_string name = "keeps_nothing";
  using keeps = tn::facts<>;
};
struct gives_shapes : outer {
  static constexpr tn::fixed_string name = "gives_shapes";
  using gives = tn::facts<shapes>;
};
static_assert(!may<needs_nothing, fold> && may<needs_nothing, infer, fold>);
static_assert(!may<keeps_nothing, fold>, "it may have broken it by then");
static_assert(may<keeps_nothing, infer, fold> && may<keeps_nothing, spoil>);
static_assert(!may<gives_shapes, fold> && may<gives_shapes, spoil>, "what it gives may be broken on the way");

// Promises: what the pass around keeps holds again behind those inside.
static_assert(!may<outer, spoil> && may<outer, spoil, infer> && !may<outer, infer, spoil>);
static_assert(!may<outer, spoil, fold> && may<outer, spoil, infer, fold>);
struct breaks_shapes {
  static constexpr tn::fixed_string name = "breaks_shapes";
  using runs_in = graph;
  using needs = tn::facts<shapes>;
  using breaks = tn::facts<shapes>;
};
static_assert(may<breaks_shapes, spoil> && !may<breaks_shapes, fold> && !may<breaks_shapes, spoil_other>);
struct keeps_shapes_only : outer {
  static constexpr tn::fixed_string name = "keeps_shapes_only";
  using keeps = tn::facts<shapes>;
};
static_assert(may<keeps_shapes_only, spoil_other> && !may<outer, spoil_other> && !may<keeps_shapes_only, spoil>);
static_assert(!may<outer, keeps_shapes_only>, "the rest is kept by the one around only");

// Ops: what is emitted inside is emitted, unless one behind it eliminates that.
struct emits_calls : outer {
  static constexpr tn::fixed_string name = "emits_calls";
  using emits = tn::ops<kernel_call>;
};
struct emits_adds : outer {
  static constexpr tn::fixed_string name = "emits_adds";
  using emits = tn::ops<add>;
};
static_assert(may<emits_calls, legalize> && !may<emits_calls, emits_adds> && may<emits_calls, emits_adds, legalize>);
static_assert(!may<emits_calls, legalize, emits_adds> && !may<emits_calls, fold>, "who may emit any op");
struct needs_legal : emits_calls {
  static constexpr tn::fixed_string name = "needs_legal";
  using needs = tn::facts<legal>;
};
static_assert(may<needs_legal, needs_legal> && may<emits_calls, legalize, needs_legal> &&
              !may<emits_calls, needs_legal>);
static_assert(!may<needs_legal, emits_adds, needs_legal>);
struct no_arithmetic {
  static constexpr tn::fixed_string name = "no_arithmetic";
  using absent_ops = tn::ops<add, mul>;
};
struct no_adds {
  static constexpr tn::fixed_string name = "no_adds";
  using absent_ops = tn::ops<add>;
};
struct needs_no_arithmetic : emits_calls {
  static constexpr tn::fixed_string name = "needs_no_arithmetic";
  using needs = tn::facts<no_arithmetic>;
};
struct emits_products : needs_no_arithmetic {
  static constexpr tn::fixed_string name = "emits_products";
  using emits = tn::ops<mul>;
};
struct checks_adds : emits_calls {
  static constexpr tn::fixed_string name = "checks_adds";
  using needs = tn::facts<no_adds>;
  using emits = tn::ops<>;
};
static_assert(may<needs_no_arithmetic, checks_adds> && may<emits_products, checks_adds>, "no adds are left, nor made");
static_assert(!may<emits_adds, checks_adds> && !may<emits_calls, checks_adds>);

// Places: intervals, neighbours, counts, flags, functions ahead, effects.
struct once : fold {
  static constexpr tn::fixed_string name = "once";
  static constexpr bool at_most_once = true;
};
struct follows_infer : fold {
  static constexpr tn::fixed_string name = "follows_infer";
  using immediately_after = infer;
};
static_assert(!may<outer, once> && !may<outer, follows_infer> && may<outer, infer, follows_infer> &&
              !may<outer, tn::optional<fold, tn::when<"x">>>);
// Among themselves: the judge says it, of the order that they are.
struct within : outer {
  static constexpr tn::fixed_string name = "within";
  using not_between = tn::interval<infer, fold>;
};
struct runs_within : outer {
  static constexpr tn::fixed_string name = "runs_within";
  using not_between = tn::interval<infer, fold>;
};
struct runs_once : outer {
  static constexpr tn::fixed_string name = "runs_once";
  static constexpr bool at_most_once = true;
};
static_assert(may<runs_within, within, infer, fold> && may<runs_within, infer, within>);
static_assert(!may<runs_within, infer, within, fold> && may<runs_once, once> && !may<runs_once, once, once>);
constexpr auto said_within = tn::detail::inside_check<runs_within, graph, infer, within, fold>::say();
constexpr auto said_twice = tn::detail::inside_check<runs_once, graph, once, once>::say();

using optimization = tn::phases::optimization;
namespace tp = tn::passes;
struct clean_up {
  static constexpr tn::fixed_string name = "clean_up";
  using runs_in = optimization;
  static constexpr bool removes_functions = true;
  using needs = tn::facts<tn::fact::shapes_known>;
  using keeps = tp::graph_facts;
  using emits = tp::simplify::emits;
  using deletes = tn::effects<>;
  using leaves = tp::simplify::leaves;
  using not_between = tp::simplify::not_between;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const {
    tn::run_inside<tp::simplify, tp::eliminate_dead>(*this, m, cx);
  }
};
struct everywhere : clean_up {
  static constexpr tn::fixed_string name = "everywhere";
  using not_between = tp::fuse::not_between;
};
struct untreated {
  static constexpr tn::fixed_string name = "untreated";
  using runs_in = optimization;
  using needs = tn::facts<tn::fact::shapes_known>;
  using keeps = tp::graph_facts;
  using not_between = tp::simplify::not_between;
};
struct merges_more : tp::eliminate_dead {
  static constexpr tn::fixed_string name = "merges_more";
  using deletes = tn::effects<tn::effect::random>;
};
static_assert(tn::can_run_inside<clean_up, optimization, tp::simplify> &&
              !tn::can_run_inside<everywhere, optimization, tp::simplify>);
static_assert(!tn::can_run_inside<untreated, optimization, tp::simplify> &&
              !tn::can_run_inside<clean_up, optimization, merges_more>);
static_assert(!tn::can_run_inside<untreated, optimization, tp::legalize_ops>);

// What a pass inside works on: there, as far as the pass around says, and said by that too, unless it is made in there.
struct expands_adds : needs_nothing {
  static constexpr tn::fixed_string name = "expands_adds";
  using emits = tn::ops<mul>;
  using eliminates = tn::ops<add>;
  using handles = tn::ops<add>;
};
struct matches_adds : needs_nothing {
  static constexpr tn::fixed_string name = "matches_adds";
  using emits = tn::ops<>;
  using works_on = tn::ops<add>;
};
struct matches_any : matches_adds {
  static constexpr tn::fixed_string name = "matches_any";
  static constexpr bool may_find_nothing = true;
};
struct emits_muls : needs_nothing {
  static constexpr tn::fixed_string name = "emits_muls";
  using emits = tn::ops<mul>;
};
struct matches_too : emits_muls {
  static constexpr tn::fixed_string name = "matches_too";
  using works_on = tn::ops<mul, add>;
};
struct may_miss : emits_muls {
  static constexpr tn::fixed_string name = "may_miss";
  static constexpr bool may_find_nothing = true;
};
struct needs_no_adds : needs_legal {
  static constexpr tn::fixed_string name = "needs_no_adds";
  static constexpr bool may_find_nothing = true;
};
static_assert(!may<emits_muls, matches_adds> && may<emits_muls, matches_any>, "the pass around says it, too");
static_assert(may<matches_too, matches_adds> && may<may_miss, matches_adds>);
static_assert(may<matches_too, matches_adds, expands_adds> && !may<matches_too, expands_adds, matches_adds>);
static_assert(!may<needs_no_adds, matches_adds>, "its own need says that there is none");
static_assert(!may<needs_nothing, expands_adds, matches_adds>, "it may emit any op, but not between the two");
static_assert(may<needs_nothing, expands_adds, infer, fold, matches_adds>, "the one between may emit any op");

// The pass around is judged in a pipeline as always: what it says of those inside counts.
static_assert(tn::verdict_of<tp::infer_shapes, clean_up>.ok() && tn::verdict_of<clean_up>.code == 2);

/// Gives shapes by whoever gives them, which may lie.
struct shape_all {
  static constexpr tn::fixed_string name = "shape_all";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<shapes>;
  using keeps = tn::all_facts;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const { tn::run_inside<infer, fold, fold>(*this, m, cx); }
};
}  // namespace

TEST_CASE("what is wrong among passes inside is said as of any order, by their places in the list") {
  const auto text = [](const auto& p) { return std::string(p.characters, p.length); };
  CHECK(text(said_within) == "tenon-E019: pass 'within' (2nd) may not run between 'infer' (1st) and 'fold' (3rd)");
  CHECK(text(said_twice) == "tenon-E015: pass 'once' (2nd) may run at most once, and ran before (1st)");
}

TEST_CASE("passes inside run in their order, with the options of the context, and are told of") {
  tn::context cx;
  cx.verify_each = true;
  auto m = tn::run<shape_all>(tn::ir_module<graph>(), cx);
  static_assert(decltype(m)::knows<shapes>);
  CHECK(m.body().metadata.at("folded") == "xx");
  std::string ran;
  for (const tn::pass_record& r : cx.records) ran += r.name + " ";
  CHECK(ran == "infer fold fold shape_all ");
  cx.set(infer{.lie = true});
  try {
    static_cast<void>(tn::run<shape_all>(tn::ir_module<graph>(), cx));
    FAIL("the lie was not found");
  } catch (const tn::error& e) {
    CHECK(e.code() == "tenon-E030");
    CHECK(e.message().find("pass 'infer' leaves a module of which 'shapes' is said") == 0);
  }
}
