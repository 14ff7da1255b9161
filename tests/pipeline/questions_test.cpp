// Questions about pipelines: fingerprint, diff, explain, drawings.
#include <doctest/doctest.h>

#include <tenon/pipeline/fingerprint.hpp>
#include <tenon/pipeline/questions.hpp>

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
}  // namespace

TEST_CASE("diff shows the fewest changes") {
  CHECK(tn::diff(tn::passes_of<good>(), tn::passes_of<good>()).empty());
  using other = good::edit<tn::without<fold>, tn::insert_after<infer, spoil, infer>>;
  CHECK(tn::diff(tn::passes_of<good>(), tn::passes_of<other>()) ==
        "  lift\n  infer\n- fold\n+ spoil\n+ infer\n  legalize\n  leave\n");
  CHECK(tn::diff(tn::passes_of<good>(), {}) == "- lift\n- infer\n- fold\n- legalize\n- leave\n");
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
