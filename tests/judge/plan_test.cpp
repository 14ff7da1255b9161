// The planner against the plainest search there is, on random passes.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include <tenon/judge/search_all.hpp>
#include <tenon/judge/search_shortest.hpp>

#include "judge/random_world.hpp"

namespace {
using namespace random_worlds;
using order_of_passes = std::vector<const tn::pass_desc*>;

using judge = tn::detail::order_judge<tn::detail::judge_size<16, 1, 1, 256>>;
using numbering = tn::detail::numbering<16, 512, 512>;

struct question {
  random_world w;
  order_of_passes passes;
  tn::judge_input in;
  bool has_rules = false;

  /// `needs`: how likely a pass needs a fact. `side`: the second phase is a detour from the first.
  question(unsigned seed, int stay, bool rules, double needs = 0.12, bool side = false) : w(seed) {
    if (side) w.phases[1].side_of = w.phases[0].key;
    for (int phase = 0; phase < phase_total; ++phase) {
      for (int k = 0; k < stay; ++k) w.add_pass(phase, phase);
      if (phase + 1 < phase_total && !side) w.add_pass(phase, phase + 1);
    }
    if (side) w.add_pass(0, 1), w.add_pass(1, 0), w.add_pass(0, 2);
    for (tn::pass_desc& p : w.passes) {
      if (rules && w.chance(0.3)) p.rare = &rule();
      p.needed = w.some_facts(needs).data;
      passes.push_back(&p);
    }
    std::shuffle(passes.begin(), passes.end(), w.random);
    in.passes = passes.data(), in.count = passes.size(), in.start = &w.phases[0], in.goal_phase = &w.phases[2];
    in.goal = w.some_facts(0.4);
  }
  tn::rare_parts& rule() {
    tn::rare_parts& r = w.rare.emplace_back();
    const auto any = [&]() -> const tn::pass_desc& { return w.passes[w.random() % w.passes.size()]; };
    const auto kind = w.random() % 4;
    has_rules = true;
    if (kind == 0 || kind == 3) r.at_most_once = true;
    if (kind == 1) r.after = any().type;
    if (kind >= 2) w.add_interval(r);
    return r;
  }
  bool at_goal(const naive_state& s) const {
    if (in.goal_phase && s.phase != in.goal_phase) return false;
    for (const tn::fact_desc* f : in.goal)
      if (!s.holds(*f)) return false;
    return true;
  }
  bool keeps_rules(const order_of_passes& o) const {
    for (size_t i = 0; i < o.size(); ++i) {
      const tn::rare_parts& r = o[i]->more();
      for (size_t j = 0; j < i; ++j)
        if (r.at_most_once && o[j]->type == o[i]->type) return false;
      if (in_interval(o, i)) return false;
      if (r.after && (i == 0 || o[i - 1]->type != r.after)) return false;
    }
    return true;
  }
  bool is_right(const order_of_passes& o) const {
    naive_state s(*in.start, passes);
    for (const tn::pass_desc* p : o)
      if (s.step(*p)) return false;
    return at_goal(s) && keeps_rules(o);
  }
  /// How many passes it takes, at most `limit`; -1: more, or it cannot be. Every order is tried, those of equal state
  /// once.
  int fewest(int limit) const {
    struct attempt {
      naive_state s;
      order_of_passes o;
    };
    std::vector<attempt> now{{naive_state(*in.start, passes), {}}};
    std::set<naive_state> seen;
    for (int length = 0;; ++length) {
      for (const attempt& a : now)
        if (at_goal(a.s)) return length;
      if (length == limit || now.empty()) return -1;
      std::vector<attempt> next;
      for (const attempt& a : now)
        for (const tn::pass_desc* p : passes) {
          attempt b = a;
          b.o.push_back(p);
          if (b.s.step(*p) || !keeps_rules(b.o)) continue;
          if (has_rules || seen.insert(b.s).second) next.push_back(std::move(b));
        }
      now = std::move(next);
    }
  }
  bool exists(order_of_passes& o, std::vector<bool>& used, const naive_state& s) const {
    if (o.size() == passes.size()) return at_goal(s) && keeps_rules(o);
    for (size_t p = 0; p < passes.size(); ++p) {
      naive_state next = s;
      if (used[p] || next.step(*passes[p])) continue;
      used[p] = true, o.push_back(passes[p]);
      const bool found = exists(o, used, next);
      used[p] = false, o.pop_back();
      if (found) return true;
    }
    return false;
  }
  order_of_passes order_of(const tn::detail::plan<16>& plan) const {
    order_of_passes o;
    for (size_t i = 0; i < plan.count; ++i) o.push_back(passes[plan.order[i]]);
    return o;
  }
};
}  // namespace

