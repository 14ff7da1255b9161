// Functions that are ahead of their module: the table of calls as a type, and passes that keep to their phase.
#include <doctest/doctest.h>

#include <tenon/compile/build.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/judge/optional.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/text/parse.hpp>

#include <support/caught.hpp>

namespace {
namespace tn = tenon;
using tn::ir::function_kind;
using optimization = tn::phases::optimization;
using lowering = tn::phases::lowering;

// The table: the same phase, what a phase says, what a user says; soft and loud agree.
static_assert(tn::callable_across<optimization, optimization> && tn::callable_across<optimization, lowering>);
static_assert(!tn::callable_across<lowering, optimization> &&
              !tn::callable_across<optimization, tn::phases::ingestion>);
static_assert(tn::callable_across<tn::extend<optimization, struct softcap>, lowering>);
static_assert(tn::can_call<optimization, lowering> && !tn::can_call<lowering, optimization>);
static_assert(!tn::can_call<optimization, tn::phases::built>, "nothing is there before its module");
// Extensions, on either side or both, change nothing in it.
static_assert(tn::callable_across<optimization, tn::extend<lowering, softcap>> &&
              tn::can_call<optimization, tn::extend<lowering, softcap>>);
static_assert(tn::can_call<tn::extend<optimization, softcap>, tn::extend<lowering, softcap>>);
static_assert(!tn::can_call<tn::extend<lowering, softcap>, tn::extend<optimization, softcap>> &&
              !tn::can_call<lowering, tn::extend<optimization, softcap>>);
static_assert(!tn::can_call<optimization, tn::phases::partitioned> &&
              !tn::can_call<tn::phases::partitioned, optimization>);
static_assert(tn::can_call<tn::phases::partitioned, lowering>, "kernels are there in the side phase too");

/// A user's phase between two built-in ones.
struct scheduled {
  static constexpr tn::fixed_string name = "scheduled";
  using op_list = lowering::op_list;
  using early_ops = lowering::early_ops;
  using calls_into = tn::phase_list<lowering>;
};
}  // namespace
template <>
inline constexpr bool tenon::callable_across<optimization, scheduled> = true;

namespace {
static_assert(tn::can_call<optimization, scheduled>);

/// Finishes every kernel as far as `scheduled`.
struct schedule {
  static constexpr tn::fixed_string name = "schedule";
  using runs_in = optimization;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using makes_functions_in = scheduled;
  bool again = false;  ///< changes what is ahead already
  void run(tn::ir_module<runs_in>& m, tn::context&) const {
    if (again) {
      for (tn::function_id f : m.body().functions())
        if (!m.body()[f].phase.empty()) m.body()[f].target = "changed";
      return;
    }
    for (tn::function_id f : m.functions())
      if (m.body()[f].kind == function_kind::kernel) m.put_ahead<makes_functions_in>(f);
  }
};
static_assert(tn::pass<schedule> && !tn::detail::plain_pass<schedule>);
struct arrive {
  static constexpr tn::fixed_string name = "arrive";
  using from = optimization;
  using to = scheduled;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::meta::without_t<optimization::op_list, scheduled::op_list>;
  using handles = tn::handled_by_default<"the tests have none">;
  using emits = tn::ops<>;
  tn::ir_module<to> run(tn::ir_module<from>&& m, tn::context&) const {
    return tn::ir_module<to>::adopt(std::move(m.body()));
  }
};
using way = tn::pipeline<schedule, arrive>;

tn::ir_module<optimization> two_functions() {
  tn::ir::module m;
  const tn::function_id k = m.add_function("k", function_kind::kernel, {});
  tn::ir::builder<>(m, m[k].body).make_op(tn::op::return_{}, {}, {});
  const tn::function_id f = m.add_function("main", function_kind::graph, {});
  tn::ir::builder<> b(m, m[f].body);
  b.make_op(tn::op::return_{}, {}, {});
  return tn::ir_module<optimization>::adopt(std::move(m));
}
/// Past `scheduled`, to a phase whose functions may not call those that are there.
struct pass_by {
  static constexpr tn::fixed_string name = "pass_by";
  using from = optimization;
  using to = lowering;
  using needs = tn::facts<>;
  using eliminates = tn::meta::without_t<optimization::op_list, lowering::op_list>;
  using handles = tn::handled_by_default<"the tests have none">;
  using emits = tn::ops<>;
  tn::ir_module<to> run(tn::ir_module<from>&& m, tn::context&) const {
    return tn::ir_module<to>::adopt(std::move(m.body()));
  }
};
static_assert(tn::verdict_of<schedule, arrive>.ok() && tn::detail::functions_left_ahead<pass_by, schedule>::value.ok());
static_assert(tn::verdict_of<schedule, pass_by>.code == 32 && tn::verdict_of<schedule, pass_by>.pass == 1);

// In every combination of flags: `pass_by` goes past, and `arrive` would have been there, only where they run.
template <class P, tn::fixed_string Flag = "flag">
using on = tn::optional<P, tn::when<Flag>>;
template <class P>
using off = tn::optional<P, tn::unless<"flag">>;
static_assert(tn::verdict_of<on<schedule>, on<arrive>, off<pass_by>>.code == 25, "it ends in one phase or the other");
template <class... Ps>
constexpr bool leaves_none = tn::detail::functions_left_ahead<Ps...>::value.ok();
static_assert(leaves_none<on<schedule>, off<pass_by>> && leaves_none<on<schedule>, on<arrive>, off<pass_by>>);
static_assert(leaves_none<schedule, on<arrive>, on<pass_by>> && !leaves_none<schedule, on<arrive>, off<pass_by>>);
static_assert(!leaves_none<on<schedule>, pass_by> && !leaves_none<on<schedule, "other">, off<pass_by>>);

struct machine {
  static constexpr tn::device_kind kind = tn::device_kind::cpu;
};
struct target {
  static constexpr tn::fixed_string name = "target";
  using device = machine;
  struct code_generator {};
  using pipeline = way;
  using ends_in = scheduled;
};
}  // namespace

