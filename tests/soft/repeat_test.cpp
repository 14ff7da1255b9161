// Passes that are repeated until nothing changes: what they say as one, where that stands, and how they run.
#include <doctest/doctest.h>

#include <tenon/compile/repeat.hpp>
#include <tenon/compile/run_pipeline.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/judge/plan.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/simplify.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/text/all.hpp>

#include <support/caught.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;
using tn::testing::caught;

template <int Number>
struct quiet {
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct other {
  static constexpr tn::fixed_string name = "other";
};
struct expand : quiet<0> {
  static constexpr tn::fixed_string name = "expand";
  using emits = tn::ops<add>;
  using eliminates = tn::ops<mul>;
  using handles = tn::ops<mul>;
};
struct collect : quiet<1> {
  static constexpr tn::fixed_string name = "collect";
  using emits = tn::ops<mul>;
  using eliminates = tn::ops<add>;
  using handles = tn::ops<add>;
};
struct call : quiet<2> {
  static constexpr tn::fixed_string name = "call";
  using emits = tn::ops<kernel_call>;
  using eliminates = tn::ops<add>;
  using handles = tn::ops<add>;
};
struct inline_kernels : quiet<3> {
  static constexpr tn::fixed_string name = "inline_kernels";
  using emits = tn::ops<mul>;
  using eliminates = tn::ops<kernel_call>;
  using handles = tn::ops<kernel_call>;
};
struct keeps_other : quiet<4> {
  static constexpr tn::fixed_string name = "keeps_other";
  using keeps = tn::facts<other, shapes>;
};
struct any_op {
  static constexpr tn::fixed_string name = "any_op";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
};
struct once : quiet<5> {
  static constexpr tn::fixed_string name = "once";
  static constexpr bool at_most_once = true;
};
struct match : quiet<6> {
  static constexpr tn::fixed_string name = "match";
  using works_on = tn::ops<mul>;
};
struct after_expand : quiet<7> {
  static constexpr tn::fixed_string name = "after_expand";
  using not_after = expand;
};
struct next_to_expand : quiet<8> {
  static constexpr tn::fixed_string name = "next_to_expand";
  using immediately_after = expand;
};
struct needs_legal : quiet<9> {
  static constexpr tn::fixed_string name = "needs_legal";
  using needs = tn::facts<legal>;
};
struct spoil_and_say : spoil {
  static constexpr tn::fixed_string name = "spoil_and_say";
  using gives = tn::facts<other>;
};
template <class... Ps>
constexpr tn::detail::unfit why = tn::detail::repeat_check<Ps...>::fault.kind;
using unfit = tn::detail::unfit;
template <class A, class B>
constexpr bool same = tn::meta::same<A, B>;

// Which may be repeated.
static_assert(why<expand> == unfit::nothing && why<expand, call> == unfit::nothing && why<> == unfit::none);
static_assert(why<expand, collect> == unfit::undone && why<collect, expand> == unfit::undone);
static_assert(tn::detail::repeat_check<expand, call, inline_kernels>::fault.total == 3, "a circle of three");
static_assert(why<expand, any_op> == unfit::nothing, "who may emit any op says nothing");
static_assert(why<infer, leave> == unfit::leaves && why<infer, lift> == unfit::leaves);
static_assert(why<infer, house::schedule> == unfit::elsewhere && why<once> == unfit::once);
static_assert(why<tn::optional<infer, tn::when<"x">>> == unfit::flag && why<next_to_expand, expand> == unfit::follows);
static_assert(why<expand, next_to_expand> == unfit::nothing);
static_assert(why<fold, spoil> == unfit::needs && why<spoil, fold> == unfit::needs);
static_assert(why<spoil, infer, fold> == unfit::nothing && why<infer, fold, spoil> == unfit::nothing);
static_assert(why<needs_legal, legalize> == unfit::nothing && why<needs_legal, expand> == unfit::needs);
static_assert(why<expand, match> == unfit::found && why<match, expand> == unfit::nothing, "in the first round");
static_assert(why<expand, after_expand> == unfit::interval && why<after_expand, expand> == unfit::interval);
static_assert(why<after_expand, match> == unfit::nothing);

// What they say as one.
static_assert(same<tn::repeat<fold>::needs, tn::facts<shapes>> && same<tn::repeat<infer, fold>::needs, tn::facts<>>);
static_assert(same<tn::repeat<infer, fold>::gives, tn::facts<shapes>>);
static_assert(same<tn::repeat<infer, spoil_and_say>::gives, tn::facts<other>>);
static_assert(same<tn::repeat<infer, spoil_and_say>::breaks, tn::facts<shapes>>);
static_assert(same<tn::repeat<keeps_other, spoil_and_say>::keeps, tn::facts<other>>);
static_assert(same<tn::repeat<expand, call>::emits, tn::ops<kernel_call>>);
static_assert(same<tn::repeat<expand, call>::eliminates, tn::ops<mul, add>>);
static_assert(same<tn::repeat<call, expand>::emits, tn::ops<kernel_call, add>>, "what is left behind the last round");
static_assert(tn::pass_desc_of<tn::repeat<expand, any_op>>.emits_any());
static_assert(same<tn::repeat<match, call>::works_on, tn::ops<mul>> &&
              tn::repeat<match, inline_kernels>::may_find_nothing);
static_assert(same<tn::repeat<match, after_expand>::not_after, expand>);

// Where they stand: as one pass, and known by each of its members to intervals and neighbours.
static_assert(tn::is_valid<tn::pass_list<lift, infer, tn::repeat<fold>, legalize, leave>>);
static_assert(tn::verdict_of<lift, tn::repeat<fold>, infer>.code == 2);
static_assert(tn::verdict_of<lift, infer, tn::repeat<infer, spoil_and_say>, fold>.code == 3);
static_assert(tn::verdict_of<lift, tn::repeat<expand, call>, match>.code == 38);
static_assert(tn::verdict_of<lift, tn::repeat<call, expand>, after_expand>.code == 19, "one of its members opens it");
static_assert(tn::is_valid<tn::pass_list<lift, tn::repeat<call, expand>, next_to_expand>> &&
              tn::verdict_of<lift, tn::repeat<expand, call>, next_to_expand>.code == 20);
static_assert(tn::is_valid<tn::pass_list<lift, infer, tn::optional<tn::repeat<fold>, tn::when<"tidy">>>>);
// What cannot be repeated is no sound pass, by the name of the repeat or of its optional form.
static_assert(!tn::pass<tn::repeat<fold, spoil>> && tn::pass<tn::repeat<spoil, infer, fold>>);
static_assert(tn::verdict_of<lift, infer, tn::repeat<fold, spoil>>.code == 39 &&
              tn::verdict_of<tn::repeat<>>.code == 39);
static_assert(tn::verdict_of<lift, infer, tn::optional<tn::repeat<fold, spoil>, tn::when<"tidy">>>.code == 39);
struct says_nothing {
  static constexpr tn::fixed_string name = "says_nothing";
};
static_assert(tn::verdict_of<lift, tn::repeat<infer, says_nothing>>.code == tn::verdict_of<lift, says_nothing>.code);
static_assert(
    tn::meta::same<tn::arrange<graph, graph, tn::repeat<fold>, infer>::passes, tn::pass_list<infer, tn::repeat<fold>>>);
namespace tp = tn::passes;
using clean = tn::repeat<tp::simplify, tp::eliminate_dead>;
static_assert(tn::is_valid<tn::pass_list<tp::infer_shapes, tp::fold_extents, clean, tp::require_known_extents, tp::fuse,
                                         tp::legalize_ops>>);
static_assert(
    tn::verdict_of<tp::infer_shapes, tp::fold_extents, tp::require_known_extents, tp::fuse, clean, tp::legalize_ops>.code ==
        19,
    "as of simplify alone");

/// Adds to a number in the metadata until it is ten.
struct count : quiet<10> {
  static constexpr tn::fixed_string name = "count";
  int most = 10;
  void run(tn::ir_module<runs_in>& m, tn::context&) const {
    std::string& n = m.body().metadata["count"];
    if (static_cast<int>(n.size()) < most) n += "x";
  }
};
count count_to(int most) {
  count c;
  c.most = most;
  return c;
}
}  // namespace

