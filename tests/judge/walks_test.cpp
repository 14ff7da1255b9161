// The quick walk, and the judge's own: each reason for which they say no, in an order that has just that, beside one
// that has not (tests/mutation). How they do on random orders is in judge_test.cpp.
#include <doctest/doctest.h>

#include <array>
#include <deque>
#include <string>
#include <vector>

#include <tenon/judge/functions_left_ahead.hpp>
#include <tenon/judge/judge.hpp>
#include <tenon/judge/plain_walk.hpp>
#include <tenon/judge/step.hpp>

namespace {
using namespace tenon;

constexpr label said(std::string_view text) { return {text.data(), text.size()}; }

constexpr op_key ops_of_world[] = {{1, said("op1")}, {2, said("op2")}, {3, said("op3")}};
constexpr op_set no_ops{ops_of_world, 0}, op1{ops_of_world, 1}, op2{ops_of_world + 1, 1}, op3{ops_of_world + 2, 1},
    op1_op2{ops_of_world, 2}, op2_op3{ops_of_world + 1, 2};
const fact_list all = fact_list_of<all_facts>, unsaid = fact_list_of<detail::unsaid>;

struct says {
  fact_list needs{}, gives{}, breaks = unsaid, keeps = all;
  const op_set &emits = no_ops, &eliminates = no_ops;
};
const says nothing, without_op1_left{.eliminates = op1};
rare_parts rare_with(const auto& set) {
  rare_parts r;
  set(r);
  return r;
}

/// Passes of two phases: `first` has the ops 1 and 2, `second` 2 and 3. All of them keep all facts, and emit nothing.
struct world {
  phase_desc first, second;
  fact_desc f{said("f")}, g{said("g")}, without_op1{said("without_op1"), true, op1},
      without_op3{said("without_op3"), true, op3}, misnamed{said("misnamed"), false, {}, true};
  std::deque<pass_desc> passes;
  std::deque<rare_parts> rare;
  std::deque<pass_tag> tags;
  std::deque<std::string> names;
  std::deque<std::vector<const fact_desc*>> lists;
  std::vector<const pass_desc*> order;
  judge_input in;

  world() {
    first.name = said("first"), first.key = 1, first.ops = op1_op2;
    second.name = said("second"), second.key = 2, second.ops = op2_op3;
  }
  world(const world&) = delete;

  fact_list list(std::vector<const fact_desc*> facts) {
    facts.push_back(nullptr);
    return {lists.emplace_back(std::move(facts)).data()};
  }
  const pass_desc& add(const phase_desc& from, const phase_desc& to, const says& s = nothing, rare_parts parts = {},
                       bool plain = true) {
    const std::string& name = names.emplace_back("pass" + std::to_string(names.size()));
    const rare_parts* const more = plain && &from == &to ? nullptr : &rare.emplace_back(parts);
    passes.push_back({said(name), &tags.emplace_back(), &from, &to, s.needs.data, s.gives.data, s.breaks.data,
                      s.keeps.data, s.emits, s.eliminates, more});
    order.push_back(&passes.back());
    return passes.back();
  }
  const pass_desc& stay(const says& s = nothing) { return add(first, first, s); }
  const pass_desc& stay(const says& s, const rare_parts& parts) { return add(first, first, s, parts, false); }
  const pass_desc& leave(const says& s = without_op1_left) { return add(first, second, s); }

  /// The quick walk says yes only where the judge does, which knows conditions, added ops and detours, but not how
  /// passes are declared.
  bool plain() {
    in.passes = order.data(), in.count = order.size();
    const bool yes = detail::is_plainly_right(in);
    if (yes && order.size() <= 16) CHECK(right());
    return yes;
  }
  using judge = detail::order_judge<16, 1, 1, 64>;
  using numbering = detail::numbering<16, 64, 64>;
  /// Without conditions, both of the judge's walks say the same.
  bool right() {
    in.passes = order.data(), in.count = order.size();
    const numbering n(in);
    const judge c(in, n);
    CHECK(c.is_right() == c.is_right_always());
    CHECK(c.is_right() == c.judge().ok());
    return c.is_right();
  }
};

}  // namespace