namespace {
struct tally {
  int found = 0, none = 0, again = 0, unknown = 0;
  std::map<size_t, int> lengths;

  /// Asks both; `limit`: how far the plain search goes.
  void ask(const question& q, int limit) {
    const numbering n(q.in);
    const judge c(q.in, n);
    const auto plan = tn::detail::search_shortest<judge, numbering, 16>(c, n, q.in).find();
    const int expected = q.fewest(limit);
    if (expected < 0) {
      ++none;
      if (q.has_rules) CHECK((!plan.found || plan.count > static_cast<size_t>(limit)));
      else CHECK(!plan.found);
      return;
    }
    if (plan.gave_up) {
      ++unknown;
      return;
    }
    REQUIRE(plan.found);
    const order_of_passes o = q.order_of(plan);
    CHECK(q.is_right(o));
    CHECK(o.size() == static_cast<size_t>(expected));
    ++found, ++lengths[o.size()];
    again += std::set<const tn::pass_desc*>(o.begin(), o.end()).size() < o.size();
  }
  void say() const {
    MESSAGE("found " << found << ", none " << none << ", a pass more than once in " << again << ", given up " << unknown
                     << ", longest " << (lengths.empty() ? 0 : lengths.rbegin()->first));
  }
};
}  // namespace

TEST_CASE("the shortest order is the shortest, and none is found only where there is none") {
  tally t;
  for (unsigned seed = 0; seed < 8000; ++seed) {
    CAPTURE(seed);
    const question q(seed, seed % 3 == 0 ? 1 : 3, seed % 3 == 0);
    t.ask(q, q.has_rules ? 6 : 12);
  }
  t.say();
  CHECK(t.found > 1000);
  CHECK(t.none > 1000);
  CHECK(t.again > 3);
  CHECK(t.unknown == 0);
}

TEST_CASE("also where passes need much, where a phase is a detour, and where the goal is facts in any phase") {
  tally crowded, detour, anywhere;
  for (unsigned seed = 20000; seed < 26000; ++seed) {
    CAPTURE(seed);
    question q(seed, seed % 4 == 0 ? 2 : 4, seed % 4 == 0, 0.25);
    crowded.ask(q, q.has_rules ? 5 : 12);
    q.in.goal_phase = nullptr;
    q.in.goal = q.w.some_facts(0.6);
    anywhere.ask(q, q.has_rules ? 5 : 12);
    question s(seed, seed % 4 == 0 ? 1 : 3, seed % 4 == 0, 0.15, true);
    detour.ask(s, s.has_rules ? 5 : 12);
  }
  for (const tally* t : {&crowded, &detour, &anywhere}) {
    t->say();
    CHECK(t->found > 200);
    CHECK(t->none > 200);
    CHECK(t->unknown == 0);
  }
}

TEST_CASE("an order of all passes is found if and only if there is one") {
  int found = 0, none = 0, unknown = 0;
  for (unsigned seed = 5000; seed < 13000; ++seed) {
    question q(seed, 2, seed % 3 == 0);
    if (seed % 2) q.in.goal = {};
    const numbering n(q.in);
    const judge c(q.in, n);
    const auto plan = tn::detail::search_all<judge, numbering, 16>(c, n, q.in).find();
    CAPTURE(seed);
    order_of_passes o;
    std::vector<bool> used(q.passes.size());
    const bool expected = q.exists(o, used, naive_state(*q.in.start, q.passes));
    if (plan.gave_up) {
      ++unknown;
      continue;
    }
    REQUIRE(plan.found == expected);
    if (!expected) {
      ++none;
      continue;
    }
    ++found;
    const order_of_passes all = q.order_of(plan);
    CHECK(q.is_right(all));
    CHECK(std::set<const tn::pass_desc*>(all.begin(), all.end()).size() == q.passes.size());
  }
  MESSAGE("found " << found << ", none " << none << ", given up " << unknown);
  CHECK(found > 150);
  CHECK(none > 100);
  CHECK(unknown == 0);
}
