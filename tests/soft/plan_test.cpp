// Orders found at compile time.
#include <doctest/doctest.h>

#include <tenon/pipeline/plan.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;
using tn::meta::same;

static_assert(same<tn::arrange<front, code, leave, legalize, fold, infer, lift>,
                   tn::pipeline<lift, infer, fold, legalize, leave>>,
              "legalize could run before fold, but would be undone");
static_assert(same<tn::arrange<front, graph, infer, spoil, fold, lift>::passes, tn::pass_list<lift, infer, fold, spoil>>,
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
struct a_known { static constexpr tn::fixed_string name = "a_known"; };
struct b_known { static constexpr tn::fixed_string name = "b_known"; };
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
static_assert(same<tn::arrange<graph, graph, find_b, find_a, use_both>::passes, tn::pass_list<find_a, find_b, use_both>>);
}  // namespace

TEST_CASE("what the planner found, the judge accepts") {
  CHECK(tn::is_valid<tn::arrange<front, code, leave, legalize, fold, infer, lift>::passes>);
}