TEST_CASE("orders that are right beyond doubt") {
  world w;
  w.stay({.gives = w.list({&w.f})}), w.stay({.needs = w.list({&w.f})});
  w.leave(), w.add(w.second, w.second, {.needs = w.list({&w.f, &w.without_op1})});
  w.in.goal = w.list({&w.f}), w.in.goal_phase = &w.second;
  CHECK(w.plain());
  w.in.goal = w.list({&w.g});
  CHECK(!w.plain());
  CHECK(!w.right());
  const fact_desc without_op2{said("without_op2"), true, op2};
  w.in.goal = w.list({&without_op2});
  CHECK(!w.plain());
  CHECK(!w.right());
  w.in.goal = {}, w.in.goal_phase = &w.first;
  CHECK(!w.plain());
  CHECK(!w.right());
}

TEST_CASE("no pass, more than it can remember, or one without a phase") {
  world w;
  const pass_desc* const none = nullptr;
  w.in.passes = &none;
  CHECK(!detail::is_plainly_right(w.in));
  w.order = {&detail::unsound_pass};
  CHECK(!w.plain());
  world many;
  for (int i = 0; i < 600; ++i) many.stay();
  CHECK(!many.plain());
  many.order.resize(100);
  CHECK(many.plain());
}

TEST_CASE("ops that are added, by the order or to a phase") {
  for (const int where : {0, 1, 2, 3}) {
    CAPTURE(where);
    world w;
    const fact_desc without{said("without"), true, op3};  // it holds, as far as the phases' own lists say
    w.second.ops = op2;
    if (where == 1) w.in.added = op3;
    if (where == 2) w.first.added = op3;
    if (where == 3) w.second.added = op3;
    w.leave(), w.add(w.second, w.second, {.needs = w.list({&without})});
    CHECK(w.plain() == (where == 0));
  }
}

TEST_CASE("phases with a member that nobody reads") {
  world w;
  w.stay(), w.leave();
  CHECK(w.plain());
  w.second.flawed = true;
  CHECK(!w.plain());
  w.second.flawed = false, w.first.flawed = true;
  CHECK(!w.plain());
}

TEST_CASE("phases: another one, one that was left, one that does not list what is there") {
  world other;
  other.stay(), other.add(other.second, other.second);
  CHECK(!other.plain());
  CHECK(!other.right());
  world again;
  again.leave(), again.add(again.second, again.first, {.eliminates = op3});
  CHECK(!again.plain());
  CHECK(!again.right());
  world around;
  phase_desc third = around.first;
  third.name = said("third"), third.key = 3, third.ops = op2;
  around.leave(), around.add(around.second, third, {.eliminates = op3}), around.add(third, around.second);
  CHECK(!around.plain());
  around.order.pop_back();
  CHECK(around.plain());
  world left;
  left.leave({});
  CHECK(!left.plain());
  CHECK(!left.right());
}

TEST_CASE("functions that are ahead of their module") {
  world w;
  w.second.early = op3, w.second.ops = op2_op3;
  w.leave(), w.add(w.second, w.second, {.needs = w.list({&w.without_op3})});
  CHECK(!w.plain());
  w.second.early = no_ops;
  CHECK(w.plain());
  world of_first;  // what functions in the phase held before, and the phase does not list
  of_first.first.early = op3;
  of_first.leave();
  CHECK(!of_first.plain());
  of_first.first.early = op1;
  CHECK(of_first.plain());
  for (const bool meets : {true, false}) {
    world made;
    phase_desc third = made.first;
    third.name = said("third"), third.key = 3;
    made.stay({}, rare_with([&](rare_parts& r) { r.makes = meets ? &made.second : &third; })), made.stay(),
        made.leave();
    CHECK(made.plain() == meets);
    CHECK(detail::meets_made_functions(made.order.data(), made.order.size()) == meets);
    made.rare.back().flag_key = 1;  // where it is off, another transition may come first
    CHECK(!detail::meets_made_functions(made.order.data(), made.order.size()));
  }
}

TEST_CASE("what passes emit, and their names") {
  world w;
  w.stay({.emits = op2});
  CHECK(w.plain());
  w.stay({.emits = op3});
  CHECK(!w.plain());
  world alike;
  alike.stay(), alike.stay();
  CHECK(alike.plain());
  alike.passes.back().name = alike.passes.front().name;
  CHECK(!alike.plain());
  CHECK(!alike.right());
  world apart;  // with another one of the same end between them
  apart.stay(), apart.stay(), apart.stay();
  apart.passes[0].name = said("a_pass"), apart.passes[1].name = said("b_pass"), apart.passes[2].name = said("c_pass");
  CHECK(apart.plain());
  apart.passes[2].name = said("b_pass");
  CHECK(!apart.plain());
}