TEST_CASE("a module is where its least advanced function is") {
  tn::context cx;
  cx.verify_each = true;
  auto ahead = tn::compile_to<optimization, target>(two_functions(), cx);
  const tn::ir::module& m = ahead.body();
  CHECK(m[m.find_function("k")].phase == "scheduled");
  CHECK(ahead.functions().size() == 1);
  auto there = tn::build<target>(std::move(ahead), cx);
  CHECK(there.functions().size() == 2);
  CHECK(there.body()[there.body().find_function("k")].phase.empty());
}

TEST_CASE("a pass that changes a function which is ahead is named") {
  tn::context cx;
  cx.verify_each = true;
  auto m = tn::run<schedule>(two_functions(), cx);
  try {
    auto changed = tn::run(schedule{.again = true}, std::move(m), cx);
    FAIL("not noticed");
  } catch (const tn::error& e) {
    CHECK(e.code() == "tenon-E030");
    CHECK(e.message() ==
          "pass 'schedule' runs in phase 'optimization' and changed function 'k', which is in phase 'scheduled' "
          "already: a pass works on functions of its phase only");
  }
}

TEST_CASE("a text pipeline knows the phases of its passes") {
  tn::context cx;
  cx.verify_each = true;
  const auto o = tn::order::parse("schedule, arrive", tn::registry_of<tn::pass_list<schedule, arrive>>);
  auto body = o.run(std::make_unique<tn::ir::module>(two_functions().body()), cx);
  CHECK((*body)[body->find_function("k")].phase.empty());
}

TEST_CASE("a text pipeline leaves no function behind, in the words of the compiler") {
  using known = tn::pass_list<arrive, schedule, pass_by>;
  CHECK_NOTHROW(tn::order::parse("schedule, arrive", tn::registry_of<known>));
  CHECK_NOTHROW(tn::order::parse("pass_by", tn::registry_of<known>));
  try {
    tn::order::parse("schedule, pass_by", tn::registry_of<known>);
    FAIL("not refused");
  } catch (const tn::error& e) {
    const tn::meta::phrase said = tn::sentence_of(tn::verdict_of<schedule, pass_by>);
    CHECK(e.code() == "tenon-E032");
    CHECK(e.code() + ": " + e.message() == std::string(said.characters, said.length));
  }
}

TEST_CASE("a function that is finished as far as its own module is not ahead") {
  auto m = two_functions();
  const tn::function_id k = m.body().find_function("k");
  m.put_ahead<scheduled>(k);
  CHECK(m.functions().size() == 1);
  m.put_ahead<optimization>(k);
  CHECK(m.functions().size() == 2);  // passes of the phase see it
}

TEST_CASE("a file cannot hide a function in a phase where it is not") {
  const auto refused = [](std::string_view text) { return tn::testing::caught([&] { (void)tn::parse(text); }); };
  const auto with = [](const char* of_k, const char* of_main) {
    return std::string("tenon.module phase=optimization\nkernel @k(%0: buffer<2xf32>, %1: buffer<2xf32>)") + of_k +
           " {\n  return()\n}\nfunc entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>)" + of_main +
           " {\n  %1 = call_kernel(%0) {kernel = @k} : tensor<2xf32>\n  return(%1)\n}\n";
  };
  CHECK_NOTHROW((void)tn::parse(with(" phase(lowering)", "")));
  CHECK_NOTHROW((void)tn::parse(with(" target(\"cpu\") phase(build)", "")));
  CHECK_NOTHROW((void)tn::parse(with(" phase(scheduled)", "")));  // whose it is, knows who may call it
  CHECK(refused(with(" phase(built)", "")).code() == "tenon-E033");
  CHECK(refused(with(" phase(ingestion)", "")).code() == "tenon-E033");
  CHECK(refused(with("", " phase(optimization)")).code() == "none");  // that is where the module is
  const tn::error hidden = refused(with(" phase(lowering)", " phase(lowering)"));
  CHECK(hidden.code() == "ir.verify");
  CHECK(
      hidden.message() ==
      "function 'main': call_kernel: it does not exist in phase 'lowering', in a function that is ahead of its module");

  tn::ir::module m = tn::parse(with(" phase(lowering)", ""));
  CHECK_NOTHROW((void)tn::deserialize(tn::serialize(m, "optimization"), "file", {}));
  m[m.find_function("main")].phase = "lowering";
  CHECK(tn::testing::caught([&] { (void)tn::deserialize(tn::serialize(m, "optimization"), "file", {}); }).code() ==
        "ir.verify");
}
