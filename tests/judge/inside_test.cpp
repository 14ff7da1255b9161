// Random orders in the body of a pass: what it answers for, regions and ops that do not bear what is done to them, is
// left out, and the rest is judged as ever; the quick walk says yes only where the judge does.
#include <doctest/doctest.h>

#include <vector>

#include <tenon/judge/quick_walk.hpp>

#include "judge/random_world.hpp"

namespace {
using namespace random_worlds;
using judge = tn::detail::order_judge<tn::detail::judge_size<3, 1, 1, 64>>;
using numbering = tn::detail::numbering<3, 64, 64>;
}  // namespace

TEST_CASE("random passes inside of another: the same verdict, but for regions and what ops do not bear") {
  int right = 0, wrong = 0, quick = 0, left_out = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    random_world w(seed);
    if (seed % 4 == 2) w.add_regions();
    for (int k = 0; k < 3; ++k) w.add_pass(0, 0);
    for (tn::pass_desc& p : w.passes) {
      if (p.rare == nullptr || w.chance(0.3)) continue;
      tn::rare_parts& r = w.rare.emplace_back();
      if (seed % 4 == 2) w.add_region_words(r);
      if (seed % 4 == 1) w.add_bars(r);
      if (seed % 4 == 0) w.add_work(r, p);
      if (seed % 4 == 3) w.add_interval(r);
      p.rare = &r;
    }
    const std::vector<const tn::pass_desc*> order{&w.passes[0], &w.passes[1], &w.passes[2]};
    tn::judge_input in;
    in.passes = order.data(), in.count = order.size();
    in.start = &w.phases[0], in.known = w.some_facts(0.4);
    CAPTURE(seed);
    const tn::verdict outside = judge(in, numbering(in)).judge();
    in.inside = true;
    const tn::verdict inside = judge(in, numbering(in)).judge();
    const bool answered_for = naive_code(outside.code) == 42 || naive_code(outside.code) == 43;
    CHECK(naive_code(inside.code) != 42);
    CHECK(naive_code(inside.code) != 43);
    if (!answered_for) CHECK(inside.code == outside.code);
    CHECK(inside.repair_count == 0);
    const bool yes = tn::detail::is_surely_right(in);
    if (yes) CHECK(inside.ok());
    ++(inside.ok() ? right : wrong), quick += yes, left_out += answered_for && inside.ok();
  }
  CHECK(right > 500);
  CHECK(wrong > 500);
  CHECK(quick > 300);
  CHECK(left_out > 50);
}
