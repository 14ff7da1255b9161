// Cost of one parallel loop with two threads: nothing to do, 20 us of work, and after a pause in which workers sleep.
// With -DWITH_TBB -ltbb the same for oneTBB (task_arena, static_partitioner).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include <tenon/runtime/threads.hpp>

#ifdef WITH_TBB
#  include <tbb/blocked_range.h>
#  include <tbb/parallel_for.h>
#  include <tbb/task_arena.h>
#endif

namespace {

using tenon::i64;

void nothing(void*, i64, i64) {}
// 16 iterations of about 1.2 us each on a 3 GHz core.
void some_work(void* ctx, i64 begin, i64 end) {
  for (i64 i = begin; i < end; ++i) {
    double x = 1.0;
    for (int k = 0; k < 500; ++k) {
      x = x * 1.0000001 + 1e-9;
      asm volatile("" : "+x"(x));  // a chain, so that no compiler runs several iterations at once
    }
    static_cast<double*>(ctx)[i * 8] = x;
  }
}

template <class Loop>
void measure(const char* name, Loop&& loop, int pause_us, int rounds) {
  std::vector<double> us;
  for (int i = 0; i < rounds; ++i) {
    if (pause_us) {
      timespec t{0, pause_us * 1000};
      nanosleep(&t, nullptr);
    }
    const auto start = std::chrono::steady_clock::now();
    loop();
    us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(us.begin(), us.end());
  const auto at = [&](double q) { return us[static_cast<size_t>(q * static_cast<double>(us.size() - 1))]; };
  std::printf("%-34s p10 %7.2f  median %7.2f  p90 %7.2f us\n", name, at(0.1), at(0.5), at(0.9));
}

}  // namespace

int main() {
  static double out[16 * 8];
  using namespace tenon;
  measure("serial, 16 x work", [] { some_work(out, 0, 16); }, 0, 5000);
  measure("serial, 16 x work, after 1 ms", [] { some_work(out, 0, 16); }, 1000, 300);
  measure("pool, nothing", [] { parallel_for(16, 1, nothing, nullptr, 2); }, 0, 50000);
  measure("pool, 16 x work", [] { parallel_for(16, 1, some_work, out, 2); }, 0, 20000);
  measure("pool, 16 x work, after 1 ms", [] { parallel_for(16, 1, some_work, out, 2); }, 1000, 300);
#ifdef WITH_TBB
  tbb::task_arena arena(2);
  const auto tbb_loop = [&](tenon_body body) {
    arena.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<i64>(0, 16, 1), [&](const tbb::blocked_range<i64>& r) { body(out, r.begin(), r.end()); },
          tbb::static_partitioner{});
    });
  };
  measure("oneTBB, nothing", [&] { tbb_loop(nothing); }, 0, 50000);
  measure("oneTBB, 16 x work", [&] { tbb_loop(some_work); }, 0, 20000);
  measure("oneTBB, 16 x work, after 1 ms", [&] { tbb_loop(some_work); }, 1000, 300);
#endif
}
