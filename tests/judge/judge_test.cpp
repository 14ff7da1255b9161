// The judge against a naive one, on random orders; and each repair that it offers, carried out.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include <tenon/judge/order.hpp>

#include "judge/random_world.hpp"

namespace {
using namespace random_worlds;

using order_of_passes = std::vector<const tn::pass_desc*>;

order_of_passes repaired(order_of_passes order, const tn::repair& r, const order_of_passes& all) {
  const auto find = [&](const order_of_passes& in, tn::label name) {
    size_t i = 0;
    while (i < in.size() && !(in[i]->name == name)) ++i;
    REQUIRE(i < in.size());
    return i;
  };
  const tn::pass_desc* what = all[find(all, r.what)];
  switch (r.kind) {
    case tn::repair_kind::move_before:
    case tn::repair_kind::move_after:
    case tn::repair_kind::drop: order.erase(order.begin() + static_cast<long>(find(order, r.what))); break;
    default: break;
  }
  if (r.kind == tn::repair_kind::drop) return order;
  const bool behind = r.kind == tn::repair_kind::move_after || r.kind == tn::repair_kind::insert_after ||
                      r.kind == tn::repair_kind::run_again_after;
  const long at = static_cast<long>(find(order, r.where) + behind);
  order.insert(order.begin() + at, what);
  if (r.before.length) order.insert(order.begin() + at, all[find(all, r.before)]);
  return order;
}
}  // namespace

TEST_CASE("the quick walk says no where there are more facts than it can remember") {
  std::deque<std::string> names;
  std::vector<tn::fact_desc> facts;
  for (int i = 0; i < 600; ++i) {
    names.push_back("fact_" + std::to_string(i));
    facts.push_back({{names.back().data(), names.back().size()}, false, {}});
  }
  std::vector<const tn::fact_desc*> given, never{&facts.back(), nullptr};
  for (size_t i = 0; i + 1 < facts.size(); ++i) given.push_back(&facts[i]);
  given.push_back(nullptr);
  const tn::fact_list none, gives{given.data()}, needs{never.data()}, all = tn::fact_list_of<tn::all_facts>,
                                                                      unsaid = tn::fact_list_of<tn::detail::unsaid>;
  tn::phase_desc phase;
  phase.name = {"phase", 5}, phase.key = 1;
  const tn::pass_tag tags[2];
  const tn::op_key nothing[1];
  const tn::op_set no_ops{nothing, 0};
  const auto pass = [&](tn::label name, size_t i, const tn::fact_list& needed, const tn::fact_list& given_by) {
    return tn::pass_desc{name,        &tags[i], &phase, &phase, needed.data, given_by.data,
                         unsaid.data, all.data, no_ops, no_ops, nullptr};
  };
  const tn::pass_desc give = pass({"give", 4}, 0, none, gives), need = pass({"need", 4}, 1, needs, none);
  const tn::pass_desc* order[] = {&give, &need};
  tn::judge_input in;
  in.passes = order, in.count = 2;
  CHECK(!tn::detail::is_surely_right(in));
  in.count = 1;
  CHECK(tn::detail::is_surely_right(in));
}

