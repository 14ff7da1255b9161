// Orders found at compile time.
#include <doctest/doctest.h>

#include <tenon/judge/plan.hpp>
#include <tenon/passes/all.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;
using tn::meta::same;

static_assert(same<tn::arrange<front, code, leave, legalize, fold, infer, lift>,
                   tn::pipeline<lift, infer, fold, legalize, leave>>,
              "legalize could run before fold, but would be undone");
static_assert(
    same<tn::arrange<front, graph, infer, spoil, fold, lift>::passes, tn::pass_list<lift, infer, fold, spoil>>,
    "what hurts comes last, where it can");
static_assert(tn::can_arrange<graph, graph>, "nothing to do");
static_assert(!tn::can_arrange<front, code, lift, infer, fold>, "nothing leads to code");
static_assert(!tn::can_arrange<front, graph, lift, fold>, "nobody gives shapes");

static_assert(same<tn::minimal<graph, tn::goal<code>, spoil, fold, infer, legalize, leave>::passes,
                   tn::pass_list<infer, legalize, leave>>);
static_assert(same<tn::minimal<graph, tn::goal<graph, tn::facts<shapes>>, spoil, fold, infer, legalize>::passes,
                   tn::pass_list<infer>>);
static_assert(same<tn::minimal<graph, tn::goal<graph>, spoil, fold>::passes, tn::pass_list<>>);

