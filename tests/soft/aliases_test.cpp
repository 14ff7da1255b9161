// Passes that go by memory, and ops whose results share some: who may find which, in types and in orders that come as
// text.
#include <doctest/doctest.h>

#include <tenon/compile/repeat.hpp>
#include <tenon/judge/optional.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/judge/pass_of.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/all.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;

struct row_of {
  static constexpr tn::op_traits traits{.min_operands = 1, .max_operands = 2};
  using aliases = tn::operands<1>;
};
struct whole {
  static constexpr tn::op_traits traits{.view = true, .min_operands = 1, .max_operands = 1};
};
static_assert(tn::detail::operands_aliased<row_of>() == 2 && tn::detail::operands_aliased<whole>() == 1);
static_assert(tn::detail::operands_aliased<add>() == 0);
struct vm {
  static constexpr tn::fixed_string name = "vm";
  using op_list = tn::ops<add, row_of, whole>;
};
template <tn::fixed_string Name>
struct base {
  static constexpr auto name = Name;
  using runs_in = vm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<vm>&, tn::context&) const {}
};
struct asks : base<"asks"> {
  using looks_through = tn::any_ops;
};
struct knows_none : base<"knows_none"> {
  using looks_through = tn::ops<>;
};
struct knows_rows : base<"knows_rows"> {
  using looks_through = tn::ops<row_of>;
};
struct takes_wholes : base<"takes_wholes"> {
  using looks_through = tn::ops<row_of>;
  using eliminates = tn::ops<whole>;
  using handles = tn::ops<whole>;
};
struct no_views : base<"no_views"> {
  using eliminates = tn::ops<row_of, whole>;
  using handles = tn::ops<row_of, whole>;
};
struct theirs : base<"theirs"> {
  using looks_through = tn::ops<row_of>;
};
struct closed : tn::pass_of<"closed", tn::words::runs_in<vm>, tn::words::needs<>, tn::words::looks_through<row_of>> {
  void run(tn::ir_module<vm>&, tn::context&) const {}
};

}  // namespace
template <>
inline constexpr bool tenon::treats<theirs, whole> = true;
namespace {

template <class... Ps>
inline constexpr int code = tn::verdict_of<Ps...>.code;

static_assert(code<asks> == 0 && code<knows_none> == 46 && code<knows_rows> == 46 && code<closed> == 46);
static_assert(code<takes_wholes> == 0, "it handles what it does not look through");
static_assert(code<theirs> == 0, "its user answers for it");
static_assert(code<no_views, knows_none> == 0 && code<takes_wholes, knows_rows> == 0);
static_assert(code<takes_wholes, knows_none> == 46);
static_assert(tn::verdict_of<knows_rows, no_views>.repairs[0].kind == tn::repair_kind::move_after);
static_assert(tn::verdict_of<knows_none>.total == 2 && tn::verdict_of<knows_rows>.total == 1);
static_assert(code<tn::repeat<asks, knows_rows>> == 46 && code<takes_wholes, tn::repeat<asks, knows_rows>> == 0);
static_assert(code<tn::optional<knows_rows, tn::when<"plan">>> == 25);

std::string refused(std::string_view text) {
  try {
    tn::order::parse(text, tn::registry_of<tn::pass_list<asks, knows_none, knows_rows, takes_wholes, no_views>>);
  } catch (const tn::error& e) { return e.what(); }
  return "";
}

}  // namespace

TEST_CASE("orders that come as text") {
  CHECK(refused("asks").empty());
  CHECK(refused("takes_wholes, knows_rows").empty());
  CHECK(refused("repeat(asks, takes_wholes), knows_rows").empty());
  const std::string why = refused("asks, knows_rows, takes_wholes");
  CHECK_MESSAGE(why.find("tenon-E046") != std::string::npos, why);
  CHECK_MESSAGE(
      why.find("does not look through 'whole', whose result shares memory of an operand") != std::string::npos, why);
  CHECK(refused("repeat(asks, knows_none)").find("tenon-E046") != std::string::npos);
}
