// Intervals that an op opens: any pass that names it in its `emits` does, whoever wrote it, until a pass eliminates it.
#include <doctest/doctest.h>

#include <string>

#include <tenon/compile/repeat.hpp>
#include <tenon/judge/plan.hpp>
#include <tenon/passes/eliminate_common.hpp>
#include <tenon/passes/fold_batch_norm.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/simplify.hpp>
#include <tenon/pipeline.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;

template <int Number>
struct quiet {
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
};
struct group : quiet<0> {
  static constexpr tn::fixed_string name = "group";
  using emits = tn::ops<add, kernel_call>;
};
struct ungroup : quiet<1> {
  static constexpr tn::fixed_string name = "ungroup";
  using eliminates = tn::ops<kernel_call>;
  using handles = tn::ops<kernel_call>;
  using emits = tn::ops<add>;
};
struct regroup : quiet<9> {
  static constexpr tn::fixed_string name = "regroup";
  using emits = tn::ops<kernel_call>;
};
struct emit_unsaid : quiet<2> {
  static constexpr tn::fixed_string name = "emit_unsaid";
};
struct emit_any : quiet<3> {
  static constexpr tn::fixed_string name = "emit_any";
  using emits = tn::any_ops;
};
struct emit_other : quiet<4> {
  static constexpr tn::fixed_string name = "emit_other";
  using emits = tn::ops<mul>;
};
struct clear : quiet<8> {
  static constexpr tn::fixed_string name = "clear";
  using eliminates = tn::ops<mul, kernel_call>;
  using handles = eliminates;
  using emits = tn::ops<>;
};
struct look : quiet<5> {
  static constexpr tn::fixed_string name = "look";
  using emits = tn::ops<>;
  using not_between = tn::interval<tn::emitter_of<kernel_call>, legalize>;
};
template <class... Ps>
constexpr int code_of = tn::verdict_of<lift, infer, Ps...>.code;

static_assert(code_of<group, look, legalize> == 19);
static_assert(code_of<look, group, legalize> == 0);
static_assert(code_of<group, legalize, look> == 0, "it closes at the pass that is named");
static_assert(code_of<group, look> == 0, "which is not to come here");
static_assert(code_of<emit_unsaid, emit_any, emit_other, look, legalize> == 0, "none of them names the op");
static_assert(code_of<group, ungroup, look, legalize> == 0, "none is left");
static_assert(code_of<ungroup, group, look, legalize> == 19);
static_assert(code_of<group, regroup, look, legalize> == 19);
static_assert(code_of<group, ungroup, group, look, legalize> == 19);

// Several ops: each of them opens it, and who eliminates all of them closes it.
struct look_for_two : look {
  static constexpr tn::fixed_string name = "look_for_two";
  using not_between = tn::interval<tn::emitter_of<kernel_call, mul>, infer>;
};
template <class... Ps>
constexpr int code_for_two = tn::verdict_of<lift, Ps..., look_for_two, infer>.code;
static_assert(code_for_two<group> == 19 && code_for_two<emit_other> == 19 && code_for_two<group, ungroup> == 19);
static_assert(code_for_two<emit_unsaid> == 0 && code_for_two<emit_other, clear> == 0 &&
              code_for_two<clear, emit_other> == 19);

// The culprit is the first pass that made what is there.
constexpr tn::verdict again = tn::verdict_of<lift, infer, group, ungroup, regroup, group, look, legalize>;
static_assert(again.pass == 6 && again.giver == 4 && again.culprit == 7 &&
              again.subject == tn::label("kernel_call", 11));
static_assert(again.repair_count == 2 && again.repairs[0].kind == tn::repair_kind::move_before &&
              again.repairs[0].where == tn::label("regroup", 7));

