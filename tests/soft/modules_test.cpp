// Modules whose type says what is known, passes by hand, and whole builds.
#include <doctest/doctest.h>

#include <type_traits>

#include <tenon/compile/instrument.hpp>
#include <tenon/phases/all.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;
template <class... F>
using front_m = tn::ir_module<front, F...>;
template <class... F>
using graph_m = tn::ir_module<graph, F...>;
template <class... F>
using code_m = tn::ir_module<code, F...>;

// Move-only; read-only with facts; fewer facts from an rvalue only; never more.
static_assert(!std::is_copy_constructible_v<graph_m<>> && std::is_move_constructible_v<graph_m<>>);
static_assert(std::is_const_v<std::remove_reference_t<decltype(std::declval<graph_m<shapes>&>().body())>>);
static_assert(!std::is_const_v<std::remove_reference_t<decltype(std::declval<graph_m<>&>().body())>>);
static_assert(std::is_convertible_v<graph_m<shapes, legal>&&, graph_m<legal>>);
static_assert(std::is_convertible_v<graph_m<shapes, legal>&&, graph_m<legal, shapes>>);
static_assert(!std::is_convertible_v<graph_m<shapes>&, graph_m<>>);
static_assert(!std::is_convertible_v<graph_m<>&&, graph_m<shapes>>);
static_assert(!std::is_convertible_v<graph_m<>&&, code_m<>>);
static_assert(!std::is_default_constructible_v<graph_m<shapes>>);

// What a pass leaves known.
static_assert(std::is_same_v<tn::after_t<infer, graph_m<>>, graph_m<shapes>>);
static_assert(std::is_same_v<tn::after_t<spoil, graph_m<shapes, legal>>, graph_m<legal>>);
static_assert(std::is_same_v<tn::after_t<fold, graph_m<shapes, legal>>, graph_m<shapes>>, "it may emit any op");
static_assert(std::is_same_v<tn::after_t<legalize, graph_m<shapes>>, graph_m<shapes, legal>>);
static_assert(std::is_same_v<tn::after_t<leave, graph_m<shapes, legal>>, code_m<legal>>, "code lists no graph op");
struct emit_add : infer {
  static constexpr tn::fixed_string name = "emit_add";
  using emits = tn::ops<add>;
};
static_assert(std::is_same_v<tn::after_t<emit_add, graph_m<legal>>, graph_m<shapes>>);
struct legalize_add : legalize {
  static constexpr tn::fixed_string name = "legalize_add";
  using eliminates = tn::ops<add>;
};
static_assert(std::is_same_v<tn::after_t<legalize_add, graph_m<shapes>>, graph_m<shapes>>, "mul may be left");
struct code_ahead {
  static constexpr tn::fixed_string name = "code_ahead";
  using op_list = tn::ops<add, kernel_call, jump>;
  using early_ops = tn::ops<add>;
};
struct leave_to_ahead : leave {
  static constexpr tn::fixed_string name = "leave_to_ahead";
  using to = code_ahead;
};
static_assert(std::is_same_v<tn::after_t<leave_to_ahead, graph_m<legal>>, tn::ir_module<code_ahead>>,
              "functions that are there hold add");

// Softly: may it run?
static_assert(tn::can_run<infer, graph_m<>> && !tn::can_run<infer, front_m<>> && !tn::can_run<fold, graph_m<>>);
static_assert(tn::can_run<fold, graph_m<shapes>> && !tn::can_run<leave, graph_m<shapes>>);
static_assert(tn::can_run<leave, graph_m<legal>>);

// Extended phases.
struct softcap {};
using extended = tn::extend<graph, softcap>;
static_assert(tn::can_run<infer, tn::ir_module<extended>>);
static_assert(std::is_same_v<tn::after_t<infer, tn::ir_module<extended>>, tn::ir_module<extended, shapes>>);
static_assert(!tn::can_run<leave, tn::ir_module<extended, legal>>, "code does not list it");
static_assert(std::is_same_v<tn::after_t<lift, tn::ir_module<tn::extend<front, softcap>>>, tn::ir_module<extended>>);

static_assert(tn::target<target>);
static_assert(!tn::target<machine>);
}  // namespace

TEST_CASE("passes by hand") {
  tn::context cx;
  cx.verify_each = true;
  auto g = tn::run<lift>(front_m<>(), cx);
  auto known = tn::run<infer>(std::move(g), cx);
  auto folded = tn::run<fold>(std::move(known), cx);
  CHECK(folded.body().metadata.at("folded") == "x");
  auto edited = std::move(folded).edit();
  edited.body().metadata["by"] = "hand";
  auto again = tn::establish<shapes>(std::move(edited));
  static_assert(decltype(again)::knows<shapes>);
  CHECK(again.clone().body().metadata.at("by") == "hand");
  CHECK(cx.records.size() == 3);
}

TEST_CASE("establish proves, or throws") {
  graph_m<> m;
  m.body().metadata["shapes are wrong"] = "yes";
  CHECK_THROWS_AS(static_cast<void>(tn::establish<shapes>(std::move(m))), tn::error);
}

