// Repairs of random wrong orders: each first one is right, loses nothing that held at the end, and is as short as any.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/judge/judge.hpp>
#include <tenon/judge/repeated_order.hpp>

#include "judge/random_world.hpp"

namespace {
using namespace random_worlds;
using order_of_passes = std::vector<const tn::pass_desc*>;
using judge = tn::detail::order_judge<tn::detail::judge_size<16, 1, 1, 256>>;
using numbering = tn::detail::numbering<16, 512, 512>;

tn::verdict judged(const order_of_passes& order) {
  tn::judge_input in;
  in.passes = order.data(), in.count = order.size();
  in.begin_there();
  const numbering n(in);
  return judge(in, n).judge();
}

/// What holds at the end of what a pass names, whatever stops the order on its way, and whether passes that are not in
/// their phase run or do not.
std::set<const tn::fact_desc*> at_end(const random_world& w, const order_of_passes& order) {
  naive_state s(order), in_phase(order);
  for (const tn::pass_desc* p : order) {
    s.force(*p);
    if (p->from == in_phase.phase) in_phase.force(*p);
  }
  const auto named = [&](const tn::fact_desc& f) {
    return std::any_of(order.begin(), order.end(), [&](const tn::pass_desc* p) {
      const tn::fact_list changed{p->changed()};
      return p->needs().contains(&f) || p->gives().contains(&f) || changed.contains(&f);
    });
  };
  std::set<const tn::fact_desc*> held;
  for (const tn::fact_desc& f : w.facts)
    if (s.holds(f) && in_phase.holds(f) && named(f)) held.insert(&f);
  return held;
}
bool loses_nothing(const random_world& w, const order_of_passes& before, const order_of_passes& after) {
  const auto a = at_end(w, before), b = at_end(w, after);
  return std::includes(b.begin(), b.end(), a.begin(), a.end());
}
bool cured(const random_world& w, const order_of_passes& before, const order_of_passes& after) {
  return !after.empty() && naive(after).code == 0 && loses_nothing(w, before, after);
}

std::string text(const tn::pass_desc& p) { return {p.name.first, p.name.length}; }

order_of_passes moved(order_of_passes order, size_t from, size_t to) {
  const tn::pass_desc* const p = order[from];
  order.erase(order.begin() + static_cast<long>(from));
  order.insert(order.begin() + static_cast<long>(to), p);
  return order;
}
order_of_passes inserted(order_of_passes order, size_t at, const tn::pass_desc* p) {
  order.insert(order.begin() + static_cast<long>(at), p);
  return order;
}
order_of_passes erased(order_of_passes order, size_t at) {
  order.erase(order.begin() + static_cast<long>(at));
  return order;
}
/// Is there one edit that cures it: a pass that moves, runs once more, or is dropped where it runs twice?
bool one_edit_cures(const random_world& w, const order_of_passes& order) {
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t k = 0; k < order.size(); ++k)
      if (k != i && cured(w, order, moved(order, i, k))) return true;
    for (size_t k = 0; k <= order.size(); ++k)
      if (cured(w, order, inserted(order, k, order[i]))) return true;
    if (std::count(order.begin(), order.end(), order[i]) > 1 && cured(w, order, erased(order, i))) return true;
  }
  return false;
}
/// Every order that the words of a repair may mean: a name may be there twice.
std::vector<order_of_passes> meant(const order_of_passes& order, const tn::repair& r) {
  std::vector<order_of_passes> all;
  using kind = tn::repair_kind;
  const bool behind = r.kind == kind::move_after || r.kind == kind::insert_after || r.kind == kind::run_again_after;
  const bool again = r.kind == kind::run_again_after || r.kind == kind::run_before || r.kind == kind::insert_before ||
                     r.kind == kind::insert_after;
  for (size_t i = 0; i < order.size(); ++i) {
    if (!(order[i]->name == r.what)) continue;
    if (r.kind == kind::drop) all.push_back(erased(order, i));
    for (size_t k = 0; k < order.size() && r.kind != kind::drop; ++k) {
      if (!(order[k]->name == r.where) || k == i) continue;
      if (again) {
        all.push_back(inserted(order, k + behind, order[i]));
        const auto before =
            std::find_if(order.begin(), order.end(), [&](const auto* p) { return p->name == r.before; });
        if (before != order.end()) all.back() = inserted(all.back(), k + behind, *before);
      } else all.push_back(moved(order, i, k + behind - (i < k)));
    }
  }
  return all;
}

/// An order that is right, of the passes of a world, as long as chance will have it.
order_of_passes right_order(random_world& w) {
  order_of_passes order;
  while (order.size() < 8) {
    order_of_passes next;
    for (const tn::pass_desc& p : w.passes)
      if (naive(inserted(order, order.size(), &p)).code == 0) next.push_back(&p);
    if (order.empty()) std::erase_if(next, [&](const tn::pass_desc* p) { return p->from != &w.phases[0]; });
    if (next.empty()) break;
    order.push_back(next[w.random() % next.size()]);
  }
  return order;
}
}  // namespace

