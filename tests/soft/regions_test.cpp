/// @file regions_test: what regions may hold, asked softly: lists and effects, repeats, passes inside of passes, and
/// modules.
#include <doctest/doctest.h>

#include <tenon/compile/repeat.hpp>
#include <tenon/compile/run_inside.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>

#include "soft/world.hpp"

namespace soft_regions {
namespace tn = tenon;

struct load {
  static constexpr tn::fixed_string name = "soft.load";
  using effects = tn::effects<tn::effect::reads>;
};
struct wait {
  static constexpr tn::fixed_string name = "soft.wait";
  static constexpr tn::op_traits traits{.max_operands = 0, .results = 0};
  using effects = tn::effects<tn::effect::sync>;
};
// Nobody asks an op for its effects where it is only declared: compilers would remember what they found there.
struct defined_later;
static_assert(!tn::detail::has_effect<defined_later, tn::effects<tn::effect::io>, true>());
struct defined_later {
  using effects = tn::effects<tn::effect::io>;
};
static_assert(tn::meta::same<tn::effects_of_t<defined_later>, tn::effects<tn::effect::io>>);
struct end {
  static constexpr tn::fixed_string name = "soft.end";
  static constexpr tn::op_traits traits{.terminator = true, .max_operands = 0, .results = 0};
  using effects = tn::effects<tn::effect::sync>;
};
struct only_declared;
template <class Rule>
struct with_region : Rule {
  static constexpr tn::fixed_string name = "soft.with_region";
  static constexpr tn::op_traits traits{
      .effects = tn::effect_bits::writes, .regions = 1, .max_operands = 0, .results = 0};
};
struct forbids_wait {
  using region_forbids = tn::ops<wait>;
};
struct forbids_sync {
  using region_forbids = tn::effects<tn::effect::sync>;
};
struct allows_load {
  using region_allows = tn::ops<load>;
};
struct allows_reads {
  using region_allows = tn::effects<tn::effect::reads>;
};
struct anything {};

template <class Region>
struct phase_of {
  static constexpr tn::fixed_string name = "phase_of";
  using op_list = tn::ops<load, wait, end, only_declared, Region>;
};
template <class Region, class... Emits>
struct making {
  static constexpr tn::fixed_string name = "making";
  using runs_in = phase_of<Region>;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<Emits...>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
/// May a pass of a phase with such regions emit `Op` without saying where?
template <class Rule, class Op>
inline constexpr bool may_emit = tn::is_valid<tn::pass_list<making<with_region<Rule>, Op>>>;

static_assert(may_emit<anything, wait> && may_emit<anything, with_region<anything>>);
static_assert(!may_emit<forbids_wait, wait> && may_emit<forbids_wait, load> && may_emit<forbids_wait, only_declared>);
static_assert(!may_emit<forbids_sync, wait> && may_emit<forbids_sync, load> && may_emit<forbids_sync, only_declared>);
static_assert(may_emit<forbids_sync, end>, "what ends a region is always allowed");
static_assert(!may_emit<allows_load, wait> && may_emit<allows_load, load> && !may_emit<allows_load, only_declared>);
static_assert(!may_emit<allows_reads, wait> && may_emit<allows_reads, load> && may_emit<allows_reads, only_declared>);
static_assert(may_emit<allows_load, end> && may_emit<allows_reads, end>);
static_assert(!may_emit<allows_load, with_region<allows_load>>, "it is not in its own list");

// What makes a region says what that takes in.
using limited = with_region<forbids_wait>;
struct outlines : making<limited, limited> {
  static constexpr tn::fixed_string name = "outlines";
};
struct outlines_loads : outlines {
  using encloses = tn::ops<load>;
};
struct waits : making<limited, wait> {
  static constexpr tn::fixed_string name = "waits";
};
struct waits_outside : waits {
  using emits_outside = tn::ops<wait>;
};
struct hurried : making<limited> {
  static constexpr tn::fixed_string name = "hurried";
  using emits = tn::any_ops;
};
struct careful : hurried {
  using emits_outside = tn::any_ops;
  using encloses = tn::ops<load>;
};
static_assert(tn::verdict_of<outlines>.code == 42 && tn::verdict_of<outlines>.takes_in);
static_assert(tn::verdict_of<waits>.code == 42 && !tn::verdict_of<waits>.takes_in);
static_assert(tn::is_valid<tn::pass_list<outlines_loads, waits_outside>>);
static_assert(tn::verdict_of<hurried>.code == 42 && tn::is_valid<tn::pass_list<careful>>);
static_assert(!tn::can_run<waits, tn::ir_module<phase_of<limited>>> &&
              !tn::can_run<outlines, tn::ir_module<phase_of<limited>>>);
static_assert(tn::can_run<waits_outside, tn::ir_module<phase_of<limited>>>);
static_assert(tn::can_run<outlines_loads, tn::ir_module<phase_of<limited>>>);

// As one that is repeated.
struct idle : making<limited> {
  static constexpr tn::fixed_string name = "idle";
};
struct waits_too : waits {
  static constexpr tn::fixed_string name = "waits_too";
};
static_assert(tn::is_valid<tn::pass_list<tn::repeat<waits_outside, idle>>>);
static_assert(!tn::is_valid<tn::pass_list<tn::repeat<waits_outside, waits_too>>>, "one of them does not say it");
static_assert(tn::is_valid<tn::pass_list<tn::repeat<outlines_loads, idle>>>);
static_assert(!tn::is_valid<tn::pass_list<tn::repeat<outlines, idle>>>);

// Inside of a pass that says it.
static_assert(tn::can_run_inside<waits_outside, phase_of<limited>, waits_outside>);
static_assert(!tn::can_run_inside<waits_outside, phase_of<limited>, waits>);
static_assert(tn::can_run_inside<outlines_loads, phase_of<limited>, outlines_loads>);
static_assert(!tn::can_run_inside<outlines_loads, phase_of<limited>, outlines>);

template <class Rule, class Op>
std::string problem_with() {
  tn::ir::module m;
  const tn::function_id f = m.add_function("f", tn::ir::function_kind::graph, {});
  tn::ir::builder<> b(m, m[f].body);
  const tn::op_id around = b.make_op(with_region<Rule>{}, {}, {}, 1);
  tn::ir::builder<> in(m, m.region(around));
  in.make_op(Op{}, {}, {});
  in.make_op(end{}, {}, {});
  b.make_op(tn::op::return_{}, {}, {});
  try {
    tn::ir::verify(m);
  } catch (const tn::error& e) { return e.what(); }
  return "";
}
}  // namespace soft_regions

TEST_CASE("a module is held to what regions allow") {
  using namespace soft_regions;
  CHECK(problem_with<anything, wait>() == "");
  const std::string said = problem_with<forbids_wait, wait>();
  CAPTURE(said);
  CHECK(said.find("it stands in a region of 'soft.with_region', which does not allow it") != std::string::npos);
  CHECK(problem_with<forbids_sync, wait>() != "");
  CHECK(problem_with<allows_load, wait>() != "");
  CHECK(problem_with<allows_reads, wait>() != "");
}

// What a region keeps.
namespace soft_kept {
namespace tn = tenon;
using tn::effect::allocates;

struct alloc {
  static constexpr tn::fixed_string name = "soft.alloc";
  static constexpr tn::op_traits traits{.max_operands = 0};
  using effects = tn::effects<allocates>;
};
struct part {
  static constexpr tn::fixed_string name = "soft.part";
  static constexpr tn::op_traits traits{.view = true, .min_operands = 1, .max_operands = 1};
};
struct slot {
  static constexpr tn::fixed_string name = "soft.slot";
};
struct either {
  static constexpr tn::fixed_string name = "soft.either";
  static constexpr tn::op_traits traits{.min_operands = 2, .max_operands = 2};
  using aliases = tn::operands<0, 1>;
};
struct end {
  static constexpr tn::fixed_string name = "soft.give";
  static constexpr tn::op_traits traits{.terminator = true, .results = 0};
};
struct lanes {
  static constexpr tn::fixed_string name = "soft.lanes";
  static constexpr tn::op_traits traits{
      .effects = tn::effect_bits::writes, .regions = 1, .max_operands = 0, .results = -1};
  using region_keeps = tn::effects<allocates>;
};
struct kernel {
  static constexpr tn::fixed_string name = "kept_kernel";
  using op_list = tn::ops<alloc, part, slot, either, end, lanes, tn::op::return_>;
  using op_effects = tn::effects<tn::effect::writes, allocates>;
};
template <tn::fixed_string Name>
struct pass_of {
  static constexpr tn::fixed_string name = Name;
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct moves_all : pass_of<"moves_all"> {
  using moves = tn::effects<allocates, tn::effect::writes>;
};
struct moves_within : moves_all {
  static constexpr tn::fixed_string name = "moves_within";
  using keeps_inside = tn::effects<allocates>;
};
struct moves_writes : pass_of<"moves_writes"> {
  using moves = tn::effects<tn::effect::writes>;
  using leaves = tn::effects<allocates>;
};
struct merges_all : pass_of<"merges_all"> {
  using merges = tn::effects<allocates>;
  using leaves = tn::effects<tn::effect::writes>;
};
struct places : pass_of<"places"> {
  using eliminates = tn::ops<alloc>;
  using handles = tn::ops<alloc>;
  using emits = tn::ops<slot>;
};
struct places_within : places {
  static constexpr tn::fixed_string name = "places_within";
  using keeps_inside = tn::effects<allocates>;
};
struct any_left : places {
  static constexpr tn::fixed_string name = "any_left";
  using emits = tn::any_ops;
  using eliminates = tn::ops<>;
  using handles = tn::ops<>;
};
struct makes_serial : moves_all {
  static constexpr tn::fixed_string name = "makes_serial";
  using eliminates = tn::ops<lanes>;
  using handles = tn::ops<lanes>;
};
struct answered : moves_all {
  static constexpr tn::fixed_string name = "answered";
};
template <class... Ps>
inline constexpr int code = tn::verdict_of<Ps...>.code;
}  // namespace soft_kept
template <>
inline constexpr bool tenon::treats<soft_kept::answered, tenon::effect::allocates> = true;
namespace soft_kept {
static_assert(code<moves_all> == 45 && code<moves_within> == 0 && code<moves_writes> == 0 && code<answered> == 0);
static_assert(code<merges_all> == 45 && code<places> == 45 && code<places_within> == 0 && code<any_left> == 0);
static_assert(code<makes_serial> == 0 && code<makes_serial, moves_all> == 0,
              "who eliminates the op handles its region");
static_assert(code<tn::repeat<moves_within, moves_writes>> == 0 && code<tn::repeat<moves_all, moves_within>> == 45);
static_assert(!tn::can_run<moves_all, tn::ir_module<kernel>> && tn::can_run<moves_within, tn::ir_module<kernel>>);
static_assert(tn::can_run_inside<moves_within, kernel, moves_within>);
static_assert(!tn::can_run_inside<moves_within, kernel, moves_all>);

/// A region that keeps all that stands in it, ops without effects too.
struct task {
  static constexpr tn::fixed_string name = "soft.task";
  static constexpr tn::op_traits traits{.effects = tn::effect_bits::writes, .regions = 1, .max_operands = 0};
  using region_keeps = tn::any_effects;
};
struct tasks {
  static constexpr tn::fixed_string name = "tasks";
  using op_list = tn::ops<alloc, slot, end, task, tn::op::return_>;
  using op_effects = tn::effects<tn::effect::writes, allocates>;
};
template <tn::fixed_string Name>
struct task_pass : pass_of<Name> {
  using runs_in = tasks;
  using leaves = tn::effects<tn::effect::writes, allocates>;
  void run(tn::ir_module<tasks>&, tn::context&) const {}
};
struct merges_pure : task_pass<"merges_pure"> {
  using merges = tn::effects<>;
};
struct moves_pure : task_pass<"moves_pure"> {
  using moves = tn::effects<>;
};
struct merges_in_tasks : merges_pure {
  static constexpr tn::fixed_string name = "merges_in_tasks";
  using keeps_inside = tn::any_effects;
};
struct deletes_pure : task_pass<"deletes_pure"> {
  using deletes = tn::effects<>;
};
struct allocates_elsewhere : task_pass<"allocates_elsewhere"> {
  using eliminates = tn::ops<alloc>;
  using handles = tn::ops<alloc>;
};
struct lowers_tasks : merges_pure {
  static constexpr tn::fixed_string name = "lowers_tasks";
  using eliminates = tn::ops<task>;
  using handles = tn::ops<task>;
};
struct merges_answered : merges_pure {
  static constexpr tn::fixed_string name = "merges_answered";
};
}  // namespace soft_kept
template <>
inline constexpr bool tenon::treats<soft_kept::merges_answered, tenon::any_effects> = true;
namespace soft_kept {
static_assert(code<merges_pure> == 45 && code<moves_pure> == 45 && code<allocates_elsewhere> == 45);
static_assert(code<merges_in_tasks> == 0 && code<deletes_pure> == 0 && code<merges_answered> == 0);
static_assert(code<lowers_tasks> == 0 && code<lowers_tasks, merges_pure> == 0);
static_assert(code<tn::repeat<deletes_pure, merges_pure>> == 45 &&
              code<tn::repeat<deletes_pure, merges_in_tasks>> == 0);
static_assert(!tn::can_run<merges_pure, tn::ir_module<tasks>> &&
              !tn::can_run_inside<merges_in_tasks, tasks, merges_pure>);

using tn::op_id, tn::value_id;
/// main() { lanes { alloc; … give(what) }; return }; returns the inner builder's region op.
struct world {
  tn::ir::module m;
  tn::function_id f = m.add_function("main", tn::ir::function_kind::graph, {});
  tn::type_id type = m.intern(tn::ir::type::tensor(tn::dtype::f32, {4}));
  op_id around, made;
};
std::string refused(const tn::ir::module& m) {
  try {
    tn::ir::verify(m);
  } catch (const tn::error& e) { return e.what(); }
  return "";
}
/// What the region gives: nothing, what it allocates, or a view of that.
world with(int gives) {
  world w;
  tn::ir::builder<> b(w.m, w.m[w.f].body);
  const tn::type_id one[] = {w.type};
  w.around = b.make_op(lanes{}, {}, std::span<const tn::type_id>(one, gives ? 1 : 0), 1);
  tn::ir::builder<> in(w.m, w.m.region(w.around));
  w.made = in.make_op(alloc{}, {}, one);
  const value_id v = w.m.result(w.made);
  const value_id view = w.m.result(in.make_op(part{}, {{v}}, one));
  std::vector<value_id> given;
  if (gives) given.push_back(gives == 1 ? v : view);
  in.make_op(end{}, given, {});
  b.make_op(tn::op::return_{}, {}, {});
  return w;
}
struct takes_out : moves_within {  // it says that it does not
  static constexpr tn::fixed_string name = "takes_out";
  void run(tn::ir_module<runs_in>& typed, tn::context&) const {
    tn::ir::module& m = typed.body();
    const tn::function_id f = m.find_function("main");
    tn::ir::for_each_op(m, m[f].body, [&](op_id op) {
      if (!m.view(op).is<alloc>()) return;
      tn::ir::builder<> b(m, m[f].body);
      b.before(m[m[op].parent].parent);
      const tn::type_id one[] = {m[m.result(op)].type};
      m.replace_uses(m.result(op), m.result(b.make_op(alloc{}, {}, one)));
      m.erase(op);
    });
  }
};
}  // namespace soft_kept

TEST_CASE("what a region keeps is not handed out by what ends the region, nor by a view of it") {
  using namespace soft_kept;
  CHECK(refused(with(0).m) == "");
  const std::string said = refused(with(1).m);
  CAPTURE(said);
  CHECK(said.find("soft.lanes: each run of its region has what stands there for itself, and the region hands it out") !=
        std::string::npos);
  CHECK(refused(with(2).m) != "");
}

TEST_CASE("what shares the memory of several values is looked through once, however often they meet again") {
  using namespace soft_kept;
  for (const bool kept : {false, true}) {
    soft_kept::world w;
    tn::ir::builder<> b(w.m, w.m[w.f].body);
    const tn::type_id one[] = {w.type};
    const op_id around = b.make_op(lanes{}, {}, one, 1);
    tn::ir::builder<> in(w.m, w.m.region(around));
    value_id v = w.m.result(kept ? in.make_op(alloc{}, {}, one) : in.make_op(slot{}, {}, one));
    for (int i = 0; i < 64; ++i) v = w.m.result(in.make_op(either{}, {{v, v}}, one));
    in.make_op(end{}, {{v}}, {});
    b.make_op(tn::op::return_{}, {}, {});
    CHECK(refused(w.m).empty() == !kept);
  }
}

TEST_CASE("under verify_each a pass that takes out what it says stays inside is named") {
  using namespace soft_kept;
  const auto ran = [](auto pass) -> std::string {
    tn::context cx;
    cx.verify_each = true;
    try {
      static_cast<void>(tn::run<decltype(pass)>(tn::ir_module<kernel>::adopt(with(0).m), cx));
    } catch (const tn::error& e) { return e.what(); }
    return "";
  };
  CHECK(ran(moves_within{}) == "");
  const std::string said = ran(takes_out{});
  CAPTURE(said);
  CHECK(said.find("pass 'takes_out' takes 'soft.alloc' out of a region of 'soft.lanes' in function 'main'") !=
        std::string::npos);
}

namespace soft_kept {
struct hoists : merges_in_tasks {  // it says that it does not
  static constexpr tn::fixed_string name = "hoists";
  void run(tn::ir_module<tasks>& typed, tn::context&) const {
    tn::ir::module& m = typed.body();
    const tn::function_id f = m.find_function("main");
    tn::ir::for_each_op(m, m[f].body, [&](op_id op) {
      if (!m.view(op).is<slot>()) return;
      tn::ir::builder<> b(m, m[f].body);
      b.before(m[m[op].parent].parent);
      const tn::type_id one[] = {m[m.result(op)].type};
      m.replace_uses(m.result(op), m.result(b.make_op(slot{}, {}, one)));
      m.erase(op);
    });
  }
};
}  // namespace soft_kept

TEST_CASE(
    "a region that keeps all hands out what it computes, and a pass that takes an op without effects out is named") {
  using namespace soft_kept;
  tn::ir::module m;
  const tn::function_id f = m.add_function("main", tn::ir::function_kind::graph, {});
  const tn::type_id one[] = {m.intern(tn::ir::type::tensor(tn::dtype::f32, {4}))};
  tn::ir::builder<> b(m, m[f].body);
  const op_id around = b.make_op(task{}, {}, one, 1);
  tn::ir::builder<> in(m, m.region(around));
  const value_id computed = m.result(in.make_op(slot{}, {}, one));
  in.make_op(end{}, std::vector{computed}, {});
  b.make_op(tn::op::return_{}, {}, {});
  CHECK(refused(m) == "");

  tn::context cx;
  cx.verify_each = true;
  std::string said;
  try {
    static_cast<void>(tn::run<hoists>(tn::ir_module<tasks>::adopt(std::move(m)), cx));
  } catch (const tn::error& e) { said = e.what(); }
  CAPTURE(said);
  CHECK(said.find("pass 'hoists' takes 'soft.slot' out of a region of 'soft.task' in function 'main', which keeps what "
                  "stands in it") != std::string::npos);
}
