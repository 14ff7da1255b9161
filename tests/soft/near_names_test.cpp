// Names that are nearly right (cmake/near_names.txt): every way in which a pass may slip, and that nothing of this
// library does.
#include <doctest/doctest.h>

#include <tenon/passes/all.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;

template <class... Ps>
constexpr bool none_slips(tn::meta::detail::box<tn::pass_list<Ps...>>) {
  return ((tn::near::misnomer_of<Ps, tn::near::pass>().said.length == 0) && ...);
}
static_assert(none_slips(tn::meta::detail::box<tn::targets::cpu::pipeline::passes>{}),
              "pipelines do not ask passes of the library");

struct plain {
  static constexpr tn::fixed_string name = "plain";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#define SLIP(SAID, MEANT)                                                                        \
  struct with_##SAID : plain {                                                                   \
    using SAID = tn::ops<add>;                                                                   \
  };                                                                                             \
  static_assert(tn::verdict_of<plain, plain, with_##SAID>.code == 8);                            \
  static_assert(tn::pass_check<with_##SAID>::fault.said == tn::label(tn::fixed_string(#SAID)) && \
                tn::pass_check<with_##SAID>::fault.meant == tn::label(tn::fixed_string(#MEANT)))
SLIP(elminates, eliminates);
SLIP(elimiantes, eliminates);
SLIP(emitts, emits);
SLIP(emmits, emits);
SLIP(preserved, keeps);
SLIP(PreservedAnalyses, keeps);
SLIP(dependentDialects, emits);
SLIP(dependencies, needs);
SLIP(neds_of_device, needs_of_device);
SLIP(not_betwen, not_between);
SLIP(imediately_after, immediately_after);
SLIP(makes_funtions_in, makes_functions_in);
SLIP(requires_facts, needs);
SLIP(prerequisites, needs);
SLIP(run_on, runs_in);
SLIP(provides_facts, gives);
SLIP(guarantees, gives);
SLIP(preserves_facts, keeps);
SLIP(kills, breaks);
SLIP(clobbered, breaks);
SLIP(creates, emits);
SLIP(erases, eliminates);
SLIP(must_run_before, not_after);
SLIP(requires_passes, needs);
SLIP(dependsOn, needs);
SLIP(getRequiredProperties, needs);
SLIP(requirements, needs);
SLIP(invalidate, breaks);
SLIP(preserved_facts, keeps);
SLIP(emitted, emits);
SLIP(illegal, eliminates);
SLIP(root_ops, works_on);
SLIP(touches, changes);
SLIP(sees_through, looks_through);
SLIP(reorders, moves);
SLIP(right_after, immediately_after);
SLIP(between, not_between);
SLIP(getSetProperties, gives);
SLIP(preservesAnalyses, keeps);
SLIP(getClearedProperties, breaks);
SLIP(legalOps, emits);
SLIP(illegalOps, eliminates);
SLIP(runsIn, runs_in);
SLIP(worksOn, works_on);
SLIP(atMostOnce, at_most_once);
SLIP(must_precede, not_after);
SLIP(comes_before, not_after);
SLIP(must_follow, not_before);
SLIP(comesAfter, not_before);
SLIP(follows, immediately_after);
SLIP(modifies_ops, changes);
SLIP(mutatesOps, changes);
SLIP(hoists, moves);
SLIP(region_keeps, keeps_inside);
SLIP(staysInRegion, keeps_inside);
SLIP(begins_with, needs);
SLIP(required_analyses, needs);
SLIP(preserves_all, keeps);
SLIP(legalDialects, emits);
SLIP(illegal_dialects, eliminates);
SLIP(outlines_functions, adds_functions);
SLIP(changesFunctions, changes_functions);
SLIP(deletes_function, removes_functions);
SLIP(run_once, at_most_once);
SLIP(required_capabilities, needs_of_device);
SLIP(chabges, changes);
SLIP(chages, changes);
SLIP(chhanges, changes);
SLIP(changrs, changes);
SLIP(emcloses, encloses);
SLIP(enclsoes, encloses);
SLIP(enccloses, encloses);
SLIP(emits_outsode, emits_outside);
SLIP(emits_ouside, emits_outside);
SLIP(emits_outtside, emits_outside);
SLIP(keeps_insude, keeps_inside);
SLIP(keesp_inside, keeps_inside);
SLIP(keeps_innside, keeps_inside);
#undef SLIP
// Of facts, ops and phases.
#define SLIP(KIND, SAID, MEANT)                                                      \
  struct KIND##_with_##SAID {                                                        \
    using SAID = tn::ops<>;                                                          \
  };                                                                                 \
  static_assert(tn::near::misnomer_of<KIND##_with_##SAID, tn::near::KIND>().meant == \
                tn::label(tn::fixed_string(#MEANT)))
SLIP(fact, ofEach, of_each);
SLIP(fact, for_each, of_each);
SLIP(fact, of_each_function, of_each);
SLIP(fact, for_all, of_all);
SLIP(fact, restsOn, rests_on);
SLIP(fact, based_on, rests_on);
SLIP(fact, sameAs, same_as);
SLIP(fact, alias_of, same_as);
SLIP(fact, absentOps, absent_ops);
SLIP(fact, computes, compute);
SLIP(proof, holds, check);
SLIP(op, regionAllows, region_allows);
SLIP(op, forbids, region_forbids);
SLIP(op, keeps_in_region, region_keeps);
SLIP(op, memory_effects, effects);
SLIP(op, IsolatedFromAbove, region_keeps);
SLIP(op, NoSideEffect, effects);
SLIP(op, TOpIsStateful, effects);
SLIP(op, reads_from, reads);
SLIP(op, writes_memory, writes);
SLIP(op, is_terminator, traits);
SLIP(phase, opList, op_list);
SLIP(phase, beginsWith, begins_with);
SLIP(phase, initial_facts, begins_with);
SLIP(phase, callsInto, calls_into);
SLIP(phase, earlyOps, early_ops);
SLIP(phase, preconditions, begins_with);
SLIP(phase, detour_of, side_of);
SLIP(phase, may_call, calls_into);
SLIP(phase, allowed_effects, op_effects);
#undef SLIP
// An attribute may have such a name: only what is static, or a type, is nobody's.
struct splits {
  int results = 2;
  bool elementwise = false;
};
static_assert(tn::near::misnomer_of<splits, tn::near::op>().said.length == 0);
struct ends_here {
  [[maybe_unused]] static constexpr bool terminator = true;
};
static_assert(tn::near::misnomer_of<ends_here, tn::near::op>().meant == tn::label(tn::fixed_string("traits")));
struct by_value : plain {
  [[maybe_unused]] static constexpr int requires_passes = 2;
};
static_assert(tn::verdict_of<by_value>.code == 8, "a word is reported whatever it is");
// What a pass has for itself is nobody's word.
struct with_option : plain {
  int opt_level = 2, copies = 1;
  void after() const;
};
static_assert(tn::is_valid<tn::pass_list<with_option>>);
struct once : plain {
  [[maybe_unused]] static constexpr bool at_most_onec = true;
};
static_assert(tn::verdict_of<plain, once>.code == 8 && tn::verdict_of<once, plain>.pass == 0);
struct with_body : plain {
  void runOnOperation();
};
static_assert(tn::pass_check<with_body>::fault.meant == tn::label(tn::fixed_string("run")));
// A closed class is asked for words, not for slips.
struct closed final : plain {
  using removes = tn::ops<add>;
};
static_assert(tn::verdict_of<plain, closed>.code == 8);
// One that cannot be described is reported by its slip, where it has one.
struct no_needs {
  static constexpr tn::fixed_string name = "no_needs";
  using runs_in = graph;
  using neds = tn::facts<>;
};
static_assert(tn::verdict_of<plain, no_needs>.code == 8);

// Ops: what they say of effects, and that they do something.
struct idle {
  static constexpr tn::op_traits traits{.results = 0};
};
struct empty {
  static constexpr tn::op_traits traits{.results = 0};
  using effects = tn::effects<>;
};
struct ends {
  static constexpr tn::op_traits traits{.terminator = true, .results = 0};
};
struct prints {
  static constexpr tn::op_traits traits{.results = 0};
  using effects = tn::effects<tn::effect::io>;
};
struct slips {
  using efects = tn::effects<tn::effect::io>;
};
struct declared;
static_assert(!tn::detail::sound_op<idle> && !tn::detail::sound_op<empty> && !tn::detail::sound_op<slips>);
static_assert(tn::detail::sound_op<ends> && tn::detail::sound_op<prints> && tn::detail::sound_op<declared>);
struct of_idle : graph {
  using op_list = tn::ops<add, idle>;
};
struct there : plain {
  static constexpr tn::fixed_string name = "there";
  using runs_in = of_idle;
};
static_assert(tn::verdict_of<there>.code == 37);
}  // namespace

TEST_CASE("a slip of the pen is reported with the word that was meant") {
  const tn::meta::phrase said = tn::pass_check<with_elminates>::say();
  CHECK(std::string(said.characters, said.length) ==
        "tenon-E008: pass 'plain' has a member 'elminates', which means nothing to the judge: write 'eliminates'");
}