// Passes that undo each other's work unless they take turns: the search backs up.
struct a_known {
  static constexpr tn::fixed_string name = "a_known";
};
struct b_known {
  static constexpr tn::fixed_string name = "b_known";
};
struct find_a {
  static constexpr tn::fixed_string name = "find_a";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<a_known>;
  using breaks = tn::facts<b_known>;
  using emits = tn::ops<>;
};
struct find_b {
  static constexpr tn::fixed_string name = "find_b";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<b_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct use_both {
  static constexpr tn::fixed_string name = "use_both";
  using runs_in = graph;
  using needs = tn::facts<a_known, b_known>;
  using keeps = tn::all_facts;
};
static_assert(
    same<tn::arrange<graph, graph, find_b, find_a, use_both>::passes, tn::pass_list<find_a, find_b, use_both>>);

// What one pass breaks, another gives again: the shortest order runs it twice.
struct inlined {
  static constexpr tn::fixed_string name = "inlined";
};
struct inline_all {
  static constexpr tn::fixed_string name = "inline_all";
  using runs_in = graph;
  using needs = tn::facts<shapes>;
  using gives = tn::facts<inlined>;
  using breaks = tn::facts<shapes>;
  using emits = tn::ops<>;
};
static_assert(same<tn::minimal<graph, tn::goal<graph, tn::facts<shapes, inlined>>, fold, inline_all, infer>::passes,
                   tn::pass_list<infer, inline_all, infer>>);
static_assert(!tn::can_reach<graph, tn::goal<graph, tn::facts<shapes, inlined>>, fold, infer>);
static_assert(
    same<tn::minimal<graph, tn::goal<graph, tn::facts<shapes>>, tn::optional<infer, tn::when<"fast">>>::passes,
         tn::pass_list<infer>>,
    "the shortest order has a pass or has it not");

// A fact is a goal, in whatever phase it holds; so are several.
static_assert(same<tn::minimal<front, shapes, spoil, fold, infer, lift>::passes, tn::pass_list<lift, infer>>);
static_assert(same<tn::minimal<graph, tn::facts<shapes, inlined>, fold, inline_all, infer>::passes,
                   tn::pass_list<infer, inline_all, infer>>);
static_assert(same<tn::minimal<graph, tn::facts<>, fold, infer>::passes, tn::pass_list<>>);
static_assert(same<tn::minimal<graph, legal, spoil, fold, infer, legalize>::passes, tn::pass_list<infer, legalize>>,
              "an op-set fact");
static_assert(!tn::can_reach<graph, shapes, fold, spoil> && !tn::can_reach<graph, inlined, infer>,
              "none of them gives it");
static_assert(!tn::can_reach<graph, tn::facts<shapes, inlined>, fold, infer>);

// Intervals, counts and neighbours.
struct not_after_spoil : fold {
  static constexpr tn::fixed_string name = "not_after_spoil";
  using not_between = tn::interval<spoil, find_b>;
};
static_assert(same<tn::arrange<graph, graph, spoil, infer, find_b, not_after_spoil>::passes,
                   tn::pass_list<infer, find_b, not_after_spoil, spoil>>);
struct right_behind : spoil {
  static constexpr tn::fixed_string name = "right_behind";
  using immediately_after = find_b;
};
static_assert(
    same<tn::arrange<graph, graph, right_behind, infer, find_b>::passes, tn::pass_list<infer, find_b, right_behind>>);
static_assert(!tn::can_arrange<graph, graph, right_behind, infer>, "nobody it could follow");
struct once : infer {
  static constexpr tn::fixed_string name = "once";
  static constexpr bool at_most_once = true;
};
static_assert(!tn::can_reach<graph, tn::goal<graph, tn::facts<shapes, inlined>>, once, inline_all>,
              "it would have to run twice");

// Whatever flags are on.
using maybe_infer = tn::optional<infer, tn::when<"infer">>;
static_assert(!tn::can_arrange<graph, graph, fold, maybe_infer>);
static_assert(same<tn::arrange<graph, graph, tn::optional<fold, tn::when<"infer">>, maybe_infer>::passes,
                   tn::pass_list<maybe_infer, tn::optional<fold, tn::when<"infer">>>>);
static_assert(tn::can_arrange<graph, graph, fold, maybe_infer, tn::optional<infer, tn::unless<"infer">>>);

// Surgery on optional passes, by their own name or by that of the pass.
using flagged = tn::pipeline<lift, infer, tn::optional<fold, tn::when<"fold">>, legalize, leave>;
static_assert(same<flagged::edit<tn::insert_after<fold, infer>>,
                   flagged::edit<tn::insert_after<tn::optional<fold, tn::when<"fold">>, infer>>>);
static_assert(same<flagged::edit<tn::without<fold>>::passes, tn::pass_list<lift, infer, legalize, leave>>);
static_assert(
    same<flagged::edit<tn::replace<fold, infer>>::passes, tn::pass_list<lift, infer, infer, legalize, leave>>);

// The passes of `cpu`, backwards; and the fewest that make loops with explicit storage of any graph
// (tests/text/pipeline).
template <class... Ps>
struct backwards {
  using type = tn::pass_list<>;
};
template <class P, class... Ps>
struct backwards<P, Ps...> {
  using type = tn::meta::concat_t<typename backwards<Ps...>::type, tn::pass_list<P>>;
};
using namespace tn::passes;
using all_of_cpu =
    backwards<lift_lambdas, inline_calls, bind_inputs, infer_shapes, use_byte_products, fold_constants, simplify,
              fold_batch_norm, eliminate_common, fold_extents, eliminate_dead, require_known_extents, widen_halves,
              convert_layout, use_winograd, fuse_attention, narrow_weights, pack_weights, fuse, legalize_ops,
              to_lowering, vectorize, parallelize, tile, plan_memory, lower_builtins>::type;
static_assert(tn::arrange<tn::phases::ingestion, tn::phases::build, all_of_cpu>::size == 26);
static_assert(same<tn::minimal<tn::phases::ingestion, tn::goal<tn::phases::build>, all_of_cpu>::passes,
                   tn::pass_list<lift_lambdas, infer_shapes, fold_extents, require_known_extents, legalize_ops,
                                 to_lowering, plan_memory, lower_builtins>>);
static_assert(tn::minimal<tn::phases::ingestion, tn::goal<tn::phases::build, tn::facts<tn::fact::loops_scheduled>>,
                          all_of_cpu>::size == 9);
static_assert(same<tn::minimal<tn::phases::ingestion, tn::fact::memory_planned, all_of_cpu>::passes,
                   tn::pass_list<lift_lambdas, infer_shapes, fold_extents, require_known_extents, legalize_ops,
                                 to_lowering, plan_memory>>);

// 40 passes, 30 facts with two givers each, all of them wanted: within the steps that both compilers allow by default.
template <size_t N>
constexpr tn::fixed_string<3> numbered(char c) {
  return tn::fixed_string<3>({c, static_cast<char>('0' + N / 10), static_cast<char>('0' + N % 10), 0});
}
template <size_t N>
struct wanted {
  static constexpr auto name = numbered<N>('f');
};
template <size_t N>
struct gives_some {
  static constexpr size_t first = N % 30, second = (7 * N + 3) % 30, lowest = first < second ? first : second;
  static constexpr auto name = numbered<N>('p');
  using runs_in = graph;
  using needs = typename decltype([] {
    if constexpr (lowest > 3) return tn::meta::detail::box<tn::facts<wanted<lowest / 2>>>{};
    else return tn::meta::detail::box<tn::facts<>>{};
  }())::type;
  using gives = typename decltype([] {
    if constexpr (N < 20) return tn::meta::detail::box<tn::facts<wanted<first>, wanted<second>>>{};
    else return tn::meta::detail::box<tn::facts<wanted<first>>>{};
  }())::type;
  using breaks = typename decltype([] {
    constexpr size_t broken = (11 * N + 1) % 30;
    if constexpr (N % 5 == 0 && broken != first && broken != second)
      return tn::meta::detail::box<tn::facts<wanted<broken>>>{};
    else return tn::meta::detail::box<tn::facts<>>{};
  }())::type;
  using emits = tn::ops<>;
  void run(tn::ir_module<graph>&, tn::context&) const {}
};
template <size_t... P, size_t... F>
constexpr size_t shortest_of_all(tn::meta::detail::indices<P...>, tn::meta::detail::indices<F...>) {
  return tn::minimal<graph, tn::facts<wanted<F>...>, gives_some<P>...>::size;
}
static_assert(shortest_of_all(tn::meta::detail::make_indices<40>{}, tn::meta::detail::make_indices<30>{}) == 19);
}  // namespace

