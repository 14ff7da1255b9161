// Repairs of small wrong orders, and what is said of those with optional passes. Of random ones: repairs_test.cpp.
#include <doctest/doctest.h>

#include "judge/small_world.hpp"

namespace {
using namespace tenon;
using namespace small_worlds;

verdict judged(small_world& w, size_t candidates = 0) {
  w.in.passes = w.order.data(), w.in.count = w.order.size() - candidates, w.in.candidates = candidates;
  const small_world::numbering n(w.in);
  return small_world::judge(w.in, n).judge();
}
/// Passes that `give` facts f and g can give them once only.
const pass_desc& give_once(small_world& w, fact_list given) {
  return w.stay({.gives = given}, rare_with([](rare_parts& r) { r.at_most_once = true; }));
}
rare_parts under(u64 flag, bool on = true) {
  return rare_with(
      [&](rare_parts& r) { r.flag = said(flag == 1 ? "one" : "other"), r.flag_key = flag, r.flag_on = on; });
}
}  // namespace

TEST_CASE("a repair of one complaint is offered where others stay, and not where it only moves the complaint") {
  const auto repairs = [](const auto& more) {
    small_world w;
    const fact_list f = w.list({&w.f}), g = w.list({&w.g});
    more(w, f, g);
    w.in.passes = w.order.data(), w.in.count = w.order.size();
    const small_world::numbering n(w.in);
    const verdict v = small_world::judge(w.in, n).judge();
    CHECK(v.code == 3);
    return v.repair_count;
  };
  const auto give_once = [](small_world& w) {
    w.stay({.gives = w.list({&w.f, &w.g})}, rare_with([](rare_parts& r) { r.at_most_once = true; }));
  };
  CHECK(repairs([&](small_world& w, fact_list f, fact_list g) {  // the one that breaks it cannot come later
          give_once(w);
          w.stay({.needs = g, .breaks = f, .keeps = unsaid}), w.stay({.needs = f, .breaks = g, .keeps = unsaid});
        }) == 0);
  CHECK(repairs([&](small_world& w, fact_list f, fact_list) {  // another pass fails behind it, in any order
          give_once(w);
          w.stay({.breaks = f, .keeps = unsaid}), w.stay({.needs = f}), w.stay({.needs = w.list({&w.misnamed})});
        }) > 0);
  CHECK(repairs([&](small_world& w, fact_list f, fact_list) {  // or the goal is not reached
          give_once(w);
          w.stay({.breaks = f, .keeps = unsaid}), w.stay({.needs = f});
          w.in.goal = w.list({&w.misnamed});
        }) > 0);
  CHECK(repairs([&](small_world& w, fact_list f,
                    fact_list g) {  // or a pass fails that ran before, too, and was right there
          give_once(w);
          const pass_desc& twice = w.stay({.needs = g});
          w.stay({.breaks = f, .keeps = unsaid}), w.stay({.needs = f, .breaks = g, .keeps = unsaid});
          w.order.push_back(&twice);
        }) > 0);
}

TEST_CASE("of two passes that each use up a fact which is given once, one is enough") {
  const auto dropped = [](const auto& more) {
    small_world w;
    const fact_list f = w.list({&w.f}), g = w.list({&w.g}), both = w.list({&w.f, &w.g});
    give_once(w, both);
    more(w, f, g, both);
    const verdict v = judged(w);
    CHECK(v.code == 3);
    return v.repair_count && v.repairs[0].kind == repair_kind::drop;
  };
  const auto uses_up = [](small_world& w, fact_list f) { w.stay({.needs = f, .breaks = f, .keeps = unsaid}); };
  CHECK(dropped([&](small_world& w, fact_list f, fact_list, fact_list) { uses_up(w, f), uses_up(w, f); }));
  CHECK(!dropped([&](small_world& w, fact_list f, fact_list g, fact_list both) {  // the first one does not need it
    w.stay({.needs = g, .breaks = f, .keeps = unsaid}), w.stay({.needs = f, .breaks = both, .keeps = unsaid});
  }));
  CHECK(!dropped([&](small_world& w, fact_list f, fact_list g, fact_list both) {  // the second one keeps it
    w.stay({.needs = both, .breaks = f, .keeps = unsaid}), w.stay({.needs = f, .breaks = g, .keeps = unsaid});
  }));
  CHECK(!dropped([&](small_world& w, fact_list f, fact_list, fact_list both) {  // or gives it again
    w.stay({.needs = both, .breaks = f, .keeps = unsaid});
    w.stay({.needs = f, .gives = f, .breaks = both, .keeps = unsaid});
  }));
  CHECK(!dropped([&](small_world& w, fact_list f, fact_list, fact_list) {  // or leads to another phase
    uses_up(w, f), w.leave({.needs = f, .breaks = f, .keeps = unsaid, .eliminates = op1});
  }));
}

