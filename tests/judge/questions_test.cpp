// Questions about pipelines: fingerprint, diff, explain, drawings.
#include <doctest/doctest.h>

#include <tenon/judge/fingerprint.hpp>
#include <tenon/judge/questions.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;
using good = tn::pipeline<lift, infer, fold, legalize, leave>;
struct fold_again : fold {
  static constexpr tn::fixed_string name = "fold";
  static constexpr int version = 2;
};

static_assert(tn::fingerprint<good> == tn::fingerprint<tn::pipeline<lift, infer, fold, legalize, leave>>);
static_assert(tn::fingerprint<good> != tn::fingerprint<good::edit<tn::without<fold>>>, "a pass less");
static_assert(tn::fingerprint<good> != tn::fingerprint<good::edit<tn::replace<fold, fold_again>>>, "another version");
static_assert(tn::fingerprint<tn::pipeline<lift, infer, spoil>> != tn::fingerprint<tn::pipeline<lift, spoil, infer>>);
struct hoist : fold {
  static constexpr tn::fixed_string name = "hoist";
  using emits = tn::ops<>;
  using works_on = tn::ops<add>;
  using changes = tn::ops<kernel_call>;
  using moves = tn::effects<tn::effect::reads, tn::effect::io>;
  using duplicates = tn::effects<tn::effect::reads>;
  using keeps_inside = tn::effects<tn::effect::reads>;
  using emits_outside = tn::ops<add>;
  using encloses = tn::any_ops;
  using not_before = leave;
  static constexpr bool adds_functions = true, removes_functions = true, changes_functions = true;
};
}  // namespace

TEST_CASE("diff shows the fewest changes") {
  CHECK(tn::diff(tn::passes_of<good>(), tn::passes_of<good>()).empty());
  using other = good::edit<tn::without<fold>, tn::insert_after<infer, spoil, infer>>;
  CHECK(tn::diff(tn::passes_of<good>(), tn::passes_of<other>()) ==
        "  lift\n  infer\n- fold\n+ spoil\n+ infer\n  legalize\n  leave\n");
  CHECK(tn::diff(tn::passes_of<good>(), {}) == "- lift\n- infer\n- fold\n- legalize\n- leave\n");
}

TEST_CASE("diff_of_facts says what an edit made of what is known") {
  const tn::passes_view before = tn::passes_of<good>();
  CHECK(tn::diff_of_facts(before, before).empty());
  using without = tn::pass_list<lift, fold, legalize, leave>;
  CHECK(tn::diff_of_facts(before, tn::passes_of<without>()) == "fold: lost 'shapes'\nat the end: the same again\n");
  CHECK(tn::diff_of_facts(tn::passes_of<without>(), before) == "fold: gained 'shapes'\nat the end: the same again\n");
  using spoiled = tn::pass_list<lift, infer, fold, legalize, spoil>;
  CHECK(tn::diff_of_facts(tn::passes_of<tn::pass_list<lift, infer, fold, legalize>>(), tn::passes_of<spoiled>()) ==
        "at the end: lost 'shapes'\n");
  CHECK(tn::diff_of_facts(before, {}).empty());
}

TEST_CASE("explain says who gives and who needs") {
  CHECK(tn::explain(tn::passes_of<good>(), "infer") ==
        "'infer' (2nd) runs in 'graph'\n"
        "  gives 'shapes', which is needed by 'fold' (3rd), 'legalize' (4th)\n");
  CHECK(tn::explain(tn::passes_of<good>(), "leave") ==
        "'leave' (5th) takes the module from 'graph' to 'code'\n"
        "  needs 'legal', which 'legalize' (4th) gives\n"
        "  breaks 'shapes'\n"
        "  emits jump\n");
  CHECK(tn::explain(tn::passes_of<good>(), "fold").find("may emit any op of 'graph'") != std::string::npos);
  CHECK_THROWS_AS(tn::explain(tn::passes_of<good>(), "folt"), tn::error);
}

TEST_CASE("explain says what a pass does to ops, effects, regions and functions") {
  const std::string said = tn::explain(tn::passes_of<tn::pass_list<lift, infer, hoist>>(), "hoist");
  CHECK(said.find("  may not run before 'leave'\n"
                  "  adds functions\n"
                  "  removes functions\n"
                  "  changes functions\n"
                  "  works on add, of which some must be left\n"
                  "  changes kernel_call where it stands\n"
                  "  answers for ops with effects reads, io\n"
                  "  duplicates or recomputes ops with effect reads\n"
                  "  leaves ops with effect reads in the regions where they stand\n"
                  "  never puts add into a region that does not allow it\n"
                  "  makes regions that take in any op\n") != std::string::npos);
}