TEST_CASE("random orders: the same answer as the naive judge, and repairs that cure") {
  int wrong = 0, with_repair = 0, exactly_right = 0, unsound = 0, detours = 0, codes[64]{};
  for (unsigned seed = 0; seed < 800; ++seed) {
    random_world w(seed);
    if (seed % 8 == 6) w.add_regions();
    const int stay = 1 + static_cast<int>(w.random() % 4);
    for (int phase = 0; phase < phase_total; ++phase) {
      for (int k = 0; k < stay; ++k) w.add_pass(phase, phase);
      if (phase + 1 < phase_total) w.add_pass(phase, phase + 1);
    }
    if (seed % 5 == 2) w.add_pass(1, 0);
    w.add_pass(2, seed % 5 == 2 ? 0 : 1);  // a way back, which only a wrong order takes
    for (tn::pass_desc& p : w.passes)
      if (seed % 3 == 0 && w.chance(0.3)) w.add_interval(w.rare.emplace_back()), p.rare = &w.rare.back();
      else if (seed % 8 == 6 && w.chance(0.7)) w.add_region_words(w.rare.emplace_back()), p.rare = &w.rare.back();
      else if (seed % 8 == 5 && w.chance(0.5)) w.add_bars(w.rare.emplace_back()), p.rare = &w.rare.back();
      else if (seed % 3 == 1 && w.chance(0.3))
        w.add_place(w.rare.emplace_back(), w.passes[w.random() % w.passes.size()]), p.rare = &w.rare.back();
    order_of_passes all;
    for (const tn::pass_desc& p : w.passes) all.push_back(&p);
    for (int trial = 0; trial < 10; ++trial) {
      order_of_passes order(all.begin(), all.end() - (trial % 5 ? 1 : 0)), rest;
      if (trial % 5 == 1) order.push_back(all.back());
      if (seed % 5 == 2 && trial % 2) {  // a detour to phase 1, and back
        order.erase(std::find_if(order.begin(), order.end(),
                                 [](const tn::pass_desc* p) { return p->is_transition() && p->from->side_of; }),
                    order.end());
        order.push_back(*(all.end() - 2));
        if (trial % 4 == 1) order.push_back(all.front());
      }
      if (seed % 3 == 1 && trial % 2)
        order.insert(order.begin() + static_cast<long>(w.random() % order.size()), order[w.random() % order.size()]);
      for (int swaps = trial % 3; swaps > 0; --swaps)
        std::swap(order[w.random() % order.size()], order[w.random() % order.size()]);
      while (order.size() > 2 && w.chance(0.4)) {
        const long at = static_cast<long>(w.random() % order.size());
        rest.push_back(order[static_cast<size_t>(at)]);
        order.erase(order.begin() + at);
      }
      const naive_result expected = naive(order);
      const tn::verdict v = tn::judge_order(order, rest);
      CAPTURE(seed);
      CAPTURE(trial);
      const int code = v.code == 3 ? 2 : naive_code(v.code);
      REQUIRE(code == expected.code);
      tn::judge_input in;
      in.passes = order.data(), in.count = order.size();
      // The quick way to a yes is exact where there are no options; it looks at the declarations of plain passes too.
      const bool sound = std::all_of(order.begin(), order.end(),
                                     [](const tn::pass_desc* p) { return p->rare || tn::detail::sound_desc(*p); });
      const bool may_be_unsure = seed % 5 == 2 || seed % 4 == 1 || seed % 8 == 6;  // detours, bounds of facts, regions
      if (!may_be_unsure || tn::detail::is_surely_right(in))
        REQUIRE(tn::detail::is_surely_right(in) == (v.ok() && sound));
      detours += v.ok() && seed % 5 == 2 && std::any_of(order.begin(), order.end(), [](const tn::pass_desc* p) {
                   return p->is_transition() && p->from->side_of;
                 });
      exactly_right += v.ok() && sound, unsound += !sound;
      ++codes[v.code];
      if (v.ok()) continue;
      ++wrong;
      REQUIRE(static_cast<size_t>(v.pass) == expected.position);
      if (v.culprit >= 0) REQUIRE(v.culprit < static_cast<int>(order.size()));
      for (size_t k = 0; k < v.repair_count; ++k) {
        ++with_repair;
        const auto told_by_name = [&](tn::label name) {  // a pass that is there twice: the sentence does not say which
          return std::count_if(order.begin(), order.end(), [&](const tn::pass_desc* p) { return p->name == name; }) < 2;
        };
        if (!told_by_name(v.repairs[k].what) || !told_by_name(v.repairs[k].where) ||
            !told_by_name(order[expected.position]->name))
          continue;
        if (v.together && k == 1) break;
        order_of_passes better = repaired(order, v.repairs[k], all);
        if (v.together && told_by_name(v.repairs[1].what) && told_by_name(v.repairs[1].where))
          better = repaired(better, v.repairs[1], all);
        else if (v.together) continue;
        const naive_result after = naive(better);
        if (after.code == 0) continue;
        CHECK(!v.together);
        size_t now = better.size();  // the last place of the pass that complained
        for (size_t i = 0; i < better.size(); ++i)
          if (better[i] == order[expected.position]) now = i;
        const tn::meta::phrase said = tn::sentence_of(v);
        CAPTURE(std::string(said.characters, said.length));
        CHECK((now == better.size() || after.position > now));
      }
    }
  }
  MESSAGE("wrong: " << wrong << ", repairs: " << with_repair << ", E001 " << codes[1] << ", E002 " << codes[2]
                    << ", E003 " << codes[3] << ", E004 " << codes[4] << ", E011 " << codes[11] << ", E019 "
                    << codes[19]);
  CHECK(with_repair > 100);
  for (const int code : {0, 1, 2, 3, 4, 11, 19, 42, 43}) CHECK(codes[code] > 10);
  CHECK(codes[15] > 3);
  CHECK(codes[20] > 3);
  CHECK(exactly_right > 3);
  CHECK(unsound > 10);
  CHECK(detours > 0);
}