TEST_CASE("a pass that cannot run is dropped where another one does its work behind it") {
  for (const bool covered : {true, false}) {
    small_world w;
    const effect_bar why[] = {{said("effect"), bar_kind::stands_twice}};
    const barred_ops no_op2{op2, why};
    w.stay(without_op1_left, rare_with([&](rare_parts& r) { r.barred = &no_op2; }));
    w.stay({.eliminates = covered ? op1 : no_ops}, {});
    const verdict v = judged(w);
    CHECK(v.code == 43);
    CHECK(v.repair_count == (covered ? 1 : 0));
  }
}

TEST_CASE("who removes functions comes behind those that adds some") {
  for (const bool removes : {true, false}) {
    small_world w;
    const fact_list f = w.list({&w.f});
    w.stay({.gives = f}, rare_with([](rare_parts& r) { r.adds_functions = true; }));
    const pass_desc& ends =
        w.stay({.breaks = f, .keeps = unsaid}, rare_with([&](rare_parts& r) { r.removes_functions = removes; }));
    const pass_desc& needs = w.stay({.needs = f});
    const verdict v = judged(w);
    CHECK(v.repairs[0].what == (removes ? needs.name : ends.name));
  }
}

TEST_CASE("no repair ends in a detour") {
  small_world w;
  w.second.side_of = w.first.key;
  w.leave(), w.add(w.second, w.first, {.eliminates = op3}), w.add(w.second, w.second);
  w.leave();  // a candidate
  const verdict v = judged(w, 1);
  CHECK(v.code == 1);
  CHECK(v.repair_count > 0);
  for (size_t k = 0; k < v.repair_count; ++k) CHECK(v.repairs[k].kind != repair_kind::insert_before);
}

TEST_CASE("with optional passes, no repair names one that stands there twice") {
  for (const bool twice : {false, true}) {
    small_world w;
    const fact_list f = w.list({&w.f}), g = w.list({&w.g}), both = w.list({&w.f, &w.g});
    w.stay({.gives = both}), w.stay({.needs = g, .breaks = f, .keeps = unsaid}, under(1));
    w.stay({.needs = f, .breaks = g, .keeps = unsaid});
    const pass_desc& gives = w.stay({.gives = f}, twice ? under(2) : rare_parts{});
    if (twice) {  // under the one flag or the other one, it is there
      w.stay({.gives = f}, under(2, false));
      w.passes.back().name = gives.name, w.passes.back().type = gives.type;
    }
    const verdict v = judged(w);
    CHECK(v.code == 25);
    CHECK(v.inner == 3);
    CHECK((v.repair_count > 0) == !twice);
  }
}

TEST_CASE("an interval that is open in every combination needs no flag, whoever else opens it") {
  small_world w;
  const pass_tag end;
  const auto rewrites_op1 = [&](rare_parts r) {
    r.rewrites = &op1;
    return r;
  };
  w.stay({}, rewrites_op1({})), w.stay(without_op1_left, rewrites_op1(under(1)));
  w.stay({}, rare_with(
                 [&](rare_parts& r) { r.interval_ops = &op1, r.interval_of_rewriters = true, r.interval_end = &end; }));
  w.stay(), w.passes.back().type = &end;
  const verdict v = judged(w);
  CHECK(v.code == 19);
  CHECK(v.condition_count == 0);
}
