// The quick walk, and the judge's own: each reason for which they say no, in an order that has just that, beside one
// that has not (tests/mutation). How they do on random orders is in judge_test.cpp.
#include <doctest/doctest.h>

#include <array>

#include <tenon/judge/functions_left_ahead.hpp>
#include <tenon/judge/step.hpp>

#include "judge/small_world.hpp"

namespace {
using namespace tenon;
using namespace small_worlds;
}  // namespace

TEST_CASE("orders that are right beyond doubt") {
  small_world w;
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
  small_world w;
  const pass_desc* const none = nullptr;
  w.in.passes = &none;
  CHECK(!detail::is_surely_right(w.in));
  w.order = {&detail::unsound_pass};
  CHECK(!w.plain());
  small_world many;
  for (int i = 0; i < 600; ++i) many.stay();
  CHECK(!many.plain());
  many.order.resize(100);
  CHECK(many.plain());
}

TEST_CASE("ops that are added, by the order or to a phase") {
  for (const int where : {0, 1, 2, 3}) {
    CAPTURE(where);
    small_world w;
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
  small_world w;
  w.stay(), w.leave();
  CHECK(w.plain());
  w.second.flawed = true;
  CHECK(!w.plain());
  w.second.flawed = false, w.first.flawed = true;
  CHECK(!w.plain());
}

TEST_CASE("phases: another one, one that was left, one that does not list what is there") {
  small_world other;
  other.stay(), other.add(other.second, other.second);
  CHECK(!other.plain());
  CHECK(!other.right());
  small_world again;
  again.leave(), again.add(again.second, again.first, {.eliminates = op3});
  CHECK(!again.plain());
  CHECK(!again.right());
  small_world around;
  phase_desc third = around.first;
  third.name = said("third"), third.key = 3, third.ops = op2;
  around.leave(), around.add(around.second, third, {.eliminates = op3}), around.add(third, around.second);
  CHECK(!around.plain());
  around.order.pop_back();
  CHECK(around.plain());
  small_world left;
  left.leave({});
  CHECK(!left.plain());
  CHECK(!left.right());
}

TEST_CASE("functions that are ahead of their module") {
  small_world w;
  w.second.early = op3, w.second.ops = op2_op3;
  w.leave(), w.add(w.second, w.second, {.needs = w.list({&w.without_op3})});
  CHECK(!w.plain());
  w.second.early = no_ops;
  CHECK(w.plain());
  small_world of_first;  // what functions in the phase held before, and the phase does not list
  of_first.first.early = op3;
  of_first.leave();
  CHECK(!of_first.plain());
  of_first.first.early = op1;
  CHECK(of_first.plain());
  for (const bool meets : {true, false}) {
    small_world made;
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
  small_world w;
  w.stay({.emits = op2});
  CHECK(w.plain());
  w.stay({.emits = op3});
  CHECK(!w.plain());
  small_world alike;
  alike.stay(), alike.stay();
  CHECK(alike.plain());
  alike.passes.back().name = alike.passes.front().name;
  CHECK(!alike.plain());
  CHECK(!alike.right());
  small_world apart;  // with another one of the same end between them
  apart.stay(), apart.stay(), apart.stay();
  apart.passes[0].name = said("a_pass"), apart.passes[1].name = said("b_pass"), apart.passes[2].name = said("c_pass");
  CHECK(apart.plain());
  apart.passes[2].name = said("b_pass");
  CHECK(!apart.plain());
}

TEST_CASE("facts that are given, kept and broken") {
  const auto right = [](const auto& middle) {
    small_world w;
    w.stay({.gives = w.list({&w.f, &w.g})});
    w.stay(middle(w)), w.stay({.needs = w.list({&w.f})});
    return w.plain();
  };
  CHECK(right([](small_world&) { return says{}; }));
  CHECK(right([](small_world& w) { return says{.keeps = w.list({&w.f})}; }));
  CHECK(!right([](small_world& w) { return says{.keeps = w.list({&w.g})}; }));
  CHECK(right([](small_world& w) { return says{.breaks = w.list({&w.g}), .keeps = unsaid}; }));
  CHECK(!right([](small_world& w) { return says{.breaks = w.list({&w.f}), .keeps = unsaid}; }));
  CHECK(!right([](small_world&) { return says{.breaks = all, .keeps = unsaid}; }));
  CHECK(right([](small_world& w) { return says{.gives = w.list({&w.f}), .breaks = all, .keeps = unsaid}; }));
  CHECK(!right([](small_world& w) { return says{.breaks = w.list({&w.g}), .keeps = w.list({&w.f})}; }));  // both
  CHECK(!right([](small_world& w) { return says{.gives = w.list({&w.misnamed})}; }));
  CHECK(!right([](small_world& w) { return says{.keeps = w.list({&w.f, &w.misnamed})}; }));
  CHECK(!right([](small_world& w) { return says{.breaks = w.list({&w.misnamed}), .keeps = unsaid}; }));
  CHECK(!right(
      [](small_world& w) { return says{.gives = w.list({&w.without_op1})}; }));  // computed from the ops that are there
  CHECK(!right([](small_world& w) { return says{.keeps = w.list({&w.f, &w.without_op1})}; }));
  small_world names;
  const fact_desc namesake{said("f")};
  names.stay({.gives = names.list({&names.f})}),
      names.stay({.needs = names.list({&names.f}), .gives = names.list({&namesake})});
  CHECK(!names.plain());
  CHECK(!names.right());
}

TEST_CASE("ops that are gone, and come back") {
  for (const op_set* const emitted : {&no_ops, &op2, &op1, &op_set_of<any_ops>}) {
    small_world w;
    const fact_list gone = w.list({&w.without_op1});
    w.stay({.gives = gone, .eliminates = op1}, {}), w.stay({.emits = *emitted}), w.stay({.needs = gone});
    CHECK(w.plain() == (emitted == &no_ops || emitted == &op2));
  }
}

TEST_CASE("flags, counts, neighbours and intervals") {
  const auto right = [](const auto& set, bool last_twice = false) {
    small_world w;
    w.stay(), w.stay();
    w.stay({}, rare_with([&](rare_parts& r) { set(w, r); }));
    if (last_twice) w.order.push_back(w.order.back());
    w.stay();
    return w.plain();
  };
  const auto once = [](small_world&, rare_parts& r) { r.at_most_once = true; };
  CHECK(right([](small_world&, rare_parts&) {}, true));
  CHECK(!right([](small_world&, rare_parts& r) { r.flag = said("flag"), r.flag_key = 1; }));
  CHECK(right(once));
  CHECK(!right(once, true));
  CHECK(right([](small_world& w, rare_parts& r) { r.after = w.order[1]->type; }));
  CHECK(!right([](small_world& w, rare_parts& r) { r.after = w.order[0]->type; }));
  const pass_tag end;
  small_world alone;
  alone.stay({}, rare_with([&](rare_parts& r) { r.after = &end; }));
  CHECK(!alone.plain());
  for (const bool closed : {true, false}) {
    small_world interval;
    const pass_tag* const begin = interval.stay().type;
    interval.stay({}, rare_with([&](rare_parts& r) { r.interval_begin = begin, r.interval_end = &end; }));
    interval.stay();
    if (closed) interval.passes.back().type = &end;
    CHECK(interval.plain() == !closed);
  }
}

TEST_CASE("intervals of ops: the pass itself, and who takes the ops away before") {
  const pass_tag end;
  const auto until_op1_is_emitted = [&](rare_parts& r) {
    r.interval_begin = &pass_tag_of<no_begin>, r.interval_end = &end, r.interval_ops = &op1;
  };
  small_world itself;
  const pass_desc& emitter = itself.stay({.emits = op1}, rare_with(until_op1_is_emitted));
  itself.order.push_back(&emitter);
  CHECK(itself.plain());
  small_world gone;
  gone.stay(without_op1_left, {}), gone.stay({}, rare_with(until_op1_is_emitted));
  CHECK(gone.plain());
  gone.stay({.emits = op1});
  CHECK(!gone.plain());
  CHECK(!gone.right());
  for (const bool endless : {false, true}) {
    small_world behind;
    const pass_tag* const begin = behind.stay().type;
    behind.stay({}, rare_with([&](rare_parts& r) {
                  r.interval_begin = begin, r.interval_end = endless ? &pass_tag_of<no_end> : &end;
                }));
    CHECK(behind.plain() == !endless);
    CHECK(behind.right() == !endless);
  }
}

TEST_CASE("regions that do not allow every op") {
  const region_rule of_op1{said("op1"), 1, op2}, of_op2{said("op2"), 2, op3};
  for (const op_set* const emitted : {&no_ops, &op1, &op2}) {  // op1, around an op2 that is there, or op2, into an op1
    small_world w;
    w.first.regions = {&of_op1, 1};
    w.stay({.emits = *emitted});
    CHECK(!w.plain());
    CHECK(w.right() == (emitted == &no_ops));
  }
  small_world later;
  later.second.regions = {&of_op2, 1};
  later.leave(), later.add(later.second, later.second, {.emits = op3});
  CHECK(!later.plain());
  CHECK(!later.right());
}

TEST_CASE("what a pass works on, or may not find") {
  const op_key elsewhere[] = {{9, said("op9")}};
  const op_set op9{elsewhere, 1};
  const op_set patterns[] = {no_ops, op1_op3};
  const auto right = [&](const op_set& on, bool together, bool plainly) {
    small_world w;
    w.stay({}, rare_with([&](rare_parts& r) {
             r.works_on = &on;
             if (together) r.patterns = patterns, r.pattern_count = 1;
           })),
        w.leave();
    CHECK(w.plain() == plainly);
    return w.right();
  };
  CHECK(right(op1, false, true));
  CHECK(!right(op3, false, false));
  CHECK(right(op9, false, true));  // no phase lists it: who adds it, to a pipeline that follows from this one, has some
  CHECK(!right(op1_op3, true, false));
  small_world both;  // those of a pattern are there
  both.second.ops = op1_op2;
  const op_set alone[] = {no_ops, op1_op2};
  both.stay({}, rare_with([&](rare_parts& r) { r.works_on = &op1_op2, r.patterns = alone, r.pattern_count = 1; }));
  CHECK(both.right());

  const effect_bar why[] = {{said("effect"), bar_kind::stands_twice}};
  const barred_ops no_op1{op1, why};
  const pass_tag* const repeated[] = {&pass_tag_of<no_end>, nullptr};
  for (const bool there : {false, true})
    for (const bool again : {false, true}) {  // it is repeated, and emits one itself
      small_world w;
      if (!there) w.stay(without_op1_left, {});
      w.stay({.emits = again ? op1 : no_ops}, rare_with([&](rare_parts& r) {
               r.barred = &no_op1;
               if (again) r.repeats = repeated;
             }));
      CHECK(w.plain() == (!there && !again));
      CHECK(w.right() == (!there && !again));
    }
}

TEST_CASE("detours") {
  small_world w;
  w.second.side_of = w.first.key;
  w.stay(), w.leave(), w.add(w.second, w.first, {.eliminates = op3}), w.stay();
  CHECK(!w.plain());
  CHECK(w.right());
}

TEST_CASE("intervals are the same where all that they say is") {
  const pass_tag other;
  const op_set op1_alone = op1;
  const auto same = [](const auto& set) {
    rare_parts a, b;
    a.interval_begin = b.interval_begin = &pass_tag_of<no_begin>,
    a.interval_end = b.interval_end = &pass_tag_of<no_end>;
    a.interval_ops = b.interval_ops = &op1;
    set(b);
    return detail::same_interval(a, b);
  };
  CHECK(same([](rare_parts&) {}));
  CHECK(same([&](rare_parts& b) { b.interval_ops = &op1_alone; }));
  CHECK(!same([&](rare_parts& b) { b.interval_begin = &other; }));
  CHECK(!same([&](rare_parts& b) { b.interval_end = &other; }));
  CHECK(!same([&](rare_parts& b) { b.interval_ops = &op2; }));
  CHECK(!same([&](rare_parts& b) { b.interval_ops = nullptr; }));
  CHECK(!same([&](rare_parts& b) { b.interval_of_rewriters = true; }));
}

TEST_CASE("each pass once") {
  std::vector<std::string> names;
  for (int i = 0; i < 600; ++i) names.push_back("pass" + std::to_string(i));
  std::vector<label> labels;
  for (const std::string& name : names) labels.push_back(said(name));
  CHECK(detail::each_once(labels.data(), 300));
  labels[299] = labels[0];
  CHECK(!detail::each_once(labels.data(), 300));
  CHECK(!detail::each_once(labels.data() + 1, 599));  // too many to be told apart: nobody knows
}

TEST_CASE("one pass on one module: what keeps it from running") {
  small_world w;
  const fact_list f = w.list({&w.f});
  const auto code = [&](const pass_desc& p, const fact_list& known = {}) { return w.by_hand(p, w.first, known).code; };
  CHECK(code(w.stay()) == 0);
  CHECK(code(w.add(w.second, w.second)) == 1);
  CHECK(code(w.stay({.needs = f})) == 2);
  CHECK(code(w.stay({.needs = f}), f) == 0);
  const fact_list gone = w.list({&w.without_op1}), never = w.list({&w.without_op3});
  CHECK(code(w.stay({.needs = never})) == 0);  // the phase has no such op
  CHECK(code(w.stay({.needs = gone})) == 2);
  CHECK(code(w.stay({.needs = gone}), gone) == 0);
  CHECK(code(w.leave(nothing)) == 4);
  CHECK(code(w.leave()) == 0);
  CHECK(code(w.leave(nothing), gone) == 0);
  CHECK(code(w.stay({}, rare_with([](rare_parts&) {}))) == 0);
  const auto& many = w.stay({}, rare_with([](rare_parts& r) { r.works_on = &op1_op2; }));
  CHECK(code(many) == 0);
  CHECK(code(many, gone) == 0);
  CHECK(code(w.stay({}, rare_with([](rare_parts& r) { r.works_on = &op1; })), gone) == 38);
  CHECK(code(w.stay({}, rare_with([](rare_parts& r) { r.works_on = &op3; }))) == 38);  // nor does the phase list it
  const op_set of_no_phase[] = {no_ops, op1_op3};
  CHECK(code(w.stay({}, rare_with([&](rare_parts& r) {
                      r.works_on = &op1_op3, r.patterns = of_no_phase, r.pattern_count = 1;
                    }))) == 38);
  const op_set patterns[] = {no_ops, op1_op2};
  const verdict together = w.by_hand(
      w.stay({}, rare_with([&](rare_parts& r) { r.works_on = &op1_op2, r.patterns = patterns, r.pattern_count = 1; })),
      w.first, gone);
  CHECK(together.code == 38);
  CHECK(together.other == said("op1"));
  // Intervals and neighbours speak of orders.
  const pass_tag other;
  const pass_desc& behind = w.stay({}, rare_with([&](rare_parts& r) { r.after = &other; }));
  const pass_desc& never_again = w.stay({}, rare_with([](rare_parts& r) {
                                          r.interval_begin = &pass_tag_of<no_begin>,
                                          r.interval_end = &pass_tag_of<no_end>;
                                        }));
  CHECK((code(behind) == 0 && code(never_again) == 0));
}

TEST_CASE("one pass on one module: a phase with more ops") {
  small_world w;
  phase_desc extended = w.first;
  extended.added = op3;
  const fact_list never = w.list({&w.without_op3});
  const auto code = [&](const pass_desc& p, u64 lowered = 0) { return w.by_hand(p, extended, {}, lowered).code; };
  const verdict unknown = w.by_hand(w.add(extended, extended), w.first);
  CHECK((unknown.code == 1 && unknown.total == 1));
  CHECK(code(w.add(extended, extended)) == 0);
  phase_desc twice = w.first;
  twice.added = op2_op3;
  const verdict one_of_two = w.by_hand(w.add(twice, twice), extended);
  CHECK((one_of_two.code == 1 && one_of_two.total == 1 && one_of_two.names[0] == said("op2")));
  CHECK(code(w.stay({.needs = never})) == 2);
  CHECK(code(w.leave()) == 0);  // the next phase lists it
  w.second.ops = op2;
  CHECK(code(w.leave()) == 4);
  CHECK(code(w.leave(), 1) == 0);
  w.second.open = true;
  CHECK(code(w.leave()) == 0);
}

TEST_CASE("one pass on one module: regions") {
  small_world w;
  const region_rule of_op1{said("op1"), 1, op2};
  w.first.regions = {&of_op1, 1};
  const fact_list gone = w.list({&w.without_op1});
  const auto code = [&](const pass_desc& p, const fact_list& known = {}) { return w.by_hand(p, w.first, known).code; };
  const pass_desc& puts_in = w.stay({.emits = op2});
  CHECK(code(puts_in) == 42);
  CHECK(code(puts_in, gone) == 0);
  CHECK(code(w.stay({.emits = op2, .eliminates = op1}, {})) == 0);
  CHECK(code(w.leave({.emits = op2})) == 4);  // the next phase does not list op1: that is what is wrong
  w.second.ops = op1_op2;
  CHECK(code(w.leave({.emits = op2})) == 42);
  w.second.ops = op2;
  CHECK(code(w.stay({.emits = op1})) == 42);  // around what is there
  CHECK(code(w.stay({.emits = op1, .eliminates = op2}, {})) == 0);
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
static_assert(!detail::is_surely_right(crowded), "more ops than it can look at");
}  // namespace
