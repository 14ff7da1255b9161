/// @file regions_test: what regions may hold, asked softly: lists and effects, repeats, passes inside of passes, and
/// modules.
#include <doctest/doctest.h>

#include <tenon/compile/repeat.hpp>
#include <tenon/compile/run_inside.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/verify.hpp>
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