// Intervals without an end: after a pass, or after who emits an op, until a pass eliminates it.
struct never_after_group : quiet<10> {
  static constexpr tn::fixed_string name = "never_after_group";
  using emits = tn::ops<>;
  using not_after = group;
};
struct never_grouped : quiet<11> {
  static constexpr tn::fixed_string name = "never_grouped";
  using emits = tn::ops<>;
  using not_after = tn::emitter_of<kernel_call>;
};
static_assert(code_of<group, never_after_group> == 19 && code_of<never_after_group, group> == 0);
static_assert(code_of<group, ungroup, never_after_group> == 19, "it names the pass");
static_assert(code_of<regroup, never_grouped> == 19 && code_of<regroup, ungroup, never_grouped> == 0);
static_assert(code_of<regroup, never_after_group> == 0);
constexpr tn::verdict late = tn::verdict_of<lift, infer, group, never_after_group>;
static_assert(late.giver == 2 && late.culprit == -1 && late.repairs[0].kind == tn::repair_kind::move_before);
static_assert(tn::meta::same<tn::arrange<graph, graph, group, never_after_group>::passes,
                             tn::pass_list<never_after_group, group>>);
static_assert(tn::meta::same<tn::arrange<graph, graph, regroup, never_grouped, ungroup>::passes,
                             tn::pass_list<never_grouped, regroup, ungroup>>);
struct grouped {
  static constexpr tn::fixed_string name = "grouped";
};
struct seen {
  static constexpr tn::fixed_string name = "seen";
};
struct group_and_say : group {
  static constexpr tn::fixed_string name = "group_and_say";
  using gives = tn::facts<grouped>;
};
struct see : never_grouped {
  static constexpr tn::fixed_string name = "see";
  using gives = tn::facts<seen>;
};
struct see_groups : see {
  static constexpr tn::fixed_string name = "see_groups";
  using needs = tn::facts<grouped>;
};
static_assert(tn::meta::same<tn::minimal<graph, tn::goal<graph, tn::facts<grouped, seen>>, group_and_say, see>::passes,
                             tn::pass_list<see, group_and_say>>);
static_assert(
    tn::meta::same<tn::minimal<graph, tn::goal<graph, tn::facts<seen>>, group_and_say, ungroup, see_groups>::passes,
                   tn::pass_list<group_and_say, ungroup, see_groups>>,
    "it closes where none is left");
struct both_intervals : never_grouped {
  static constexpr tn::fixed_string name = "both_intervals";
  using not_between = tn::interval<group, ungroup>;
};
struct after_an_op : quiet<12> {
  static constexpr tn::fixed_string name = "after_an_op";
  using not_after = add;
};
struct after_a_pass_as_op : quiet<13> {
  static constexpr tn::fixed_string name = "after_a_pass_as_op";
  using not_after = tn::emitter_of<group>;
};
static_assert(tn::verdict_of<both_intervals>.code == 18 && tn::verdict_of<after_an_op>.code == 18 &&
              tn::verdict_of<after_a_pass_as_op>.code == 18);

// Who rewrites an op: it eliminates it, or works on it and deletes or merges ops. No pass ends that interval.
struct fuse_sums : quiet<14> {
  static constexpr tn::fixed_string name = "fuse_sums";
  using emits = tn::ops<add>;
  using works_on = tn::ops<tn::together<add, mul>>;
  using deletes = tn::effects<>;
  static constexpr bool may_find_nothing = true;
};
struct merge_products : quiet<15> {
  static constexpr tn::fixed_string name = "merge_products";
  using emits = tn::ops<>;
  using works_on = tn::ops<mul>;
  using merges = tn::effects<>;
};
struct observe_products : quiet<16> {
  static constexpr tn::fixed_string name = "observe_products";
  using emits = tn::ops<add>;
  using works_on = tn::ops<mul>;
};
struct delete_dead : quiet<17> {
  static constexpr tn::fixed_string name = "delete_dead";
  using emits = tn::ops<>;
  using deletes = tn::effects<>;
};
struct see_all_products : quiet<18> {
  static constexpr tn::fixed_string name = "see_all_products";
  using emits = tn::ops<>;
  using works_on = tn::ops<mul>;
  using deletes = tn::effects<>;
  using not_after = tn::rewriter_of<mul>;
};
static_assert(code_of<fuse_sums, see_all_products> == 19 && code_of<see_all_products, fuse_sums> == 0);
static_assert(code_of<merge_products, see_all_products> == 19 && code_of<see_all_products, merge_products> == 0);
static_assert(code_of<observe_products, see_all_products> == 0 && code_of<delete_dead, see_all_products> == 0,
              "it adds to them; it works on none of them");
