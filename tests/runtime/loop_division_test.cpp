// Which loops of a program are divided: the search, told of times by models of machines, and real runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include <tenon/runtime/loop_division.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/runtime/threads.hpp>

using namespace tenon;
using detail::division_search;
using detail::loop_choice;
using kind = loop_choice::kind_t;

namespace {

/// A machine of two cores: each loop has nanoseconds of work, a fork and join costs `fork`, and where a loop is divided
/// otherwise than the one before it, half of its lines come from the other core, `moved` nanoseconds.
struct machine {
  std::vector<i64> work, moved;
  i64 fork = 1000;
  u32 state = 1;

  std::vector<i64> run(const loop_choice& c) {
    std::vector<i64> t;
    for (size_t i = 0; i < work.size(); ++i) {
      const bool divided = c.divides(i), before = i > 0 ? c.divides(i - 1) : false;
      state = state * 1664525 + 1013904223;
      const i64 noise = work[i] * (state >> 24) / 256 / 50;  // up to 2 %
      t.push_back((divided ? work[i] / 2 + fork : work[i]) + (divided != before ? moved[i] : 0) + noise);
    }
    return t;
  }
  static i64 sum(const std::vector<i64>& t) {
    i64 s = 0;
    for (i64 x : t) s += x;
    return s;
  }
};

/// What is kept after enough runs, and how many of these were measured.
struct outcome {
  loop_choice kept;
  int measured;
};
outcome settle(machine& m, division_search& s, int most = 500) {
  int measured = 0;
  for (; s.measures() && measured < most; ++measured) {
    const std::vector<i64> t = m.run(*s.next());
    s.measured(machine::sum(t), t);
  }
  return {*s.kept(), measured};
}
outcome settle(machine m) {
  division_search s(2);
  return settle(m, s);
}

}  // namespace