TEST_CASE("optional passes: the verdict on all combinations is that of trying each") {
  int right = 0, wrong = 0, unconditional = 0, repairs = 0, moves = 0, changing = 0, ends = 0, in_intervals = 0;
  for (unsigned seed = 1000; seed < 7000; ++seed) {
    random_world w(seed);
    if (seed % 16 == 6) w.add_regions();
    const bool transitions = seed % 2 != 0;  // may be optional too: two ways from phase to phase
    for (int phase = 0; phase < phase_total; ++phase) {
      const int stay = seed % 4 == 1 && phase + 1 == phase_total ? 0 : transitions ? 2 : 3;
      for (int k = 0; k < stay; ++k) w.add_pass(phase, phase);
      if (phase + 1 < phase_total) w.add_pass(phase, phase + 1);
      if (phase == 1 && seed % 5 == 2) w.add_pass(1, 0), w.add_pass(0, 1);
      if (phase + 1 < phase_total && transitions && (seed % 8 != 1 || phase == 0)) w.add_pass(phase, phase + 1);
    }
    constexpr size_t flag_total = 4;
    tn::label flags[flag_total];
    for (size_t k = 0; k < flag_total; ++k) flags[k] = w.name("flag" + std::to_string(k));
    order_of_passes order;
    const tn::rare_parts* other = nullptr;
    for (tn::pass_desc& p : w.passes) {
      if (p.is_transition() ? transitions : w.chance(0.7)) {
        tn::rare_parts& r = w.rare.emplace_back();
        r.flag = flags[w.random() % flag_total];
        r.flag_key = tn::meta::hash_of(r.flag), r.flag_on = w.chance(0.7);
        if (p.is_transition() && w.chance(seed % 4 == 1 ? 0.6 : 0.9)) {  // the two of a pair, mostly
          if (other) r.flag = other->flag, r.flag_key = other->flag_key, r.flag_on = !other->flag_on;
          other = other ? nullptr : &r;
        }
        p.rare = &r;
      }
      if (seed % 16 == 6 && w.chance(0.8)) {
        if (!p.rare || p.rare == &tn::nothing_rare) p.rare = &w.rare.emplace_back();
        w.add_region_words(w.rare.back());
      }
      if (seed % 16 == 5 && w.chance(0.4)) {
        if (!p.rare || p.rare == &tn::nothing_rare) p.rare = &w.rare.emplace_back();
        w.add_bars(w.rare.back());
      }
      if (seed % 3 == 0 && w.chance(0.25)) {
        if (!p.rare || p.rare == &tn::nothing_rare) p.rare = &w.rare.emplace_back();
        w.add_interval(w.rare.back());
      }
      if (seed % 3 == 1 && w.chance(0.25)) {
        if (!p.rare || p.rare == &tn::nothing_rare) p.rare = &w.rare.emplace_back();
        w.add_place(w.rare.back(),
                    order.empty() || w.chance(0.2) ? w.passes[w.random() % w.passes.size()] : *order.back());
      }
      order.push_back(&p);
      if (seed % 3 == 1 && w.chance(0.1)) order.push_back(&p);
    }
    const auto value_of = [&](unsigned combination, tn::label flag) {
      for (size_t k = 0; k < flag_total; ++k)
        if (flags[k] == flag) return (combination >> k & 1) != 0;
      return true;
    };
    const auto reduced = [&](unsigned combination) {
      order_of_passes r;
      for (const tn::pass_desc* p : order)
        if (!p->rare || value_of(combination, p->rare->flag) == p->rare->flag_on) r.push_back(p);
      return r;
    };
    // The naive judge starts in the phase of the first pass that is there; keep the first one unconditional.
    w.passes[0].rare = nullptr;
    // In each combination, all that runs is right, and the module ends where the last transition of all leads.
    const auto last_phase = [&] {
      const tn::phase_desc* last = order.back()->to;
      for (const tn::pass_desc* p : order)
        if (p->is_transition()) last = p->to;
      return last;
    };
    const auto wrong_in = [&](unsigned combination) {
      const order_of_passes there = reduced(combination);
      if (const int code = naive(there).code) return code;
      return there.back()->to == last_phase() ? 0 : 25;
    };
    bool fails = false;
    size_t fewest = flag_total + 1;
    for (unsigned c = 0; c < (1u << flag_total); ++c) fails = fails || wrong_in(c) != 0;
    // The smallest set of flags that decides it: every completion of it fails.
    for (unsigned fixed = 0; fixed < (1u << flag_total); ++fixed)
      for (unsigned c = 0; c < (1u << flag_total); ++c) {
        if (c & ~fixed) continue;
        bool all = true;
        for (unsigned rest = 0; rest < (1u << flag_total); ++rest)
          if ((rest & fixed) == 0) all = all && wrong_in(c | rest) != 0;
        if (all) fewest = std::min(fewest, static_cast<size_t>(__builtin_popcount(fixed)));
      }
    const tn::verdict v = tn::judge_order(order);
    CAPTURE(seed);
    REQUIRE(v.ok() == !fails);
    if (v.ok()) {
      ++right;
      continue;
    }
    ++wrong;
    unsigned named = (1u << flag_total) - 1;
    for (size_t k = 0; k < v.condition_count; ++k)
      for (size_t f = 0; f < flag_total; ++f)
        if (flags[f] == v.conditions[k]) named = v.condition_on[k] ? named | 1u << f : named & ~(1u << f);
    CHECK(wrong_in(named) != 0);
    CHECK(v.condition_count >= fewest);
    if (v.code != 25) ++unconditional;
    if (v.code != 25) continue;
    CHECK(naive_code(v.inner) == (wrong_in(named) == 2 && v.culprit >= 0 ? 3 : wrong_in(named)));
    changing += v.inner == 1 || v.inner == 11, ends += v.inner == 25, in_intervals += v.inner == 19;
    const order_of_passes as_given = order;
    for (size_t k = 0; k < v.repair_count; ++k) {
      const tn::repair& r = v.repairs[k];
      if (r.kind >= tn::repair_kind::always) continue;
      order = repaired(v.together && k ? order : as_given, r, as_given);
      if ((v.together && k == 0) || order[0] != as_given[0]) continue;
      ++moves;
      const tn::meta::phrase said = tn::sentence_of(v);
      CAPTURE(std::string(said.characters, said.length));
      for (unsigned c = 0; c < (1u << flag_total); ++c) CHECK(wrong_in(c) == 0);
    }
    order = as_given;
    for (size_t k = 0; k < v.repair_count; ++k) {
      if (v.repairs[k].kind != tn::repair_kind::always) continue;
      ++repairs;
      for (tn::pass_desc& p : w.passes)
        if (p.name == v.repairs[k].what) {
          const tn::rare_parts* const parts = p.rare;
          tn::rare_parts always = *parts;
          always.flag = {}, always.flag_key = 0, always.flag_on = true;
          p.rare = &always;
          for (unsigned c = 0; c < (1u << flag_total); ++c) CHECK(wrong_in(c) == 0);
          p.rare = parts;
        }
    }
  }
  MESSAGE("right: " << right << ", wrong: " << wrong << ", in every combination: " << unconditional
                    << ", repairs: " << repairs << ", of the order: " << moves << ", by phase: " << changing
                    << ", ends apart: " << ends << ", in intervals: " << in_intervals);
  CHECK(right > 5);
  CHECK(wrong - unconditional > 20);
  CHECK(changing > 20);
  CHECK(ends > 0);
  CHECK(in_intervals > 20);
  CHECK(moves > 20);
}