TEST_CASE("nobody edits behind a fact") {
  tn::context cx;
  graph_m<> editable;
  const tn::constant_id c = editable.body().add_constant(tn::tensor::from<float>({2}, {1, 2}));
  tn::ir::module& before = editable.body();
  auto known = tn::run<infer>(std::move(editable), cx);
  // A reference from before the fact refers to what the module was moved from.
  before.metadata["by"] = "a back door";
  CHECK(known.body().metadata.empty());
  CHECK(before.constant_count() == 0);
  // What is copied out of a module is the reader's own, elements of constants too.
  tn::tensor mine = known.body()[c].value;
  mine.set_f64(0, 42);
  CHECK(mine.at_f64(0) == 42);
  CHECK(known.body()[c].value.at_f64(0) == 1);
  tn::ir::module copy = known.body();
  copy.metadata["by"] = "a copy";
  auto cloned = known.clone().edit();
  cloned.body().metadata["by"] = "a clone";
  CHECK(known.body().metadata.empty());
  // Instruments read.
  static_assert(std::is_same_v<decltype(tn::pass_event::module), const tn::ir::module*>);
  // Neither adopted, swapped, nor assigned.
  static_assert(!std::is_assignable_v<graph_m<shapes>&, graph_m<>&&> &&
                !std::is_constructible_v<graph_m<shapes>, tn::ir::module>);
  static_assert(!std::is_swappable_with_v<graph_m<shapes>&, graph_m<>&> && !std::is_aggregate_v<graph_m<shapes>>);
  static_assert(![](auto m) {
    return requires { decltype(m)::type::adopt(tn::ir::module()); };
  }(std::type_identity<graph_m<shapes>>()));
  static_assert(![](auto m) {
    return requires(typename decltype(m)::type& k) { k.template put_ahead<tn::phases::lowering>(tn::function_id()); };
  }(std::type_identity<tn::ir_module<tn::phases::optimization, shapes>>()));
  static_assert(![](auto m) {
    return requires(typename decltype(m)::type& k) { k.constrain("main", "cpu"); };
  }(std::type_identity<graph_m<shapes>>()));
  static_assert(
      ![](auto m) {
        return requires(typename decltype(m)::type& k) { k.edit(); };
      }(std::type_identity<graph_m<shapes>>()),
      "it takes an rvalue");
}

TEST_CASE("a tensor that others have is not the constant's") {
  tn::tensor t = tn::tensor::from<float>({2}, {1, 2});
  tn::ir::module m;
  const tn::constant_id shared = m.add_constant(t);
  t.set_f64(0, 42);
  CHECK(m[shared].value.at_f64(0) == 1);
  const void* const bytes = std::as_const(t).data();
  const tn::constant_id handed_over = m.add_constant(std::move(t));
  CHECK(m[handed_over].value.data() == bytes);
}

TEST_CASE("what is known of a module costs no byte of it") {
  static_assert(sizeof(graph_m<>) <= 2 * sizeof(void*) && sizeof(graph_m<shapes, legal>) == sizeof(graph_m<>));
  static_assert(std::is_nothrow_move_constructible_v<graph_m<shapes>> &&
                std::is_nothrow_constructible_v<graph_m<>, graph_m<shapes>&&>);
}

TEST_CASE("options: of the object, of the context, or the default") {
  tn::context cx;
  auto lying = tn::run(infer{.lie = true}, graph_m<>(), cx);
  CHECK(lying.body().metadata.contains("shapes are wrong"));
  CHECK_FALSE(tn::run<infer>(graph_m<>(), cx).body().metadata.contains("shapes are wrong"));
  cx.set(infer{.lie = true});
  CHECK(tn::run<infer>(graph_m<>(), cx).body().metadata.contains("shapes are wrong"));
  cx.verify_each = true;
  CHECK_THROWS_AS(static_cast<void>(tn::run<infer>(graph_m<>(), cx)), tn::error);
}

TEST_CASE("build runs every pass; compile_to stops, and build resumes where the facts allow") {
  tn::context cx;
  auto built = tn::build<target>(front_m<>(), cx);
  static_assert(std::is_same_v<decltype(built)::phase, code>);
  CHECK(built.body().build.fingerprint == tn::fingerprint_text(tn::fingerprint<target::pipeline>));
  CHECK(cx.records.size() == 5);

  cx.records.clear();
  auto stopped = tn::compile_to<graph, target>(front_m<>(), cx);
  static_assert(std::is_same_v<decltype(stopped), graph_m<shapes, legal>>);
  CHECK(cx.records.size() == 4);

  auto resumed = tn::build<target>(stopped.clone(), cx);
  CHECK(cx.records.size() == 5);
  CHECK(cx.records.back().name == "leave");

  cx.records.clear();
  auto all = tn::build<target>(std::move(stopped).edit(), cx);  // nothing is known: every pass of the phase runs again
  REQUIRE(cx.records.size() == 4);
  CHECK(cx.records.front().name == "infer");

  cx.records.clear();
  auto half = tn::establish<shapes>(graph_m<>());
  auto rest = tn::build<target>(std::move(half), cx);  // what gives the forgotten fact runs again, and no more
  REQUIRE(cx.records.size() == 2);
  CHECK(cx.records.front().name == "legalize");
}

TEST_CASE("values by type in a context") {
  struct threads {
    int n = 1;
  };
  tn::context cx;
  CHECK(cx.find<threads>() == nullptr);
  CHECK(cx.get<threads>().n == 1);
  cx.set(threads{4});
  cx.set(threads{8});
  CHECK(cx.get<threads>().n == 8);
  tn::context moved = std::move(cx);
  CHECK(moved.find<threads>()->n == 8);
}