TEST_CASE("facts that are given, kept and broken") {
  const auto right = [](const auto& middle) {
    world w;
    w.stay({.gives = w.list({&w.f, &w.g})});
    w.stay(middle(w)), w.stay({.needs = w.list({&w.f})});
    return w.plain();
  };
  CHECK(right([](world&) { return says{}; }));
  CHECK(right([](world& w) { return says{.keeps = w.list({&w.f})}; }));
  CHECK(!right([](world& w) { return says{.keeps = w.list({&w.g})}; }));
  CHECK(right([](world& w) { return says{.breaks = w.list({&w.g}), .keeps = unsaid}; }));
  CHECK(!right([](world& w) { return says{.breaks = w.list({&w.f}), .keeps = unsaid}; }));
  CHECK(!right([](world&) { return says{.breaks = all, .keeps = unsaid}; }));
  CHECK(right([](world& w) { return says{.gives = w.list({&w.f}), .breaks = all, .keeps = unsaid}; }));
  CHECK(!right([](world& w) { return says{.breaks = w.list({&w.g}), .keeps = w.list({&w.f})}; }));  // both
  CHECK(!right([](world& w) { return says{.gives = w.list({&w.misnamed})}; }));
  CHECK(!right([](world& w) { return says{.keeps = w.list({&w.f, &w.misnamed})}; }));
  CHECK(!right([](world& w) { return says{.breaks = w.list({&w.misnamed}), .keeps = unsaid}; }));
  CHECK(!right(
      [](world& w) { return says{.gives = w.list({&w.without_op1})}; }));  // computed from the ops that are there
  CHECK(!right([](world& w) { return says{.keeps = w.list({&w.f, &w.without_op1})}; }));
  world names;
  const fact_desc namesake{said("f")};
  names.stay({.gives = names.list({&names.f})}),
      names.stay({.needs = names.list({&names.f}), .gives = names.list({&namesake})});
  CHECK(!names.plain());
  CHECK(!names.right());
}

TEST_CASE("ops that are gone, and come back") {
  for (const op_set* const emitted : {&no_ops, &op2, &op1, &op_set_of<any_ops>}) {
    world w;
    const fact_list gone = w.list({&w.without_op1});
    w.stay({.gives = gone, .eliminates = op1}, {}), w.stay({.emits = *emitted}), w.stay({.needs = gone});
    CHECK(w.plain() == (emitted == &no_ops || emitted == &op2));
  }
}

TEST_CASE("flags, counts, neighbours and windows") {
  const auto right = [](const auto& set, bool last_twice = false) {
    world w;
    w.stay(), w.stay();
    w.stay({}, rare_with([&](rare_parts& r) { set(w, r); }));
    if (last_twice) w.order.push_back(w.order.back());
    w.stay();
    return w.plain();
  };
  const auto once = [](world&, rare_parts& r) { r.at_most_once = true; };
  CHECK(right([](world&, rare_parts&) {}, true));
  CHECK(!right([](world&, rare_parts& r) { r.flag = said("flag"), r.flag_key = 1; }));
  CHECK(right(once));
  CHECK(!right(once, true));
  CHECK(right([](world& w, rare_parts& r) { r.after = w.order[1]->type; }));
  CHECK(!right([](world& w, rare_parts& r) { r.after = w.order[0]->type; }));
  const pass_tag end;
  world alone;
  alone.stay({}, rare_with([&](rare_parts& r) { r.after = &end; }));
  CHECK(!alone.plain());
  for (const bool closed : {true, false}) {
    world window;
    const pass_tag* const begin = window.stay().type;
    window.stay({}, rare_with([&](rare_parts& r) { r.window_begin = begin, r.window_end = &end; }));
    window.stay();
    if (closed) window.passes.back().type = &end;
    CHECK(window.plain() == !closed);
  }
}

