// What must be left for a pass: `works_on`, in pipelines, with flags, planned, and in orders that come as text.
#include <doctest/doctest.h>

#include <tenon/compile/repeat.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/judge/plan.hpp>
#include <tenon/judge/repeated_order.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;

struct base {
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct expand : base {
  static constexpr tn::fixed_string name = "expand";
  using emits = tn::ops<mul>;
  using eliminates = tn::ops<add>;
  using handles = tn::ops<add>;
};
struct collapse : base {  // the other way round
  static constexpr tn::fixed_string name = "collapse";
  using emits = tn::ops<add>;
};
struct match : base {
  static constexpr tn::fixed_string name = "match";
  using emits = tn::ops<>;
  using works_on = tn::ops<add>;
};
struct match_any : match {
  static constexpr tn::fixed_string name = "match_any";
  static constexpr bool may_find_nothing = true;
};
struct match_either : match {
  static constexpr tn::fixed_string name = "match_either";
  using works_on = tn::ops<add, mul>;
};
struct no_list : match {
  static constexpr tn::fixed_string name = "no_list";
  using works_on = add;
};
struct match_both : match {
  static constexpr tn::fixed_string name = "match_both";
  using works_on = tn::ops<tn::together<add, mul>>;
};
struct match_groups : match {
  static constexpr tn::fixed_string name = "match_groups";
  using works_on = tn::ops<tn::together<add, mul>, tn::together<mul, kernel_call>>;
};
struct match_both_or_call : match {
  static constexpr tn::fixed_string name = "match_both_or_call";
  using works_on = tn::ops<kernel_call, tn::together<add, mul>>;
};
struct take_calls : base {
  static constexpr tn::fixed_string name = "take_calls";
  using emits = tn::ops<mul>;
  using eliminates = tn::ops<kernel_call>;
  using handles = tn::ops<kernel_call>;
};
template <class P, tn::fixed_string F>
using on = tn::optional<P, tn::when<F>>;

static_assert(tn::is_valid<tn::pass_list<match, expand>> && tn::is_valid<tn::pass_list<expand, match_any>>);
static_assert(tn::is_valid<tn::pass_list<expand, match_either>>, "one of them is left");
static_assert(tn::is_valid<tn::pass_list<expand, collapse, match>>, "emitted again");
static_assert(tn::verdict_of<expand, match>.code == 38 && tn::verdict_of<expand, match>.culprit == 0);
static_assert(tn::verdict_of<expand, match>.repairs[0].kind == tn::repair_kind::move_before);
static_assert(tn::verdict_of<collapse, expand, match>.culprit == 1);
static_assert(tn::verdict_of<no_list>.code == 18);
// With flags: refused where nothing is left in any combination.
static_assert(tn::is_valid<tn::pass_list<on<expand, "e">, match>>);
static_assert(tn::verdict_of<expand, on<match, "m">>.inner == 38);
static_assert(tn::is_valid<tn::pass_list<expand, on<collapse, "c">, on<match, "m">>>);
// An op that no phase lists is one that users add: the pipeline that adds it is judged by it.
struct users_op;
struct match_users : match {
  static constexpr tn::fixed_string name = "match_users";
  using works_on = tn::ops<users_op>;
};
struct expand_users : base {
  static constexpr tn::fixed_string name = "expand_users";
  using emits = tn::ops<>;
  using eliminates = tn::ops<users_op>;
  using handles = tn::ops<users_op>;
};
static_assert(tn::is_valid<tn::pass_list<expand_users, match_users>>);
static_assert(tn::judged<tn::ops<users_op>, match_users, expand_users>::ok);
static_assert(tn::judged<tn::ops<users_op>, expand_users, match_users>::value.code == 38);
// By hand, of a module's type.
struct no_adds {
  static constexpr tn::fixed_string name = "no_adds";
  using absent_ops = tn::ops<add>;
};
template <class P, class... Known>
constexpr int by_hand = tn::detail::step_verdict<P, graph, Known...>().code;
static_assert(by_hand<match, no_adds> == 38 && by_hand<match> == 0);
// Ops of one pattern: nothing is found where one of them is gone.
static_assert(tn::is_valid<tn::pass_list<match_both, expand>> && !tn::is_valid<tn::pass_list<expand, match_both>>);
static_assert(tn::is_valid<tn::pass_list<expand, collapse, match_both>>, "emitted again");
static_assert(tn::is_valid<tn::pass_list<expand, match_groups>>, "the other pattern is left");
static_assert(tn::is_valid<tn::pass_list<take_calls, match_groups>>);
static_assert(tn::verdict_of<expand, take_calls, match_groups>.code == 38 &&
              tn::verdict_of<expand, take_calls, match_groups>.culprit == 1);
static_assert(tn::is_valid<tn::pass_list<expand, match_both_or_call>> &&
              !tn::is_valid<tn::pass_list<take_calls, expand, match_both_or_call>>);
static_assert(tn::is_valid<tn::pass_list<on<expand, "f">, match_both>>, "nothing is gone where the flag is off");
static_assert(by_hand<match_both, no_adds> == 38 && by_hand<match_groups, no_adds> == 0 &&
              by_hand<match_both_or_call, no_adds> == 0);
static_assert(!tn::is_valid<tn::pass_list<expand, tn::repeat<match_both>>> &&
              tn::is_valid<tn::pass_list<expand, tn::repeat<match_groups>>>);
// The planner knows it, too: what takes the ops comes behind, and one that makes them is of use.
static_assert(tn::meta::same<tn::arrange<graph, graph, expand, match>::passes, tn::pass_list<match, expand>>);
struct matched {
  static constexpr tn::fixed_string name = "matched";
};
struct mark : match {
  static constexpr tn::fixed_string name = "mark";
  using gives = tn::facts<matched>;
};
static_assert(tn::meta::same<tn::minimal<graph, tn::goal<graph, tn::facts<matched, no_adds>>, expand, mark>::passes,
                             tn::pass_list<mark, expand>>);
}  // namespace

TEST_CASE("a repeat of text works on the patterns of its members") {
  const auto judged = [](const tn::pass_desc& member) {
    const tn::detail::repeated_order again("repeat", {&member});
    return tn::judge_order({&tn::pass_desc_of<expand>, &again.desc()}).code;
  };
  CHECK(judged(tn::pass_desc_of<match_both>) == 38);
  CHECK(judged(tn::pass_desc_of<match_groups>) == 0);
}

TEST_CASE("an order that comes as text is judged by the same rule") {
  const tn::verdict v = tn::judge_order({&tn::pass_desc_of<expand>, &tn::pass_desc_of<match>});
  CHECK(v.code == 38);
  const tn::meta::phrase said = tn::sentence_of(v);
  CHECK(std::string(said.characters, said.length) ==
        "tenon-E038: pass 'match' (2nd) works on 'add', and pass 'expand' (1st) leaves none of it: move 'match' before "
        "'expand'");
  CHECK(tn::judge_order({&tn::pass_desc_of<match>, &tn::pass_desc_of<expand>}).ok());
}