static_assert(code_of<clear, emit_other, see_all_products> == 19, "what was taken is not what is made");
static_assert(code_of<tn::optional<fuse_sums, tn::when<"fuse">>, see_all_products> == 25);
constexpr tn::verdict taken = tn::verdict_of<lift, infer, fuse_sums, see_all_products>;
static_assert(taken.giver == 2 && taken.subject == tn::label("mul", 3) && taken.repair_count != 0 &&
              taken.repairs[0].kind == tn::repair_kind::move_before);
struct until_legal : quiet<19> {
  static constexpr tn::fixed_string name = "until_legal";
  using emits = tn::ops<>;
  using not_between = tn::interval<tn::rewriter_of<kernel_call, mul>, legalize>;
};
static_assert(code_of<fuse_sums, until_legal, legalize> == 19 && code_of<fuse_sums, legalize, until_legal> == 0);
static_assert(tn::meta::same<tn::arrange<graph, graph, fuse_sums, see_all_products>::passes,
                             tn::pass_list<see_all_products, fuse_sums>>);
static_assert(code_of<tn::repeat<fuse_sums, observe_products>, see_all_products> == 19 &&
              code_of<see_all_products, tn::repeat<fuse_sums, observe_products>> == 0);
static_assert(code_of<tn::repeat<see_all_products, observe_products>> == 0, "what it rewrites itself, it has found");
static_assert(code_of<tn::repeat<see_all_products, fuse_sums>> == 39);
// The passes of a repeat have one interval. Two are told apart by what opens them, a pass or ops, and by what ends
// them.
struct two_until_legal : look {
  static constexpr tn::fixed_string name = "two_until_legal";
  using not_between = tn::interval<tn::emitter_of<kernel_call, mul>, legalize>;
};
struct look_until_infer : look {
  static constexpr tn::fixed_string name = "look_until_infer";
  using not_between = tn::interval<tn::emitter_of<kernel_call>, infer>;
};
struct from_group : look {
  static constexpr tn::fixed_string name = "from_group";
  using not_between = tn::interval<group, legalize>;
};
struct from_ungroup : look {
  static constexpr tn::fixed_string name = "from_ungroup";
  using not_between = tn::interval<ungroup, legalize>;
};
template <class A, class B>
constexpr bool one_interval = tn::detail::same_interval(tn::pass_desc_of<A>.more(), tn::pass_desc_of<B>.more());
static_assert(one_interval<look, look> && one_interval<from_group, from_group>);
static_assert(!one_interval<from_group, from_ungroup> && !one_interval<look, look_until_infer>);
static_assert(!one_interval<two_until_legal, until_legal> && !one_interval<look, two_until_legal>);
static_assert(!one_interval<look, from_group>);
struct after_rewriter_of_pass : quiet<20> {
  static constexpr tn::fixed_string name = "after_rewriter_of_pass";
  using not_after = tn::rewriter_of<group>;
};
struct after_rewriter_of_nothing : quiet<21> {
  static constexpr tn::fixed_string name = "after_rewriter_of_nothing";
  using not_after = tn::rewriter_of<>;
};
struct until_rewriter : quiet<22> {
  static constexpr tn::fixed_string name = "until_rewriter";
  using not_between = tn::interval<group, tn::rewriter_of<add>>;
};
static_assert(tn::verdict_of<after_rewriter_of_pass>.code == 18 && tn::verdict_of<until_rewriter>.code == 18 &&
              tn::verdict_of<after_rewriter_of_nothing>.code == 18);

template <class P>
using fast = tn::optional<P, tn::when<"fast">>;
template <class P>
using slow = tn::optional<P, tn::unless<"fast">>;

