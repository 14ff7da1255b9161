/// @file fact_bounds_test: facts that say themselves what ends them, in modules' types, in repeats and inside of
/// passes.
#include <doctest/doctest.h>

#include <tenon/compile/repeat.hpp>
#include <tenon/compile/run_inside.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;

struct marked {  // every op of the graph has a mark
  static constexpr tn::fixed_string name = "marked";
  using of_each = tn::ops<add, mul>;
};
struct counted {
  static constexpr tn::fixed_string name = "counted";
  using of_all = tn::any_ops;
};
struct placed {
  static constexpr tn::fixed_string name = "placed";
  using rests_on = tn::facts<shapes, legal>;
};
struct also_marked {
  static constexpr tn::fixed_string name = "also_marked";
  using same_as = marked;
};
struct calls_known {  // of calls and functions together: who calls whom
  static constexpr tn::fixed_string name = "calls_known";
  using of_all = tn::ops<kernel_call, tn::any_functions>;
};
struct bound {  // of each function, as its check says
  static constexpr tn::fixed_string name = "bound";
  static void check(const tn::ir::module&, tn::function_id);
};
struct bound_loops {  // of each of some ops, whatever function they are in
  static constexpr tn::fixed_string name = "bound_loops";
  using of_each = tn::ops<mul>;
  static void check(const tn::ir::module&, tn::function_id);
};
struct bound_as_whole {
  static constexpr tn::fixed_string name = "bound_as_whole";
  static void check(const tn::ir::module&);
  static void check(const tn::ir::module&, tn::function_id);
};
template <class Emits, class Keeps = tn::all_facts>
struct pass_of {
  static constexpr tn::fixed_string name = "pass_of";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = Keeps;
  using emits = Emits;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
template <class F, class Pass>
inline constexpr bool survives = tn::after_t<Pass, tn::ir_module<graph, F>>::template knows<F>;

struct deleting : pass_of<tn::ops<>> {
  using deletes = tn::effects<>;
};
struct breaking : pass_of<tn::ops<>> {
  using keeps = tn::facts<placed>;
};
struct reshaping {
  static constexpr tn::fixed_string name = "reshaping";
  using runs_in = graph;
  using needs = tn::facts<>;
  using breaks = tn::facts<shapes>;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};

// In the type of a module.
static_assert(survives<marked, pass_of<tn::ops<>>>);
static_assert(survives<marked, pass_of<tn::ops<kernel_call>>>);
static_assert(!survives<marked, pass_of<tn::ops<add>>>);
static_assert(!survives<marked, pass_of<tn::any_ops>>);
static_assert(survives<marked, pass_of<tn::ops<add>, tn::facts<marked>>>);
static_assert(survives<counted, pass_of<tn::ops<>>>);
static_assert(!survives<counted, pass_of<tn::ops<kernel_call>>>);
static_assert(!survives<counted, deleting>);
static_assert(!survives<counted, legalize>);
static_assert(survives<marked, deleting>);
static_assert(survives<placed, pass_of<tn::ops<kernel_call>>>);
static_assert(!survives<placed, pass_of<tn::ops<add>>>);
static_assert(!survives<placed, reshaping>);
static_assert(!tn::pass<breaking>);

struct adding : pass_of<tn::ops<>> {
  static constexpr bool adds_functions = true;
};
struct removing : pass_of<tn::ops<>> {
  static constexpr bool removes_functions = true;
};
struct renewing : pass_of<tn::ops<>> {
  static constexpr bool changes_functions = true;
};
struct inlining : pass_of<tn::ops<>> {
  using duplicates = tn::any_effects;
};
static_assert(!survives<calls_known, adding> && !survives<calls_known, removing> && !survives<calls_known, renewing>);
static_assert(!survives<calls_known, inlining> && !survives<calls_known, pass_of<tn::ops<kernel_call>>>);
static_assert(survives<calls_known, pass_of<tn::ops<add>>>);
static_assert(!survives<bound, adding> && !survives<bound, renewing> && survives<bound, removing>);
static_assert(survives<bound, inlining> && survives<bound, pass_of<tn::ops<kernel_call>>>);
static_assert(survives<tn::of_some<bound>, adding> && !survives<tn::of_some<bound>, renewing>);
static_assert(survives<bound_loops, adding> && !survives<bound_loops, pass_of<tn::ops<mul>>>);
static_assert(survives<bound_as_whole, adding>, "it is asked of the module");

// Who only moves ops leaves those where they are that have an effect which it leaves alone; it may take away what uses
// them, too, if it does more.
struct waits {
  using effects = tn::effects<tn::effect::sync, tn::effect::io>;
};
struct sends {
  using effects = tn::effects<tn::effect::sync>;
};
struct in_order {
  static constexpr tn::fixed_string name = "in_order";
  using of_all = tn::ops<waits, sends>;
};
struct in_order_with_all {
  static constexpr tn::fixed_string name = "in_order_with_all";
  using of_all = tn::ops<waits, sends, add>;  // nobody knows what `add` does
};
struct moving : pass_of<tn::ops<>> {
  using moves = tn::effects<>;
  using leaves = tn::effects<tn::effect::sync>;
};
struct moving_all : pass_of<tn::ops<>> {
  using moves = tn::effects<tn::effect::sync>;
  using leaves = tn::effects<tn::effect::sync>;
};
struct leaving_io : pass_of<tn::ops<>> {
  using moves = tn::effects<>;
  using leaves = tn::effects<tn::effect::io>;
};
struct merging : moving {
  using merges = tn::effects<>;
};
struct copying : moving {
  using duplicates = tn::effects<>;
};
static_assert(survives<in_order, moving> && !survives<in_order_with_all, moving> && !survives<counted, moving>);
static_assert(!survives<in_order, moving_all> && !survives<in_order, leaving_io>);
static_assert(!survives<in_order, merging> && !survives<in_order, copying>);

// Functions, where they stand.
struct named {
  static constexpr tn::fixed_string name = "named";
  using of_each = tn::any_functions;
};
struct table_written {
  static constexpr tn::fixed_string name = "table_written";
  using of_all = tn::any_functions;
};
struct renames : pass_of<tn::ops<>> {
  static constexpr bool changes_functions = true;
};
struct renames_and_names : pass_of<tn::ops<>, tn::facts<named>> {
  static constexpr bool changes_functions = true;
};
static_assert(!survives<named, renames> && !survives<table_written, renames> && survives<counted, renames> &&
              survives<named, renames_and_names> && !survives<named, tn::repeat<renames, moving>>);

// Two names of one fact.
struct needs_it {
  static constexpr tn::fixed_string name = "needs_it";
  using runs_in = graph;
  using needs = tn::facts<also_marked>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
static_assert(&tn::fact_desc_of<also_marked> == &tn::fact_desc_of<marked>);
// Names of names, and two libraries that know of each other.
struct third_name {
  static constexpr tn::fixed_string name = "third_name";
  using same_as = also_marked;
};
static_assert(&tn::fact_desc_of<third_name> == &tn::fact_desc_of<marked>);
struct theirs;
struct ours {
  static constexpr tn::fixed_string name = "ours";
  using same_as = theirs;
};
struct theirs {
  static constexpr tn::fixed_string name = "theirs";
  using same_as = ours;
};
struct of_us_all {
  static constexpr tn::fixed_string name = "of_us_all";
  using same_as = ours;
};
static_assert(&tn::fact_desc_of<ours> == &tn::fact_desc_of<theirs> &&
              &tn::fact_desc_of<of_us_all> == &tn::fact_desc_of<ours> && !tn::detail::flawed_fact<ours>);
static_assert(&tn::fact_desc_of<tn::of_some<ours>> == &tn::fact_desc_of<tn::of_some<of_us_all>> &&
              tn::fact_desc_of<tn::of_some<theirs>>.whole == &tn::fact_desc_of<ours>);
static_assert(tn::can_run<needs_it, tn::ir_module<graph, marked>>);
static_assert(tn::can_run<needs_it, tn::ir_module<graph, also_marked>>);
static_assert(!tn::can_run<needs_it, tn::ir_module<graph>>);

// In a repeat: a member that makes such ops ends it.
struct tidy : pass_of<tn::ops<>> {
  static constexpr tn::fixed_string name = "tidy";
};
struct expand : pass_of<tn::ops<mul>> {
  static constexpr tn::fixed_string name = "expand";
};
struct knowing : pass_of<tn::ops<mul>, tn::facts<marked>> {
  static constexpr tn::fixed_string name = "knowing";
};
static_assert(survives<marked, tn::repeat<tidy>>);
static_assert(!survives<marked, tn::repeat<tidy, expand>>);
static_assert(survives<marked, tn::repeat<tidy, knowing>>);

// Inside of a pass.
struct around : pass_of<tn::ops<mul>, tn::facts<marked>> {
  static constexpr tn::fixed_string name = "around";
};
static_assert(tn::can_run_inside<around, graph, knowing>);
static_assert(!tn::can_run_inside<around, graph, expand>);

struct wants {
  static constexpr tn::fixed_string name = "wants";
  using runs_in = graph;
  using needs = tn::facts<marked, shapes, placed>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
}  // namespace

TEST_CASE("all that a pass misses is in one verdict") {
  constexpr tn::verdict v = tn::verdict_of<infer, reshaping, wants>;
  CHECK(v.code == 3);  // 'shapes' was given, and broken
  CHECK(v.subject == tn::label{"shapes", 6});
  CHECK(v.also.total == 0);
  CHECK(v.besides.total == 2);
  constexpr tn::meta::phrase said = tn::sentence_of(v);
  CHECK(std::string(said.characters, said.length).find(" gave it, and misses 'marked' and 'placed' too") !=
        std::string::npos);
  constexpr tn::verdict none = tn::verdict_of<wants>;
  CHECK(none.code == 2);
  CHECK(none.also.total == 2);
}
