// Runs on threads of the caller's, runs that are stopped, and tensors by name. Programs of functions that are written
// here.
#include <doctest/doctest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <tenon/runtime/program.hpp>
#include <tenon/runtime/threads.hpp>

#include "support/caught.hpp"

using namespace tenon;
using tenon::testing::code_of;

namespace {

/// Threads as a program may have them: a queue of tasks, and a caller that helps.
class queue_pool final : public loop_pool {
 public:
  explicit queue_pool(int n) {
    for (int i = 0; i < n; ++i) threads_.emplace_back([this] { work(); });
  }
  ~queue_pool() override {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    more_.notify_all();
    for (std::thread& t : threads_) t.join();
  }
  int threads() const noexcept override { return static_cast<int>(threads_.size()); }
  void run(int count, void (*task)(void*, int), void* context) noexcept override {
    ++loops;
    std::atomic<int> left{count};
    {
      const std::lock_guard lock(mutex_);
      for (int i = 0; i < count; ++i)
        tasks_.push_back([=, &left, this] {
          task(context, i);
          {
            const std::lock_guard inner(mutex_);
            ran_on.insert(std::this_thread::get_id());
          }
          --left;
        });
    }
    more_.notify_all();
    while (left != 0)
      if (!one()) std::this_thread::yield();
  }
  std::atomic<int> loops{0};
  std::set<std::thread::id> ran_on;

 private:
  bool one() {
    std::function<void()> f;
    {
      const std::lock_guard lock(mutex_);
      if (tasks_.empty()) return false;
      f = std::move(tasks_.front());
      tasks_.pop_front();
    }
    f();
    return true;
  }
  void work() {
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        more_.wait(lock, [&] { return ended_ || !tasks_.empty(); });
        if (ended_) return;
      }
      one();
    }
  }
  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  bool ended_ = false;
};

/// y = 2 * x, by the loops that the runtime gives; between two of them it looks whether it is to stop, as code does.
void twice(void* const* in, void* const* out, void*, const void*, const tenon_runtime* rt) {
  struct buffers {
    const float* x;
    float* y;
  } b{static_cast<const float*>(in[0]), static_cast<float*>(out[0])};
  const auto stopped = [&] { return rt->stop != nullptr && __atomic_load_n(rt->stop, __ATOMIC_RELAXED) != 0; };
  for (int half = 0; half < 2 && !stopped(); ++half) {
    b.x += half * 512, b.y += half * 512;
    rt->parallel_for(
        rt->pool, 512, 4,
        [](void* ctx, int64_t begin, int64_t end) {
          const auto& a = *static_cast<const buffers*>(ctx);
          for (int64_t i = begin; i < end; ++i) a.y[i] = 2 * a.x[i];
          // A loop inside of a loop runs here and now.
          const std::thread::id here = std::this_thread::get_id();
          parallel_for(64, 1, [&](i64, i64) {
            if (std::this_thread::get_id() != here) a.y[begin] = -1;
          });
        },
        &b);
  }
}

program doubler() {
  program::parts p;
  p.entry = &twice;
  p.inputs = {{"x", dtype::f32, {1024}}}, p.outputs = {{"y", dtype::f32, {1024}}};
  return program(std::move(p));
}
tensor counted() {
  tensor x(dtype::f32, {1024});
  for (i64 i = 0; i < 1024; ++i) x.set_f64(i, static_cast<double>(i));
  return x;
}
bool is_doubled(const tensor& y) {
  for (i64 i = 0; i < 1024; ++i)
    if (y.at_f64(i) != 2.0 * static_cast<double>(i)) return false;
  return true;
}

}  // namespace

TEST_CASE("loops of a run go to the pool that the caller gives") {
  queue_pool pool(3);
  const program p = doubler();
  const std::vector<tensor> x = {counted()};
  CHECK(is_doubled(p.run(x, {.pool = &pool})[0]));
  CHECK(pool.loops == 2);
  CHECK(is_doubled(p.run(x)[0]));
  CHECK(pool.loops == 2);
  // Runs of several threads on one pool.
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) right += is_doubled(p.run(x, {.pool = &pool})[0]) ? 1 : 0;
    });
  for (std::thread& t : threads) t.join();
  CHECK(right == 200);
  CHECK(pool.ran_on.size() >= 2);
}

TEST_CASE("a run that is stopped ends with an error, and the program goes on serving") {
  const program p = doubler();
  const std::vector<tensor> x = {counted()};
  stop_flag stop;
  stop.request();
  const auto code = [&] { return code_of([&] { p.run(x, {.stop = &stop}); }); };
  CHECK(code() == "program.stopped");
  stop.clear();
  CHECK(is_doubled(p.run(x, {.threads = 1, .stop = &stop})[0]));
  // In the middle: the first loop asks for it, and the second does not run.
  struct stopping final : loop_pool {
    int threads() const noexcept override { return 2; }
    void run(int count, void (*task)(void*, int), void* context) noexcept override {
      ++loops;
      for (int i = 0; i < count; ++i) task(context, i);
      flag->request();
    }
    stop_flag* flag = nullptr;
    int loops = 0;
  } pool;
  pool.flag = &stop;
  CHECK(code_of([&] { p.run(x, {.pool = &pool, .stop = &stop}); }) == "program.stopped");
  CHECK(pool.loops == 1);
  stop.clear();
  // Another thread's request, while this one runs again and again.
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stop.request();
  });
  while (code() == "none") continue;
  other.join();
  CHECK(is_doubled(p.run(x)[0]));
}

TEST_CASE("options of a run end with it, and are those of its thread alone") {
  stop_flag stop;
  stop.request();
  {
    const run_scope scope({.stop = &stop});
    CHECK(code_of(check_stopped) == "program.stopped");
    std::thread([] { CHECK(code_of(check_stopped) == "none"); }).join();
    {
      const run_scope inner({.threads = 3});
      CHECK(code_of(check_stopped) == "none");
    }
    CHECK(code_of(check_stopped) == "program.stopped");
  }
  CHECK(code_of(check_stopped) == "none");
}

TEST_CASE("tensors by name: any order, and errors that name what is wrong") {
  const program p = doubler();
  CHECK(is_doubled(p.run_named({{"x", counted()}}).at("y")));
  CHECK(code_of([&] { p.run_named({}); }) == "program.count");
  CHECK(code_of([&] { p.run_named({{"x", counted()}, {"z", counted()}}); }) == "program.name");
}
