// Effects of ops that no phase lists: whoever adds them, a pipeline, a module's phase, or a pass, later passes answer
// for them.
#include <doctest/doctest.h>

#include <tenon/compile/run_pipeline.hpp>
#include <tenon/op.hpp>
#include <tenon/passes/eliminate_common.hpp>

#include "soft/world.hpp"

namespace soft_effects {
using namespace world;

struct log_line {
  static constexpr tn::fixed_string name = "log_line";
  using effects = tn::effects<tn::effect::io>;
};
struct eliminate_dead {
  static constexpr tn::fixed_string name = "eliminate_dead";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using deletes = tn::effects<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct treated_dead : eliminate_dead {
  static constexpr tn::fixed_string name = "treated_dead";
};
}  // namespace soft_effects
template <>
inline constexpr bool tenon::treats<soft_effects::treated_dead, tenon::effect::io> = true;

namespace soft_effects {
// What an op reads and writes says its effects, here and where passes run.
struct put_line {
  static constexpr tn::fixed_string name = "put_line";
  static constexpr tn::op_traits traits{.min_operands = 2, .max_operands = 2, .results = 0};
  using reads = tn::operands<0>;
  using writes = tn::operands<1>;
};
struct put_and_wait : put_line {
  static constexpr tn::fixed_string name = "put_and_wait";
  using effects = tn::effects<tn::effect::sync, tn::effect::writes>;
};
struct beyond : put_line {
  static constexpr tn::fixed_string name = "beyond";
  using reads = tn::operands<0, 2>;
};
struct no_operands : put_line {
  static constexpr tn::fixed_string name = "no_operands";
  using writes = tn::effects<>;
};
struct writes_nothing : put_line {
  static constexpr tn::fixed_string name = "writes_nothing";
  using writes = tn::operands<>;
};
struct reads_nothing : put_line {
  static constexpr tn::fixed_string name = "reads_nothing";
  using reads = tn::operands<>;
};
// What is said wrongly is what is wrong, and not that the op would do nothing.
struct does_nothing {
  static constexpr tn::op_traits traits{.results = 0};
};
struct misspelt : does_nothing {
  using effect = tn::effects<tn::effect::io>;
};
struct unlisted : does_nothing {
  using effects = tn::effect::io;
};
struct writes_no_list : does_nothing {
  using writes = tn::effects<>;
};
template <class Op>
constexpr bool is_odd_and_idle = !tn::detail::sound_op<Op> && tn::detail::op_check<Op>::idle;
template <class Op>
constexpr bool is_odd_and_not_idle = !tn::detail::sound_op<Op> && !tn::detail::op_check<Op>::idle;
static_assert(is_odd_and_idle<does_nothing> && is_odd_and_not_idle<misspelt> && is_odd_and_not_idle<unlisted> &&
              is_odd_and_not_idle<writes_no_list>);
static_assert(tn::meta::same<tn::effects_of_t<put_line>, tn::effects<tn::effect::reads, tn::effect::writes>>);
static_assert(tn::meta::same<tn::effects_of_t<put_and_wait>,
                             tn::effects<tn::effect::sync, tn::effect::writes, tn::effect::reads>>);
static_assert(tn::ir::info_of<put_line>.traits.effects == (tn::effect_bits::reads | tn::effect_bits::writes));
static_assert(tn::ir::info_of<put_line>.reads == 1 && tn::ir::info_of<put_line>.writes == 2);
static_assert(!tn::detail::sound_op<beyond> && tn::detail::op_check<beyond>::beyond == 2);
static_assert(!tn::detail::sound_op<no_operands> && !tn::detail::sound_op<writes_nothing> &&
              !tn::detail::sound_op<reads_nothing>);
static_assert(tn::judged<tn::ops<put_line>, lift, infer, eliminate_dead>::value.code == 16);

// A pass brings it, into the phase it leads to.
struct lift_logging {
  static constexpr tn::fixed_string name = "lift_logging";
  using from = front;
  using to = tn::extend<graph, log_line>;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<closure>;
  using handles = tn::ops<closure>;
  using emits = tn::ops<log_line>;
};
struct start_logging {
  static constexpr tn::fixed_string name = "start_logging";
  using from = graph;
  using to = tn::extend<graph, log_line>;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<log_line>;
};
struct more_logging {
  static constexpr tn::fixed_string name = "more_logging";
  using runs_in = tn::extend<graph, log_line>;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<log_line>;
};
static_assert(tn::verdict_of<lift_logging, eliminate_dead>.code == 16 &&
              tn::verdict_of<lift_logging, eliminate_dead>.pass == 1);
static_assert(tn::verdict_of<start_logging, eliminate_dead>.code == 16 &&
              tn::verdict_of<more_logging, eliminate_dead>.code == 16);
static_assert(tn::verdict_of<lift_logging, treated_dead>.ok() && tn::verdict_of<more_logging, treated_dead>.ok());
static_assert(tn::verdict_of<eliminate_dead, start_logging>.ok(), "it comes behind");
static_assert(tn::verdict_of<lift_logging, infer, more_logging>.code == 1,
              "a pass for the extended phase is for a pipeline that adds it");
static_assert(!tn::is_valid<tn::pass_list<lift_logging, infer, legalize, leave>>,
              "and it is left where the phase is not open");

// A module's phase has it.
using logging = tn::ir_module<tn::extend<graph, log_line>>;
static_assert(!tn::can_run<eliminate_dead, logging> && tn::can_run<treated_dead, logging> &&
              tn::can_run<eliminate_dead, tn::ir_module<graph>>);
template <class Pass>
constexpr bool can_run_all =
    requires(logging m, tn::context& cx) { requires tn::detail::whole_route<tn::pipeline<infer, Pass>, logging>::ok; };
static_assert(!can_run_all<eliminate_dead> && can_run_all<treated_dead>);

// Several resources, of which one is answered for; effects without a name of their own go by that of their type.
template <class Resource>
struct writes_to {};
struct append_to_cache {
  static constexpr tn::fixed_string name = "append_to_cache";
  using effects = tn::effects<writes_to<struct cache>>;
};
struct append_to_log {
  static constexpr tn::fixed_string name = "append_to_log";
  using effects = tn::effects<writes_to<struct log>>;
};
struct draw {
  static constexpr tn::fixed_string name = "draw";
  static constexpr tn::op_traits traits{.effects = tn::effect_bits::random};
};
}  // namespace soft_effects
template <>
inline constexpr bool tenon::treats<soft_effects::treated_dead, soft_effects::writes_to<soft_effects::cache>> = true;

namespace soft_effects {
template <class Pass, class... Op>
constexpr bool treated = tn::judged<tn::ops<Op...>, Pass>::ok;
static_assert(treated<treated_dead, append_to_cache> && !treated<treated_dead, append_to_log> &&
              !treated<treated_dead, append_to_cache, append_to_log>);
static_assert(treated<tn::passes::eliminate_common, draw> && !treated<tn::passes::eliminate_common, append_to_cache>);
}  // namespace soft_effects

using namespace soft_effects;

TEST_CASE("the sentence names the pass behind who brought the op, and the effect") {
  const tn::meta::phrase said = tn::sentence_of(tn::verdict_of<lift_logging, eliminate_dead>);
  CHECK(std::string_view(said.characters, said.length) ==
        "tenon-E016: pass 'eliminate_dead' (2nd) deletes, merges or moves ops, and does not say how it treats the "
        "effect 'io' of an op that "
        "this pipeline adds: specialize tenon::treats<eliminate_dead, effect>");
}