TEST_CASE("they run until nothing changes, each with its options") {
  tn::context cx;
  cx.verify_each = true;
  using order = tn::pipeline<tn::repeat<infer, count>>;
  auto m = tn::run_pipeline<order>(tn::ir_module<graph>(), cx);
  static_assert(decltype(m)::knows<shapes>);
  CHECK(m.body().metadata.at("count") == "xxxxxxxxxx");
  CHECK(cx.records.size() == 2 * 11 + 1);
  CHECK(cx.records.back().name == "repeat(infer+count)");
  cx.set(count_to(3));
  CHECK(tn::run_pipeline<order>(tn::ir_module<graph>(), cx).body().metadata.at("count") == "xxx");
  cx.set(infer{.lie = true});
  CHECK(caught([&] { static_cast<void>(tn::run_pipeline<order>(tn::ir_module<graph>(), cx)); }).code() == "tenon-E030");
}

TEST_CASE("what does not come to rest is an error, and no loop") {
  tn::context cx;
  using order = tn::pipeline<tn::repeat<count>>;
  tn::repeat<count> few;
  few.most_rounds = 4;
  cx.set(few);
  const tn::error e = caught([&] { static_cast<void>(tn::run_pipeline<order>(tn::ir_module<graph>(), cx)); });
  CHECK(e.code() == "pass.repeat");
  CHECK(e.message() == "'repeat(count)' did not come to rest: the module still changes after 4 rounds");
}

TEST_CASE("an order that comes as text names them as one word") {
  using known = tn::pass_list<infer, tn::repeat<fold, count>, count>;
  const tn::order o = tn::order::parse("infer, repeat(fold+count)", tn::registry_of<known>);
  tn::context cx;
  cx.set(count_to(1));
  const tn::error e = caught([&] { static_cast<void>(o.run(std::make_unique<tn::ir::module>(), cx)); });
  CHECK(e.code() == "pass.repeat");  // `fold` never rests
  CHECK(caught([&] { tn::order::parse("repeat(fold+count), infer", tn::registry_of<known>); }).code() == "tenon-E002");
}

TEST_CASE("a repeat of built-in passes leaves what they leave one after the other") {
  const char* const text =
      "tenon.module phase=optimization\n"
      "func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {\n"
      "  %1 = neg(%0) : tensor<2xf32>\n"
      "  %2 = neg(%1) : tensor<2xf32>\n"
      "  %3 = neg(%2) : tensor<2xf32>\n"
      "  %4 = neg(%3) : tensor<2xf32>\n"
      "  return(%4)\n"
      "}\n";
  tn::context cx;
  cx.verify_each = true;
  using order = tn::pipeline<tp::infer_shapes, clean>;
  using parts = tn::pipeline<tp::infer_shapes, tp::simplify, tp::eliminate_dead, tp::simplify, tp::eliminate_dead>;
  const auto a = tn::run_pipeline<order>(tn::parse<tn::phases::optimization>(text), cx);
  const auto b = tn::run_pipeline<parts>(tn::parse<tn::phases::optimization>(text), cx);
  CHECK(tn::print(a.body()) == tn::print(b.body()));
  CHECK(tn::print(a.body()).find("neg") == std::string::npos);
}