TEST_CASE("a program that is worth it on two threads has all loops divided") {
  const outcome o = settle({.work = {400'000, 300'000, 500'000}, .moved = {0, 0, 0}});
  CHECK(o.kept.kind == kind::all);
  CHECK(o.measured <= 12);  // nearly twice as fast: there is nothing to look for
}

TEST_CASE("a program whose loops cost more to divide than they take stays on one thread") {
  const outcome o = settle({.work = std::vector<i64>(100, 3'000), .moved = std::vector<i64>(100, 0), .fork = 4'000});
  CHECK(o.kept.kind == kind::none);
  CHECK(o.measured <= 48);
}

TEST_CASE("a program of less than 0.1 ms stays on one thread, though two would be faster, and is not measured again") {
  machine m{.work = {45'000, 45'000}, .moved = {0, 0}, .fork = 100};
  division_search s(2);
  CHECK(settle(m, s).kept.kind == kind::none);
  for (int i = 0; i < 200'000; ++i) s.not_measured();
  CHECK(!s.measures());
}

TEST_CASE("loops that are worth it are divided beside loops that are not") {
  machine m{.work = {300'000, 2'000, 2'000, 2'000, 2'000, 300'000}, .moved = {0, 500, 0, 0, 0, 500}, .fork = 20'000};
  const outcome o = settle(m);
  REQUIRE(o.kept.kind == kind::some);
  CHECK(o.kept.divided == std::vector<bool>{true, false, false, false, false, true});
}

TEST_CASE("where moved lines make the mixed way slower, the faster of the pure ones is kept") {
  // Alternating loops: each pays for lines whenever its neighbour is divided otherwise.
  machine m;
  for (int i = 0; i < 20; ++i) m.work.push_back(i % 2 ? 60'000 : 8'000), m.moved.push_back(40'000);
  m.fork = 5'000;
  const outcome o = settle(m);
  const auto total = [&](loop_choice c) { return machine::sum(m.run(c)); };
  const i64 all = total({kind::all, {}}), none = total({kind::none, {}});
  CHECK(total(o.kept) <= std::min(all, none) * 103 / 100);
}

TEST_CASE("never slower than on one thread, whatever loops cost") {
  u32 seed = 7;
  const auto draw = [&](u32 n) { return static_cast<i64>((seed = seed * 1664525 + 1013904223) >> 8) % n; };
  for (int round = 0; round < 200; ++round) {
    machine m;
    m.fork = draw(30'000), m.state = seed;
    for (i64 i = 0, n = 1 + draw(60); i < n; ++i)
      m.work.push_back(1'000 + draw(100'000)), m.moved.push_back(draw(20'000));
    division_search s(2);
    const loop_choice kept = settle(m, s).kept;
    CAPTURE(round);
    CHECK(!s.measures());
    const auto total = [&](loop_choice c) { return machine::sum(m.run(c)); };
    const i64 all = total({kind::all, {}}), none = total({kind::none, {}}), now = total(kept);
    CHECK(now <= none * 105 / 100);
    if (none > division_search::worth_dividing * 105 / 100) CHECK(now <= all * 105 / 100);
  }
}

TEST_CASE("when the machine changes, what is kept follows") {
  machine m{.work = std::vector<i64>(10, 100'000), .moved = std::vector<i64>(10, 0), .fork = 1'000};
  division_search s(2);
  CHECK(settle(m, s).kept.kind == kind::all);
  m.fork = 80'000;
  for (int i = 0; i < 50'000 && !s.measures(); ++i) s.not_measured();
  REQUIRE(s.measures());
  CHECK(s.kept()->kind == kind::all);  // until all is measured
  CHECK(settle(m, s).kept.kind == kind::none);
}

TEST_CASE("runs with other numbers of loops, or none, are no error") {
  division_search none(2);
  none.measured(1'000'000, {});
  CHECK(!none.measures());
  division_search s(2);
  u32 seed = 3;
  for (int i = 0; i < 500 && s.measures(); ++i) {
    seed = seed * 1664525 + 1013904223;
    const std::vector<i64> t(1 + (seed >> 16) % 5, 100'000);
    s.measured(machine::sum(t), t);
  }
  CHECK(!s.measures());
  CHECK(s.kept()->kind != kind::some);
}

namespace {

std::mutex seen_mutex;
std::set<std::thread::id> seen;
std::atomic<int> loops_divided{0};

/// Adds 1 by a loop that takes about as long as `rounds` says, in the order of iterations on whatever thread.
template <int Rounds>
void add_one(void* const* in, void* const* out, void*, const void*, const tenon_runtime* rt) {
  struct buffers {
    const float* x;
    float* y;
  } b{static_cast<const float*>(in[0]), static_cast<float*>(out[0])};
  for (int loop = 0; loop < 3; ++loop)
    rt->parallel_for(
        rt->pool, 64, 1,
        [](void* ctx, int64_t begin, int64_t end) {
          {
            const std::lock_guard lock(seen_mutex);
            seen.insert(std::this_thread::get_id());
          }
          if (begin != 0 || end != 64) ++loops_divided;
          const auto& a = *static_cast<const buffers*>(ctx);
          for (int64_t i = begin; i < end; ++i) {
            volatile float v = a.x[i];
            for (int k = 0; k < Rounds; ++k) v = v + 1.0f / Rounds;
            a.y[i] = v;
          }
        },
        &b);
}

program of(tenon_entry entry) {
  program::parts p;
  p.entry = entry;
  p.inputs = {{"x", dtype::f32, {64}}}, p.outputs = {{"y", dtype::f32, {64}}};
  return program(std::move(p));
}
tensor counted() {
  tensor x(dtype::f32, {64});
  for (i64 i = 0; i < 64; ++i) x.set_f64(i, 0.1 * static_cast<double>(i));
  return x;
}

}  // namespace

TEST_CASE("a small program is on one thread when its first runs are over; always_divided divides it again") {
  const program p = of(&add_one<8>);
  const std::vector<tensor> x{counted()};
  const tensor alone = p.run(x, 1)[0];
  for (int i = 0; i < 100; ++i) REQUIRE(same_bits(p.run(x, 2)[0], alone));
  loops_divided = 0, seen.clear();
  for (int i = 0; i < 100; ++i) REQUIRE(same_bits(p.run(x, 2)[0], alone));
  CHECK(loops_divided == 0);
  CHECK(seen == std::set<std::thread::id>{std::this_thread::get_id()});
  {
    const always_divided all;
    CHECK(same_bits(p.run(x, 2)[0], alone));
  }
  CHECK(loops_divided > 0);
  // Another number of threads is another question.
  loops_divided = 0;
  p.run(x, 3);
  CHECK(loops_divided > 0);
}

TEST_CASE("many threads run a program while it is measured") {
  const program p = of(&add_one<2000>);
  const std::vector<tensor> x{counted()};
  const tensor alone = p.run(x, 1)[0];
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 60; ++i) right += same_bits(p.run(x, 2)[0], alone) ? 1 : 0;
    });
  for (std::thread& t : threads) t.join();
  CHECK(right == 240);
}
