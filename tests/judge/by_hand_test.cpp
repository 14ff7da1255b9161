// One pass on one module, for random passes: the quick walk, the judge and a naive one say the same of it, and of what
// is known then.
#include <doctest/doctest.h>

#include <vector>

#include <tenon/judge/quick_walk.hpp>

#include "judge/random_world.hpp"

namespace {
using namespace random_worlds;
using judge = tn::detail::order_judge<tn::detail::judge_size<1, 1, 1, 64>>;
using numbering = tn::detail::numbering<1, 64, 64>;
}  // namespace

TEST_CASE("random passes by hand: three judges say the same") {
  int codes[64]{}, plainly = 0, known_behind = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    random_world w(seed);
    if (seed % 8 == 6) w.add_regions();
    for (int k = 0; k < 6; ++k) w.add_pass(k % phase_total, (k + (k > 2)) % phase_total);
    for (tn::pass_desc& p : w.passes) {
      if (p.rare == nullptr || seed % 4 == 1) continue;
      tn::rare_parts& r = w.rare.emplace_back();
      if (seed % 8 == 6) w.add_region_words(r);
      if (seed % 8 == 5 || seed % 8 == 3) w.add_bars(r);
      if (seed % 8 == 4) w.add_work(r, p);
      if (seed % 8 == 2) w.add_interval(r);  // which says nothing here
      if (seed % 8 == 7) w.add_place(r, p);
      r.at_most_once = seed % 8 == 7, p.rare = &r;
    }
    for (const tn::pass_desc& p : w.passes) {
      tn::phase_desc& phase = w.phases[w.chance(0.1) ? w.random() % phase_total : size_t(p.from - w.phases.data())];
      phase.begins = w.some_facts(w.chance(0.5) ? 0.5 : 0.1);
      const std::vector<const tn::pass_desc*> one{&p};
      tn::judge_input in;
      in.passes = one.data(), in.count = 1, in.by_hand = true, in.start = &phase, in.known = phase.begins;
      in.watched = w.some_facts(1);
      CAPTURE(seed);
      CAPTURE(p.name.data());
      const numbering n(in);
      const judge j(in, n);
      naive_state naive(phase, one);
      naive_state forced = naive;
      const tn::verdict v = j.judge();
      const int code = naive.step(p);
      REQUIRE(naive_code(v.code) == code);
      REQUIRE(v.repair_count == 0);
      ++codes[code];
      if (code) continue;
      forced.force(p);
      const auto trail = j.follow<false>();
      bool quick[fact_total + 3]{};
      const bool yes = tn::detail::is_surely_right(in, quick);
      size_t k = 0;
      for (const tn::fact_desc* f : in.watched) {
        REQUIRE(trail.holds(f, 0) == forced.holds(*f));
        if (yes) REQUIRE(quick[k] == trail.holds(f, 0));
        known_behind += forced.holds(*f), ++k;
      }
      plainly += yes;
    }
  }
  for (const int code : {0, 1, 2, 4, 38, 42, 43}) {
    CAPTURE(code);
    CHECK(codes[code] > 50);
  }
  CHECK(plainly > 2000);
  CHECK(known_behind > 5000);
}