// Open from the start, until nobody who emits, or rewrites, such ops is still to come.
struct find_groups : quiet<23> {
  static constexpr tn::fixed_string name = "find_groups";
  using emits = tn::ops<kernel_call>;
  using not_before = tn::emitter_of<kernel_call>;
};
static_assert(code_of<find_groups, group> == 19 && code_of<find_groups, regroup> == 19 &&
              code_of<group, find_groups> == 0);
struct drop_both : quiet<40> {
  static constexpr tn::fixed_string name = "drop_both";
  using eliminates = tn::ops<kernel_call, mul>;
  using handles = eliminates;
  using emits = tn::ops<>;
};
template <class Of, class P>
constexpr bool ends = tn::detail::ends_interval(tn::pass_desc_of<Of>, tn::pass_desc_of<P>);
template <class Of, class P>
constexpr bool closes = tn::detail::closes_interval(tn::pass_desc_of<Of>.more(), tn::pass_desc_of<P>);
static_assert(ends<find_groups, group> && !ends<find_groups, find_groups> && !ends<find_groups, ungroup>);
static_assert(closes<look, ungroup> && !closes<look, group> && closes<two_until_legal, drop_both>);
static_assert(!closes<find_groups, ungroup> && !closes<until_legal, drop_both> && !closes<from_group, ungroup>);
static_assert(code_of<group, find_groups, ungroup, emit_any, emit_unsaid, emit_other> == 0,
              "none of them names the op");
static_assert(code_of<find_groups, find_groups> == 0 && code_of<group, find_groups, find_groups> == 0, "its own");
static_assert(code_of<find_groups, ungroup, group> == 19, "what is taken away between is made again");
constexpr tn::verdict early = tn::verdict_of<lift, infer, find_groups, group, regroup>;
static_assert(early.giver == -1 && early.culprit == 4 && early.subject == tn::label("kernel_call", 11) &&
              early.repairs[0].kind == tn::repair_kind::move_after &&
              early.repairs[0].where == tn::label("regroup", 7));
static_assert(code_of<find_groups, fast<group>> == 25 && code_of<fast<find_groups>, slow<group>> == 0);
static_assert(tn::meta::same<tn::arrange<graph, graph, find_groups, regroup, group>::passes,
                             tn::pass_list<regroup, group, find_groups>>);
static_assert(code_of<tn::repeat<find_groups, group>> == 0, "the next round finds them");
static_assert(code_of<tn::repeat<find_groups, group>, regroup> == 19 &&
              code_of<find_groups, tn::repeat<group, emit_other>> == 19);
struct calls_in_code : quiet<24> {  // a transition makes such ops, in a phase where the pass cannot run
  static constexpr tn::fixed_string name = "calls_in_code";
  using not_before = tn::emitter_of<jump>;
};
struct jump_over {
  static constexpr tn::fixed_string name = "jump_over";
  using from = graph;
  using to = code;
  using needs = tn::facts<>;
  using eliminates = tn::ops<add, mul>;
  using handles = eliminates;
  using emits = tn::ops<jump>;
};
static_assert(code_of<calls_in_code, jump_over> == 0);
struct last_of_products : quiet<25> {
  static constexpr tn::fixed_string name = "last_of_products";
  using emits = tn::ops<>;
  using works_on = tn::ops<mul>;
  using deletes = tn::effects<>;
  using not_before = tn::rewriter_of<mul>;
};
static_assert(code_of<last_of_products, merge_products> == 19 && code_of<merge_products, last_of_products> == 0 &&
              code_of<last_of_products, observe_products> == 0);
struct before_emitter_of_pass : quiet<26> {
  static constexpr tn::fixed_string name = "before_emitter_of_pass";
  using not_before = tn::emitter_of<group>;
};
struct before_emitter_of_nothing : quiet<27> {
  static constexpr tn::fixed_string name = "before_emitter_of_nothing";
  using not_before = tn::emitter_of<>;
};
static_assert(tn::verdict_of<before_emitter_of_pass>.code == 18 &&
              tn::verdict_of<before_emitter_of_nothing>.code == 18);

