// Facts of some functions: what the judge concludes, in types, by hand and as text; and what holds when passes run.
#include <doctest/doctest.h>

#include <tenon/compile/run_pipeline.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/judge/plan.hpp>
#include <tenon/judge/questions.hpp>
#include <tenon/passes/outline.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/text/all.hpp>

#include "support/caught.hpp"

namespace {
using namespace tenon;

struct bound {  // of each function: it is for a target
  static constexpr fixed_string name = "bound";
  static void check(const ir::module& m, function_id f) {
    if (m[f].target.empty())
      throw error("fact.bound", "function '" + m[f].name + "' is for no target", {}, "say which");
  }
};
struct one_function {  // of the module as a whole
  static constexpr fixed_string name = "one_function";
  static bool check(const ir::module& m) { return m.functions().size() == 1; }
};
template <fixed_string Name>
struct base {
  static constexpr auto name = Name;
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>&, context&) const {}
};
struct bind_parts : base<"bind_parts"> {
  using gives = facts<of_some<bound>>;
  static constexpr bool changes_functions = true;
  void run(ir_module<runs_in>& m, context&) const {
    for (function_id f : m.functions())
      if (m.body()[f].name != "main") m.body()[f].target = "npu";
  }
};
struct bind_all : base<"bind_all"> {
  using gives = facts<bound>;
  static constexpr bool changes_functions = true;
  void run(ir_module<runs_in>& m, context&) const {
    for (function_id f : m.functions()) m.body()[f].target = "npu";
  }
};
struct take : base<"take"> {
  using needs = facts<of_some<bound>>;
  void run(ir_module<runs_in>& m, context&) const {
    std::string taken;
    for (function_id f : functions_with<bound>(m.body())) taken += m.body()[f].name + ";";
    m.body().metadata["taken"] = taken;
  }
};
struct take_all : base<"take_all"> {
  using needs = facts<bound>;
};
/// Slices the first op out of `main`: a function that nobody bound.
struct slice : base<"slice"> {
  using keeps = facts<of_some<bound>>;
  using emits = ops<op::call, op::return_>;
  static constexpr bool adds_functions = true;
  void run(ir_module<runs_in>& m, context&) const {
    ir::module& body = m.body();
    const op_id chosen[] = {body[body[body.find_function("main")].body].ops[0]};
    passes::outline(body, chosen, "sliced");
  }
};
struct unbind : base<"unbind"> {
  using breaks = facts<bound>;
  using keeps = detail::unsaid;
};
struct unbinds_in_silence : base<"unbinds_in_silence"> {
  void run(ir_module<runs_in>& m, context&) const { m.body()[m.body().find_function("part")].target.clear(); }
};
struct says_whole : base<"says_whole"> {
  using gives = facts<of_some<one_function>>;
};
template <class... Ps>
inline constexpr int code = verdict_of<Ps...>.code;

static_assert(code<bind_parts, take> == 0 && code<bind_all, take> == 0 && code<bind_all, take_all> == 0);
static_assert(code<take> == 2 && code<bind_parts, take_all> == 2 && verdict_of<bind_parts, take_all>.partly);
static_assert(code<bind_all, slice, take> == 0 && code<bind_all, slice, take_all> == 3);
static_assert(code<bind_all, slice, bind_all, take_all> == 0);
static_assert(code<says_whole> == 8);
template <class P>
using maybe = optional<P, when<"bind">>;
static_assert(verdict_of<maybe<bind_parts>, take>.code == 25 && is_valid<pass_list<bind_parts, maybe<bind_all>, take>>);
static_assert(can_arrange<phases::optimization, phases::optimization, take, slice, bind_all>);
static_assert(!can_arrange<phases::optimization, phases::optimization, take_all, bind_parts>);

// The types of modules say it too, and who knows it of all functions knows it of some.
using plain = ir_module<phases::optimization>;
using all_bound = ir_module<phases::optimization, bound>;
using some_bound = ir_module<phases::optimization, of_some<bound>>;
static_assert(std::is_same_v<after_t<bind_parts, plain>, some_bound> &&
              std::is_same_v<after_t<bind_all, plain>, all_bound>);
static_assert(std::is_same_v<after_t<slice, all_bound>, some_bound> && std::is_same_v<after_t<slice, plain>, plain>);
static_assert(can_run<take, some_bound> && can_run<take, all_bound> && !can_run<take, plain>);
static_assert(can_run<take_all, all_bound> && !can_run<take_all, some_bound>);
static_assert(std::is_convertible_v<all_bound&&, some_bound> && !std::is_convertible_v<some_bound&&, all_bound>);