TEST_CASE("what the planner found, the judge accepts") {
  CHECK(tn::is_valid<tn::arrange<front, code, leave, legalize, fold, infer, lift>::passes>);
}

TEST_CASE("a built-in way that was left out is offered, where it cures") {
  using namespace tn::passes;
  constexpr tn::verdict v = tn::verdict_of<vectorize, parallelize, tile, plan_memory, generate_code>;
  static_assert(v.code == 1 && v.repair_count == 1 && v.repairs[0].kind == tn::repair_kind::insert_before);
  static_assert(v.repairs[0].what == tn::label("lower_builtins", 14));
  constexpr tn::verdict two = tn::verdict_of<lift_lambdas, vectorize>;  // to_lowering needs more
  static_assert(two.code == 1 && two.repair_count == 0);

  // Who plans memory and schedules loops is known; who gives a fact and misses something itself is named.
  constexpr tn::verdict plan = tn::verdict_of<parallelize, lower_builtins>;
  static_assert(plan.code == 2 && plan.repair_count == 1 && plan.repairs[0].what == tn::label("plan_memory", 11));
  constexpr tn::verdict schedule = tn::verdict_of<plan_memory, lower_builtins, generate_code>;
  static_assert(schedule.code == 2 && schedule.repair_count == 1 &&
                schedule.repairs[0].kind == tn::repair_kind::insert_after);
  static_assert(tn::is_valid<tn::pass_list<plan_memory, parallelize, lower_builtins, generate_code>>, "as it says");
  const tn::meta::phrase said = tn::sentence_of(tn::verdict_of<infer_shapes, to_lowering>);
  CHECK(std::string_view(said.characters, said.length) ==
        "tenon-E002: pass 'to_lowering' (2nd) needs 'ops_legalized', which no pass before it gives: 'legalize_ops' "
        "would, and needs "
        "'extents_known' itself: put what gives that before both");
}

TEST_CASE("the transition that comes too late is moved to the front, not dropped") {
  using namespace tn::passes;
  constexpr tn::verdict v = tn::verdict_of<infer_shapes, simplify, lift_lambdas, fold_constants>;
  static_assert(v.code == 1 && v.repair_count == 1 && v.repairs[0].kind == tn::repair_kind::move_before);
  static_assert(v.repairs[0].what == tn::label("lift_lambdas", 12) &&
                v.repairs[0].where == tn::label("infer_shapes", 12));
  static_assert(tn::is_valid<tn::pass_list<lift_lambdas, infer_shapes, simplify, fold_constants>>, "as it says");
}