TEST_CASE("a repair of one complaint is offered where others stay, and not where it only moves the complaint") {
  const auto repairs = [](const auto& more) {
    world w;
    const fact_list f = w.list({&w.f}), g = w.list({&w.g});
    more(w, f, g);
    w.in.passes = w.order.data(), w.in.count = w.order.size();
    const world::numbering n(w.in);
    const verdict v = world::judge(w.in, n).judge();
    CHECK(v.code == 3);
    return v.repair_count;
  };
  const auto give_once = [](world& w) {
    w.stay({.gives = w.list({&w.f, &w.g})}, rare_with([](rare_parts& r) { r.at_most_once = true; }));
  };
  CHECK(repairs([&](world& w, fact_list f, fact_list g) {  // the one that breaks it cannot come later
          give_once(w);
          w.stay({.needs = g, .breaks = f, .keeps = unsaid}), w.stay({.needs = f, .breaks = g, .keeps = unsaid});
        }) == 0);
  CHECK(repairs([&](world& w, fact_list f, fact_list) {  // another pass fails behind it, in any order
          give_once(w);
          w.stay({.breaks = f, .keeps = unsaid}), w.stay({.needs = f}), w.stay({.needs = w.list({&w.misnamed})});
        }) > 0);
  CHECK(repairs([&](world& w, fact_list f, fact_list) {  // or the goal is not reached
          give_once(w);
          w.stay({.breaks = f, .keeps = unsaid}), w.stay({.needs = f});
          w.in.goal = w.list({&w.misnamed});
        }) > 0);
  CHECK(repairs([&](world& w, fact_list f, fact_list g) {  // or a pass fails that ran before, too, and was right there
          give_once(w);
          const pass_desc& twice = w.stay({.needs = g});
          w.stay({.breaks = f, .keeps = unsaid}), w.stay({.needs = f, .breaks = g, .keeps = unsaid});
          w.order.push_back(&twice);
        }) > 0);
}

TEST_CASE("one pass on one module: what keeps it from running") {
  world w;
  const fact_list f = w.list({&w.f});
  const auto fault = [&](const pass_desc& p, const fact_list& known = {}, const op_set& handled = no_ops) {
    return detail::step_fault(p, w.first, known, handled);
  };
  CHECK(fault(w.stay()).code == 0);
  CHECK(fault(w.add(w.second, w.second)).code == 13);
  CHECK(fault(w.stay({}, rare_with([](rare_parts& r) { r.flag_key = 1; }))).code == 18);
  CHECK(fault(w.stay({.needs = f})).code == 14);
  CHECK(fault(w.stay({.needs = f}), f).code == 0);
  const fact_list gone = w.list({&w.without_op1}), never = w.list({&w.without_op3});
  CHECK(fault(w.stay({.needs = never})).code == 0);  // the phase has no such op
  CHECK(fault(w.stay({.needs = gone})).code == 14);
  CHECK(fault(w.stay({.needs = gone}), gone).code == 0);
  CHECK(fault(w.leave(nothing)).code == 4);
  CHECK(fault(w.leave()).code == 0);
  CHECK(fault(w.leave(nothing), gone).code == 0);
  CHECK(fault(w.leave(nothing), {}, op1).code == 0);
  CHECK(fault(w.stay({}, rare_with([](rare_parts&) {}))).code == 0);
  phase_desc extended = w.first;
  extended.added = op3;
  CHECK(fault(w.add(extended, extended)).code == 13);  // the module's phase is not extended
  CHECK(detail::step_fault(w.add(extended, extended), extended, {}, no_ops).code == 0);
  CHECK(detail::step_fault(w.stay({.needs = never}), extended, {}, no_ops).code == 14);
  CHECK(detail::step_fault(w.leave(), extended, {}, no_ops).code == 0);  // the next phase lists it
  w.second.ops = op2;
  CHECK(detail::step_fault(w.leave(), extended, {}, no_ops).code == 4);
  w.second.open = true;
  CHECK(detail::step_fault(w.leave(), extended, {}, no_ops).code == 0);
}

namespace {
constexpr size_t many = 600;
constexpr std::array<op_key, many> keys = [] {
  std::array<op_key, many> list{};
  for (size_t i = 0; i < many; ++i) list[i] = {i + 1, said("op")};
  return list;
}();
constexpr op_set crowd{keys.data(), many}, none{keys.data(), 0};
constexpr phase_desc from{said("from"), 1, crowd, {}, {}, false, 0, {}}, to{said("to"), 2, crowd, {}, {}, false, 0, {}};
constexpr pass_tag tag;
constexpr pass_desc move{said("move"),
                         &tag,
                         &from,
                         &to,
                         no_facts,
                         no_facts,
                         detail::fact_items<detail::unsaid>,
                         detail::fact_items<all_facts>,
                         none,
                         none,
                         &nothing_rare};
constexpr const pass_desc* moved[] = {&move, nullptr};
constexpr judge_input crowded = [] {
  judge_input in;
  in.passes = moved, in.count = 1;
  return in;
}();
static_assert(!detail::is_plainly_right(crowded), "more ops than it can look at");
}  // namespace