// In every combination of flags: the opener is on, and who closes is off.
template <class P>
using clean = tn::optional<P, tn::when<"clean">>;
static_assert(code_of<fast<group>, look, legalize> == 25 && code_of<fast<group>, slow<look>, legalize> == 0);
static_assert(code_of<fast<group>, fast<ungroup>, look, legalize> == 0 &&
              code_of<fast<group>, ungroup, look, legalize> == 0);
constexpr tn::verdict unclean = tn::verdict_of<lift, infer, group, clean<ungroup>, look, legalize>;
static_assert(unclean.code == 25 && unclean.inner == 19 && unclean.condition_count == 1 && !unclean.condition_on[0]);
static_assert(unclean.repair_count == 2 && unclean.repairs[0].kind == tn::repair_kind::always, "run 'ungroup' always");
constexpr tn::verdict both = tn::verdict_of<lift, infer, fast<group>, clean<ungroup>, look, legalize>;
static_assert(both.code == 25 && both.condition_count == 2);

// Ops that a user adds.
struct softcap;
struct cap : quiet<6> {
  static constexpr tn::fixed_string name = "cap";
  using runs_in = tn::extend<graph, softcap>;
  using emits = tn::ops<softcap>;
};
struct before_cap : quiet<7> {
  static constexpr tn::fixed_string name = "before_cap";
  using not_between = tn::interval<tn::emitter_of<softcap>, infer>;
};
static_assert(tn::judged<tn::ops<softcap>, lift, cap, before_cap, infer>::value.code == 19);
static_assert(tn::judged<tn::ops<softcap>, lift, before_cap, cap, infer>::ok);
struct behind_cap : quiet<28> {
  static constexpr tn::fixed_string name = "behind_cap";
  using not_before = tn::emitter_of<softcap>;
};
static_assert(tn::judged<tn::ops<softcap>, lift, behind_cap, cap>::value.code == 19);
static_assert(tn::judged<tn::ops<softcap>, lift, cap, behind_cap>::ok);

// The planner goes by it.
static_assert(tn::meta::same<tn::arrange<graph, graph, group, infer, look, legalize>::passes,
                             tn::pass_list<infer, look, group, legalize>>);

// The library's own passes that look for single ops say so of `fused`: a fusion of one's own in front of them is
// refused.
namespace p = tn::passes;
struct fuse_attention {
  static constexpr tn::fixed_string name = "fuse_attention";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<tn::fact::shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<tn::op::fused, tn::op::yield>;
};
template <class P>
constexpr bool may_follow = tn::is_valid<tn::pass_list<p::infer_shapes, p::fold_extents, p::require_known_extents,
                                                       fuse_attention, P, p::fuse, p::legalize_ops>>;
static_assert(!may_follow<p::simplify> && !may_follow<p::fold_constants> && !may_follow<p::fold_batch_norm> &&
              !may_follow<p::eliminate_common>);
static_assert(may_follow<p::require_known_extents>, "which looks at extents");
}  // namespace

TEST_CASE("the sentence names who opened the interval, and the op that it says it emits") {
  constexpr tn::meta::phrase s = tn::sentence_of(tn::verdict_of<lift, infer, group, look, legalize>);
  CHECK(std::string(s.characters, s.length) ==
        "tenon-E019: pass 'look' (4th) may not run between 'group' (3rd), which emits 'kernel_call', and 'legalize' "
        "(5th): "
        "move 'look' before 'group', or move 'look' after 'legalize'");
  constexpr tn::meta::phrase of_emitters = tn::sentence_of(early);
  CHECK(std::string(of_emitters.characters, of_emitters.length) ==
        "tenon-E019: pass 'find_groups' (3rd) may not run before 'regroup' (5th), which emits 'kernel_call': "
        "move 'find_groups' after 'regroup'");
  constexpr tn::meta::phrase of_rewriters = tn::sentence_of(taken);
  CHECK(std::string(of_rewriters.characters, of_rewriters.length) ==
        "tenon-E019: pass 'see_all_products' (4th) may not run after 'fuse_sums' (3rd), which rewrites 'mul': "
        "move 'see_all_products' before 'fuse_sums'");
}