TEST_CASE("drawings") {
  CHECK(tn::mermaid(tn::passes_of<tn::pass_list<lift, infer, fold>>()) ==
        "flowchart TB\n"
        "  subgraph front\n"
        "    p1[\"lift\"]\n"
        "  end\n"
        "  subgraph graph\n"
        "    p2[\"infer\"]\n"
        "    p3[\"fold\"]\n"
        "  end\n"
        "  p1 --> p2\n"
        "  p2 --> p3\n"
        "  p2 -. shapes .-> p3\n");
  CHECK(tn::dot(tn::passes_of<tn::pass_list<infer, fold>>()) ==
        "digraph pipeline {\n  rankdir=TB;\n  node [shape=box];\n"
        "  subgraph cluster_0 {\n    label=\"graph\";\n    p1 [label=\"infer\"];\n    p2 [label=\"fold\"];\n  }\n"
        "  p1 -> p2;\n  p1 -> p2 [style=dashed, label=\"shapes\"];\n}\n");
}

// Optional passes, and rules of place.
struct infer_slowly : infer {
  static constexpr tn::fixed_string name = "infer_slowly";
};
struct polish : fold {
  static constexpr tn::fixed_string name = "polish";
  static constexpr bool at_most_once = true;
  using not_between = tn::interval<legalize, leave>;
  using immediately_after = fold;
};
struct look_at_ops : fold {
  static constexpr tn::fixed_string name = "look_at_ops";
  using not_between = tn::interval<tn::emitter_of<kernel_call>, leave>;
};
struct look_last : fold {
  static constexpr tn::fixed_string name = "look_last";
  using not_before = tn::emitter_of<kernel_call>;
};
using fast = tn::optional<infer, tn::when<"fast">>;
using slow = tn::optional<infer_slowly, tn::unless<"fast">>;
using either = tn::pipeline<lift, fast, slow, fold, polish, legalize, leave>;

TEST_CASE("optional passes are asked about with their flags") {
  const tn::passes_view passes = tn::passes_of<either>();
  CHECK(tn::explain(passes, "fold")
            .find("  needs 'shapes', which 'infer' (2nd, when 'fast') or 'infer_slowly' (3rd, unless 'fast') give\n") !=
        std::string::npos);
  CHECK(tn::explain(passes, "infer") ==
        "'infer' (2nd, when 'fast') runs in 'graph'\n"
        "  gives 'shapes', which is needed by 'fold' (4th), 'polish' (5th), 'legalize' (6th)\n");
  CHECK(tn::explain(passes, "polish")
            .find("  may run at most once\n"
                  "  may not run between 'legalize' and 'leave'\n"
                  "  must run immediately after 'fold'\n") != std::string::npos);
  CHECK(tn::explain(tn::passes_of<tn::pipeline<lift, infer, look_at_ops, legalize, leave>>(), "look_at_ops")
            .find("  may not run between any pass that emits kernel_call, and 'leave'\n") != std::string::npos);
  CHECK(tn::explain(tn::passes_of<tn::pass_list<lift, infer, look_last>>(), "look_last")
            .find("  may not run before any pass that emits kernel_call\n") != std::string::npos);
  const std::string drawing = tn::mermaid(passes);
  CHECK(drawing.find("p2[\"infer when 'fast'\"]") != std::string::npos);
  CHECK(drawing.find("p2 -. shapes .-> p4") != std::string::npos);
  CHECK(drawing.find("p3 -. shapes .-> p4") != std::string::npos);
  using always = either::edit<tn::replace<fast, infer>, tn::without<slow>>;
  CHECK(tn::diff(passes, tn::passes_of<always>()) ==
        "  lift\n- infer when 'fast'\n- infer_slowly unless 'fast'\n+ infer\n  fold\n  polish\n  legalize\n  leave\n");
  using a = tn::pipeline<lift, infer, tn::optional<fold, tn::when<"a">>>;
  using not_a = tn::pipeline<lift, infer, tn::optional<fold, tn::unless<"a">>>;
  using b = tn::pipeline<lift, infer, tn::optional<fold, tn::when<"b">>>;
  using plain = tn::pipeline<lift, infer, fold>;
  static_assert(tn::fingerprint<a> != tn::fingerprint<not_a> && tn::fingerprint<a> != tn::fingerprint<b> &&
                tn::fingerprint<a> != tn::fingerprint<plain>);
}

TEST_CASE("a name that is nearly right") {
  try {
    static_cast<void>(tn::explain(tn::passes_of<good>(), "folt"));
  } catch (const tn::error& e) {
    CHECK(std::string_view(e.what()).find("did you mean 'fold'?") != std::string_view::npos);
  }
}