TEST_CASE("2,000 wrong orders: the first repair is right, loses nothing, and no other one is shorter") {
  int codes[64]{}, repeats = 0, partial = 0, begun = 0;
  int wrong = 0, one_edit = 0, whole = 0, without = 0, losing = 0, uncured = 0, dropped = 0, in_two = 0, of_its_own = 0;
  for (unsigned seed = 0; wrong < 2000; ++seed) {
    random_world w(seed);
    if (seed % 16 == 6) w.add_regions();
    if (seed % 16 == 11) w.add_beginning();
    std::deque<tn::detail::repeated_order> repeated;
    for (int phase = 0; phase < phase_total; ++phase) {
      for (int k = 0; k < 4; ++k) w.add_pass(phase, phase);
      if (phase + 1 < phase_total) w.add_pass(phase, phase + 1);
    }
    for (tn::pass_desc& p : w.passes) {
      p.needed = w.some_facts(0.25).data;
      if (seed % 4 == 0 && w.chance(0.2)) w.add_interval(w.rare.emplace_back()), p.rare = &w.rare.back();
      if (seed % 8 == 4 && w.chance(0.2)) w.add_rewritten(w.rare.emplace_back()), p.rare = &w.rare.back();
      if (seed % 16 == 6) w.add_region_words(w.rare.emplace_back()), p.rare = &w.rare.back();
      if (seed % 8 == 2 && w.chance(0.5)) w.add_bars(w.rare.emplace_back()), p.rare = &w.rare.back();
      if (seed % 16 == 14 && w.chance(0.3)) w.add_work(w.rare.emplace_back(), p), p.rare = &w.rare.back();
    }
    if (seed % 16 == 3)
      for (size_t i = 0; i + 1 < 10; ++i) {  // two passes of one phase, again and again
        const tn::pass_desc &a = w.passes[i], &b = w.passes[i + 1];
        if (a.is_transition() || b.is_transition()) continue;
        try {
          w.passes.push_back(
              repeated.emplace_back("repeat(" + text(a) + "+" + text(b) + ")", order_of_passes{&a, &b}).desc());
        } catch (const tn::error&) {}
      }
    const order_of_passes right = right_order(w);
    for (int trial = 0; right.size() > 2 && trial < 4 && wrong < 2000; ++trial) {  // a slip or two
      order_of_passes order = right;
      for (int slips = 1 + trial % 2; slips > 0; --slips)
        order = moved(order, w.random() % order.size(), w.random() % order.size());
      if (trial == 3) order = inserted(order, w.random() % order.size(), order[w.random() % order.size()]);
      if (naive(order).code == 0) continue;
      ++wrong;
      partial += seed % 8 == 7, begun += seed % 16 == 11;
      repeats += std::any_of(order.begin(), order.end(), [](const tn::pass_desc* p) { return p->more().repeats; });
      CAPTURE(seed);
      CAPTURE(trial);
      const bool may = one_edit_cures(w, order);
      one_edit += may;
      const tn::verdict v = judged(order);
      REQUIRE(!v.ok());
      ++codes[v.code];
      const tn::meta::phrase said = tn::sentence_of(v);
      CAPTURE(std::string(said.characters, said.length));
      if (v.repair_count == 0) {
        without += may;
        continue;
      }
      const tn::repair& r = v.repairs[0];
      if (r.kind == tn::repair_kind::drop)
        for (const tn::pass_desc* p : order)
          if (p->name == r.what && p->is_transition() && v.code != 11) {
            dropped += std::count_if(order.begin(), order.end(), [&](const tn::pass_desc* q) {
                         return q->is_transition() && q->from == p->from && q->to == p->to;
                       }) < 2;
          }
      std::vector<order_of_passes> ends = meant(order, r);
      if (v.together) {  // neither of the two does without the other
        std::vector<order_of_passes> both;
        for (const order_of_passes& after : ends)
          for (order_of_passes& then : meant(after, v.repairs[1])) both.push_back(std::move(then));
        ends = std::move(both);
      }
      bool cures = false, keeps = false;
      for (const order_of_passes& after : ends)
        cures = cures || cured(w, order, after), keeps = keeps || loses_nothing(w, order, after);
      if (!keeps && (v.code == 19 || v.code == 38)) {  // what a pass gives where it finds nothing is not lost
        const order_of_passes rest = erased(order, static_cast<size_t>(v.pass));
        for (const order_of_passes& after : ends)
          cures = cures || cured(w, rest, after), keeps = keeps || loses_nothing(w, rest, after);
        of_its_own += keeps;
      }
      if (v.together) CHECK(cures);
      in_two += v.together;
      CHECK(keeps);
      losing += !keeps, uncured += may && !cures, whole += may && cures && !v.together;
    }
  }
  MESSAGE(wrong << " wrong orders; one edit cures " << one_edit << ", and the first repair is such for " << whole
                << " (" << 100.0 * whole / one_edit << " %); no repair where there is one: " << without
                << ", one that cures a complaint only: " << uncured << ", that loses a fact: " << losing
                << ", what a pass gives where it may not run: " << of_its_own << "; cured by two edits: " << in_two);
  MESSAGE("by regions " << codes[42] << ", by what does not bear it " << codes[43] << ", taken out of regions "
                        << codes[45] << ", by memory that ops share " << codes[46] << ", nothing to work on "
                        << codes[38] << ", intervals " << codes[19] << "; with repeats " << repeats
                        << ", facts of some functions " << partial << ", of phases that begin with facts " << begun);
  for (int code : {19, 38, 42, 43, 45, 46}) CHECK(codes[code] > 0);
  CHECK(repeats > 0);
  CHECK(in_two > 0);
  CHECK(dropped == 0);
  CHECK(losing == 0);
  CHECK(whole >= one_edit * 99 / 100);
}
