// Passes that duplicate or recompute ops: which of them may find which, in types, in orders that come as text, and when
// they run.
#include <doctest/doctest.h>

#include <tenon/compile/repeat.hpp>
#include <tenon/compile/run.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/judge/plan.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/passes/inlining.hpp>
#include <tenon/text/all.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;

struct draw {
  using effects = tn::effects<tn::effect::random>;
};
struct send {
  using effects = tn::effects<tn::effect::sync, tn::effect::writes>;
};
struct unseen;  // only declared: it may have what the phase says
struct net {
  static constexpr tn::fixed_string name = "net";
  using op_list = tn::ops<add, mul, draw, send>;
  using op_effects = tn::effects<tn::effect::random, tn::effect::writes, tn::effect::sync>;
};
struct late {
  static constexpr tn::fixed_string name = "late";
  using op_list = tn::ops<unseen>;
  using op_effects = tn::effects<tn::effect::random>;
};
template <tn::fixed_string Name>
struct base {
  static constexpr auto name = Name;
  using runs_in = net;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<net>&, tn::context&) const {}
};
struct again : base<"again"> {
  using recomputes = tn::any_effects;
};
struct copies : base<"copies"> {
  using duplicates = tn::any_effects;
};
struct copies_but_sync : base<"copies_but_sync"> {
  using duplicates = tn::any_effects;
  using leaves = tn::effects<tn::effect::sync>;
};
struct draws_again : base<"draws_again"> {  // says just what it does
  using recomputes = tn::effects<tn::effect::random>;
  using leaves = tn::effects<tn::effect::sync, tn::effect::writes>;
};
struct pure_again : base<"pure_again"> {
  using recomputes = tn::effects<>;
  using leaves = tn::effects<tn::effect::sync, tn::effect::writes, tn::effect::random>;
};
struct no_draws : base<"no_draws"> {
  using eliminates = tn::ops<draw>;
  using handles = tn::ops<draw>;
};
struct no_sends : base<"no_sends"> {
  using eliminates = tn::ops<send>;
  using handles = tn::ops<send>;
};
struct late_again : base<"late_again"> {
  using runs_in = late;
  using recomputes = tn::any_effects;
};
template <class... Ps>
inline constexpr int code = tn::verdict_of<Ps...>.code;

static_assert(code<again> == 43 && code<no_draws, again> == 43 && code<no_sends, no_draws, again> == 0);
static_assert(code<copies> == 43 && code<no_sends, copies> == 0 && code<copies_but_sync> == 0);
static_assert(code<draws_again> == 43 && code<no_draws, draws_again> == 0 && code<pure_again> == 0);
static_assert(code<late_again> == 43, "the phase has random ops, and this is the only one that may be");
static_assert(code<no_draws, tn::repeat<draws_again, copies_but_sync>> == 0);
static_assert(code<tn::repeat<draws_again, copies_but_sync>> == 43);
static_assert(tn::verdict_of<again, no_sends, no_draws>.repair_count == 1);
static_assert(tn::verdict_of<again, no_sends, no_draws>.repairs[0].kind == tn::repair_kind::move_after);
static_assert(tn::can_arrange<net, net, again, no_sends, no_draws>);

std::string refused(std::string_view text) {
  try {
    tn::order::parse(text,
                     tn::registry_of<tn::pass_list<again, copies, copies_but_sync, draws_again, no_draws, no_sends>>);
  } catch (const tn::error& e) { return e.code(); }
  return "";
}

// The table of declarations (ops/fwd.hpp) says what the definitions say.
template <class Op>
bool declares_what_it_is() {
  if (tn::declared_alias<Op> != (tn::ir::info_of<Op>.aliases != 0)) return false;
  const unsigned defined = static_cast<unsigned>(tn::ir::info_of<Op>.traits.effects);
  if constexpr (requires { typename tn::declared_effects<Op>::type; })
    return tn::detail::bits_of_effects<typename tn::declared_effects<Op>::type> == defined;
  else return defined == 0;
}
template <class... Op>
void hold_to_table(tn::meta::detail::box<tn::ops<Op...>>) {
  const auto one = [](bool right, tn::label op) {
    CAPTURE(std::string(op.data(), op.size()));
    CHECK(right);
  };
  (one(declares_what_it_is<Op>(), tn::meta::unqualified_name<Op>()), ...);
}

struct copies_draws {
  static constexpr tn::fixed_string name = "copies_draws";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<>;
  using leaves = tn::effects<tn::effect::random, tn::effect::io>;
  void run(tn::ir_module<runs_in>& m, tn::context&) const {
    tn::ir::module& body = m.body();
    const tn::function_id f = body.find_function("main");
    const tn::op_id first = body[body[f].body].ops[0];
    auto& ops = body[body[f].body].ops;
    const tn::op_id copy = tn::passes::copier(body).copy(first);
    body[copy].parent = body[first].parent;
    ops.insert(ops.begin(), copy);
  }
};
struct copies_and_says : copies_draws {
  static constexpr tn::fixed_string name = "copies_and_says";
  using duplicates = tn::effects<tn::effect::random>;
};
template <class P>
std::string ran() {
  auto m = tn::parse<tn::phases::optimization>(
      "tenon.module phase=optimization\nfunc @main() -> (tensor<u32>) {\n  %0 = draw_seed() : tensor<u32>\n  "
      "return(%0)\n}\n");
  tn::context cx;
  cx.verify_each = true;
  try {
    static_cast<void>(tn::run<P>(std::move(m), cx));
  } catch (const tn::error& e) { return e.code() + ": " + e.message(); }
  return "";
}
}  // namespace

TEST_CASE("orders that come as text are judged alike") {
  CHECK(refused("again") == "tenon-E043");
  CHECK(refused("no_draws, no_sends, again") == "");
  CHECK(refused("no_draws, repeat(draws_again, copies_but_sync)") == "");
  CHECK(refused("repeat(draws_again, copies_but_sync)") == "tenon-E043");
  CHECK(refused("repeat(no_draws, draws_again)") == "tenon-E043");  // of its members together
}

TEST_CASE("ops of this library that are only declared have the effects that they are defined with") {
  using lists = tn::meta::unique_t<
      tn::meta::concat_t<tn::ops<>, tn::phases::ingestion::op_list, tn::phases::optimization::op_list,
                         tn::phases::lowering::op_list, tn::phases::build::op_list, tn::link_ops, tn::external_ops>>;
  hold_to_table(tn::meta::detail::box<lists>{});
}

TEST_CASE("verify_each holds a pass to it") {
  CHECK(ran<copies_draws>() ==
        "tenon-E030: pass 'copies_draws' leaves more of 'draw_seed', which has an effect, than there were, and says "
        "nothing of it");
  CHECK(ran<copies_and_says>() == "");
}