plain two_functions() {
  return parse<phases::optimization>(
      "tenon.module phase=optimization\n"
      "func @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {\n  %1 = neg(%0) : tensor<2xf32>\n"
      "  %2 = call(%1) {callee = @part} : tensor<2xf32>\n  return(%2)\n}\n"
      "func @part(%0: tensor<2xf32>) -> (tensor<2xf32>) {\n  %1 = exp(%0) : tensor<2xf32>\n  return(%1)\n}\n");
}
template <class F>
std::string thrown(F f) {
  try {
    f();
  } catch (const error& e) { return e.code() + ": " + e.message(); }
  return "";
}
context checked() {
  context cx;
  cx.verify_each = true;
  return cx;
}
using all_passes = pass_list<bind_parts, bind_all, take, take_all, slice, unbinds_in_silence>;
}  // namespace

TEST_CASE("a pass takes the functions of which the fact holds, and a module of both kinds is right") {
  context cx = checked();
  auto m = run_pipeline<pipeline<bind_parts, slice, take>>(two_functions(), cx);
  static_assert(decltype(m)::knows<of_some<bound>>);
  CHECK(m.body().metadata.at("taken") == "part;");
  CHECK(functions_with<bound>(m.body()).size() == 1);
  auto n = run_pipeline<pipeline<bind_all, take>>(two_functions(), cx);
  CHECK(n.body().metadata.at("taken") == "main;part;");
}

TEST_CASE("whoever takes it from a function that had it is named") {
  context cx = checked();
  const std::string lie =
      "tenon-E030: pass 'unbinds_in_silence' says that it keeps 'bound_of_some', and function 'part', which had it, "
      "has "
      "it no more: function 'part' is for no target";
  CHECK(thrown([&] { (void)run_pipeline<pipeline<bind_parts, unbinds_in_silence, take>>(two_functions(), cx); }) ==
        lie);
  CHECK(thrown([&] { (void)run<unbinds_in_silence>(run<bind_parts>(two_functions(), cx), cx); }) == lie);
  CHECK(testing::caught([&] { (void)run<unbinds_in_silence>(run<bind_parts>(two_functions(), cx), cx); }).hint() ==
        "say which; else correct the pass, or what it 'keeps' or 'breaks'");
  const order o = order::parse("bind_parts, unbinds_in_silence, take", registry_of<all_passes>);
  CHECK(thrown([&] { o.run(std::make_unique<ir::module>(two_functions().body()), cx); }) == lie);
  // Of all functions it is the checker of each that finds it.
  CHECK(
      thrown([&] { (void)run_pipeline<pipeline<bind_all, unbinds_in_silence, take_all>>(two_functions(), cx); }) ==
      "tenon-E030: pass 'unbinds_in_silence' leaves a module of which 'bound' is said and is not true: function 'part' "
      "is for no target");
}

TEST_CASE("orders that come as text are judged alike") {
  const auto refused = [](std::string_view text) {
    return thrown([&] { order::parse(text, registry_of<all_passes>); }).substr(0, 10);
  };
  CHECK(refused("bind_parts, slice, take") == "");
  CHECK(refused("bind_all, slice, take") == "");
  CHECK(refused("bind_all, slice, take_all") == "tenon-E003");
  CHECK(refused("bind_parts, take_all") == "tenon-E002");
  CHECK(refused("bind_parts, repeat(take, slice)") == "");
  CHECK(refused("repeat(take, slice)") == "tenon-E002");
  CHECK(order::parse("bind_parts, slice", registry_of<all_passes>).facts() ==
        std::vector<std::string>{"bound_of_some"});
  CHECK(diff_of_facts(passes_of<pass_list<bind_all, take>>(), passes_of<pass_list<bind_parts, take>>()) ==
        "take: lost 'bound'\n");
}

TEST_CASE("it is established by asking each function") {
  auto m = two_functions();
  CHECK(thrown([&] { (void)establish<of_some<bound>>(m.clone()); }) ==
        "fact: 'bound_of_some' does not hold: no function has it");
  CHECK(thrown([&] { (void)establish<bound>(m.clone()); }) == "fact.bound: function 'main' is for no target");
  m.constrain("part", "npu");
  context cx = checked();
  CHECK(run<take>(establish<of_some<bound>>(std::move(m)), cx).body().metadata.at("taken") == "part;");
}
