// Soft questions about pipelines: verdicts as values, surgery, extensions. Never an error, and the same on all
// compilers.
#include <doctest/doctest.h>

#include <tenon/pipeline.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;

using good = tn::pipeline<lift, infer, fold, legalize, leave>;
static_assert(good::size == 5);

// is_valid asks softly.
static_assert(tn::is_valid<tn::pass_list<lift, infer, fold, legalize, leave>>);
static_assert(tn::is_valid<tn::pass_list<>>);
static_assert(!tn::is_valid<tn::pass_list<infer, fold, legalize, fold, leave>>);
struct no_pass {};
static_assert(!tn::pass<no_pass> && !tn::pass<int*> && tn::pass<lift>);
static_assert(!tn::is_valid<tn::pass_list<lift, no_pass>>);

// The verdict is a value.
constexpr tn::verdict broken = tn::verdict_of<lift, infer, legalize, fold, leave>;
static_assert(broken.code == 3 && broken.pass == 4 && broken.culprit == 3 && broken.giver == 2);
static_assert(broken.repair_count == 2 && broken.repairs[0].kind == tn::repair_kind::move_before);
constexpr tn::verdict never = tn::verdict_of<lift, fold, infer>;
static_assert(never.code == 2 && never.pass == 1 && never.culprit == -1);
constexpr tn::verdict phase = tn::verdict_of<lift, infer, legalize, leave, fold>;
static_assert(phase.code == 1 && phase.pass == 4 && phase.culprit == 3);
constexpr tn::verdict fine = tn::verdict_of<lift, infer, fold>;
static_assert(fine.ok() && fine.code == 0);

// Several passes may share the work of eliminating ops: the fact follows from what is left.
struct legalize_add {
  static constexpr tn::fixed_string name = "legalize_add";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<add>;
  using handles = tn::ops<add>;
  using emits = tn::ops<kernel_call>;
};
struct legalize_mul {
  static constexpr tn::fixed_string name = "legalize_mul";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<mul>;
  using handles = tn::handled_by_default<"a multiplication is one call">;
  using emits = tn::ops<kernel_call, add>;
};
static_assert(tn::is_valid<tn::pass_list<lift, legalize_mul, legalize_add, leave>>);
static_assert(!tn::is_valid<tn::pass_list<lift, legalize_add, legalize_mul, leave>>, "mul becomes add again");
static_assert(!tn::is_valid<tn::pass_list<lift, legalize_mul, leave>>);

// Surgery.
static_assert(tn::meta::same<good::edit<tn::without<fold>>::passes, tn::pass_list<lift, infer, legalize, leave>>);
static_assert(tn::meta::same<good::edit<tn::insert_after<infer, fold, fold>, tn::without<fold>>::passes,
                             tn::pass_list<lift, infer, legalize, leave>>,
              "edits are made in their order, on all that runs there");
// What is put in may be a pipeline, or a list of passes that is none by itself.
using first = tn::pipeline<lift, infer>;
using last = tn::pass_list<legalize, leave>;
static_assert(!tn::is_valid<last>);
static_assert(tn::meta::same<first::edit<tn::append<fold, last>>, good>);
static_assert(tn::meta::same<tn::pipeline<>::edit<tn::append<last>, tn::prepend<first, fold>>, good>);
static_assert(tn::meta::same<good::edit<tn::insert_after<infer, tn::pass_list<infer, infer>>>,
                             good::edit<tn::insert_before<infer, tn::pass_list<infer, infer>>>>);
static_assert(tn::meta::same<good::edit<tn::replace<fold, tn::pass_list<>>>, good::edit<tn::without<fold>>>);
static_assert(tn::meta::same<good::edit<tn::insert_before<fold, spoil, infer>>::passes,
                             tn::pass_list<lift, infer, spoil, infer, fold, legalize, leave>>,
              "judged once, at the end: after the first insertion alone it would be wrong");
static_assert(tn::meta::same<tn::prefix_until<good, graph>, tn::pass_list<lift, infer, fold, legalize>>);
static_assert(tn::meta::same<tn::suffix_from<good, graph>, tn::pass_list<leave>>);
static_assert(tn::meta::same<tn::prefix_until<good, code>, good::passes>);
static_assert(tn::edited<good, tn::without<infer>>::ok == false);

// A user's op, from one place outside the library.
struct softcap {};
}  // namespace
template <>
struct tenon::lower_with<world::legalize, softcap> {};
namespace {
using with_softcap = good::with_ops<softcap>;
static_assert(with_softcap::size == 5);
static_assert(!tn::judged<tn::ops<no_pass>, lift, infer, legalize, leave>::ok, "nobody lowers it");
static_assert(tn::judged<tn::ops<softcap, no_pass>, lift, infer, legalize>::ok, "an open phase may hold it");
struct use_softcap {
  static constexpr tn::fixed_string name = "use_softcap";
  using runs_in = tn::extend<graph, softcap>;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<softcap>;
};
static_assert(tn::pass<use_softcap>);
static_assert(tn::meta::same<with_softcap::edit<tn::insert_after<infer, use_softcap>>::added_ops, tn::ops<softcap>>);
static_assert(!tn::is_valid<tn::pass_list<lift, infer, use_softcap, legalize, leave>>);

// An op and its pass come together: neither the edit nor the op would do alone, and they are judged as one.
struct expand_no_pass {
  static constexpr tn::fixed_string name = "expand_no_pass";
  using runs_in = tn::extend<graph, no_pass>;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<no_pass>;
  using handles = tn::ops<no_pass>;
  using emits = tn::ops<mul>;
};
static_assert(!tn::edited<good, tn::insert_after<infer, expand_no_pass>>::ok);
static_assert(!tn::edited<good, tn::add_ops<no_pass>>::ok);
using both = good::edit<tn::insert_after<infer, expand_no_pass>, tn::add_ops<no_pass>>;
static_assert(tn::meta::same<both::added_ops, tn::ops<no_pass>> && both::size == 6);
static_assert(
    tn::meta::same<with_softcap::edit<tn::insert_after<infer, expand_no_pass>, tn::add_ops<no_pass>>::added_ops,
                   tn::ops<softcap, no_pass>>);

// What is only declared is no pass, softly too.
struct elsewhere;
static_assert(!tn::is_valid<tn::pass_list<lift, infer, elsewhere, legalize, leave>> && !tn::pass<elsewhere>);

// What a pass leaves out is treated safely.
struct silent {
  static constexpr tn::fixed_string name = "silent";
  using runs_in = graph;
  using needs = tn::facts<>;
};
static_assert(tn::pass<silent>);
static_assert(!tn::is_valid<tn::pass_list<lift, infer, silent, fold>>,
              "neither breaks nor keeps: every fact is broken");
static_assert(!tn::is_valid<tn::pass_list<lift, legalize_mul, legalize_add, silent, leave>>, "emits left out: any op");
}  // namespace

TEST_CASE("the sentence of a verdict that is ok") {
  const tn::meta::phrase p = tn::sentence_of(fine);
  CHECK(std::string_view(p.characters, p.length) == "every pass finds what it needs");
}
TEST_CASE("verdicts are values: two of the same order are the same") {
  constexpr tn::verdict again = tn::verdict_of<lift, infer, legalize, fold, leave>;
  CHECK(again.pass_name == broken.pass_name);
  CHECK(again.repairs[1].what == broken.repairs[1].what);
}
