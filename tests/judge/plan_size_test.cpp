// The shortest order in worlds of a realistic size: each fact has two givers, and the compiler's steps suffice.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <tenon/judge/search_shortest.hpp>

namespace {
namespace tn = tenon;
using judge = tn::detail::order_judge<tn::detail::judge_size<48, 1, 1, 256>>;
using numbering = tn::detail::numbering<48, 1024, 256>;
using search = tn::detail::search_shortest<judge, numbering, 40>;

/// One phase, no ops; every fact is wanted at the end. A pass needs facts that come before those it gives.
struct world {
  struct said {
    tn::pass_tag tag;
    tn::op_set emits, eliminates;
  };
  std::mt19937 random;
  std::deque<std::string> names;
  std::deque<std::vector<const tn::fact_desc*>> lists;
  std::deque<said> declarations;
  tn::op_key nothing[1]{};
  tn::phase_desc phase;
  std::vector<tn::fact_desc> facts;
  std::vector<tn::pass_desc> passes;
  std::vector<const tn::pass_desc*> order;
  tn::judge_input in;

  world(unsigned seed, size_t fact_count, size_t pass_count, double needs, double breaks) : random(seed) {
    phase.name = name("phase"), phase.key = 1;
    facts.reserve(fact_count), passes.reserve(pass_count);
    for (size_t f = 0; f < fact_count; ++f) facts.push_back({name("fact" + std::to_string(f))});
    std::vector<std::vector<size_t>> gives(pass_count);
    for (size_t f = 0; f < fact_count; ++f) {
      const size_t first = random() % pass_count, second = (first + 1 + random() % (pass_count - 1)) % pass_count;
      gives[first].push_back(f), gives[second].push_back(f);
    }
    for (const std::vector<size_t>& g : gives) {
      std::set<size_t> needed, broken;
      const size_t before = g.empty() ? fact_count : *std::min_element(g.begin(), g.end());
      for (int k = 0; k < 2; ++k) {
        if (chance(needs / 2) && before) needed.insert(random() % before);
        if (const size_t f = random() % fact_count; chance(breaks / 2) && std::find(g.begin(), g.end(), f) == g.end())
          broken.insert(f);
      }
      said& d = declarations.emplace_back();
      d.emits = {nothing, 0};
      const tn::fact_list n = list({needed.begin(), needed.end()}), b = list({broken.begin(), broken.end()});
      passes.push_back({name("pass" + std::to_string(passes.size())), &d.tag, &phase, &phase, n.data, list(g).data,
                        b.data, tn::fact_list_of<tn::detail::unsaid>.data, d.emits, d.eliminates, nullptr});
    }
    for (const tn::pass_desc& p : passes) order.push_back(&p);
    std::vector<size_t> all(fact_count);
    for (size_t f = 0; f < fact_count; ++f) all[f] = f;
    in.passes = order.data(), in.count = order.size(), in.start = in.goal_phase = &phase, in.goal = list(all);
  }
  tn::label name(std::string text) {
    names.push_back(std::move(text));
    return {names.back().data(), names.back().size()};
  }
  bool chance(double p) { return std::bernoulli_distribution(p)(random); }
  tn::fact_list list(const std::vector<size_t>& numbers) {
    auto& l = lists.emplace_back();
    for (size_t f : numbers) l.push_back(&facts[f]);
    l.push_back(nullptr);
    return {l.data()};
  }
  tn::u64 bits(const tn::fact_list& l) const {
    tn::u64 b = 0;
    for (const tn::fact_desc* f : l) b |= tn::u64(1) << (f - facts.data());
    return b;
  }
  /// What holds behind these passes; all ones if one of them could not run.
  tn::u64 step(tn::u64 held, const tn::pass_desc& p) const {
    if (bits(p.needs()) & ~held) return ~tn::u64(0);
    return (held & ~bits(p.breaks())) | bits(p.gives());
  }
  /// The length of the shortest order, by trying all; -1 if there is none.
  int fewest() const {
    std::set<tn::u64> now{0}, seen{0};
    for (int length = 0; !now.empty(); ++length) {
      std::set<tn::u64> next;
      for (tn::u64 held : now) {
        if ((bits(in.goal) & ~held) == 0) return length;
        for (const tn::pass_desc& p : passes)
          if (const tn::u64 then = step(held, p); then != ~tn::u64(0) && seen.insert(then).second) next.insert(then);
      }
      now = std::move(next);
    }
    return -1;
  }
  /// The order that is found; it is right, where it is found.
  tn::detail::plan<40> shortest(size_t& steps) const {
    const numbering n(in);
    const auto c = std::make_unique<judge>(in, n);
    const auto s = std::make_unique<search>(*c, n, in);
    const tn::detail::plan<40> plan = s->find();
    steps = s->steps_taken();
    tn::u64 held = 0;
    for (size_t i = 0; plan.found && i < plan.count; ++i) held = step(held, *order[plan.order[i]]);
    if (plan.found) CHECK((held != ~tn::u64(0) && (bits(in.goal) & ~held) == 0));
    return plan;
  }
};
}  // namespace

TEST_CASE("of 14 passes that give and break ten facts, the shortest order is the shortest") {
  int found = 0, none = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    const world w(seed, 10, 14, 0.8, seed % 3 * 0.5);
    size_t steps = 0;
    const auto plan = w.shortest(steps);
    const int expected = w.fewest();
    CHECK(!plan.gave_up);
    CHECK((plan.found ? static_cast<int>(plan.count) : -1) == expected);
    (expected < 0 ? none : found) += 1;
  }
  CHECK(found > 400);
  CHECK(none > 5);
}

TEST_CASE("of 40 passes, 30 facts with two givers each are reached in the steps that a compiler allows") {
  for (const double breaks : {0.0, 0.2}) {
    int found = 0, gave_up = 0;
    size_t most = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
      size_t steps = 0;
      const auto plan = world(seed, 30, 40, 1, breaks).shortest(steps);
      found += plan.found, gave_up += plan.gave_up;
      if (plan.found) most = std::max(most, steps);
    }
    MESSAGE("breaks " << breaks << ": found " << found << ", given up " << gave_up << ", steps at most " << most);
    CHECK(found >= (breaks == 0.0 ? 199 : 180));
  }
}
