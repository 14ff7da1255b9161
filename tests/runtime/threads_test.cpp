#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <tenon/runtime/run_options.hpp>
#include <tenon/runtime/threads.hpp>

#include "support/caught.hpp"

using namespace tenon;

namespace {

/// How often each iteration ran, and whether every piece began at a multiple of the grain.
bool covers_once(i64 n, i64 grain, int threads) {
  std::vector<std::atomic<int>> runs(static_cast<size_t>(n));
  std::atomic<bool> aligned{true};
  parallel_for(
      n, grain,
      [&](i64 begin, i64 end) {
        if (begin % grain != 0 || begin >= end || end > n) aligned = false;
        for (i64 i = begin; i < end; ++i) ++runs[static_cast<size_t>(i)];
      },
      threads);
  for (const auto& r : runs)
    if (r != 1) return false;
  return aligned;
}

}  // namespace

TEST_CASE("threads: every iteration runs once, in pieces that start at multiples of the grain") {
  for (int threads : {1, 2, 3, 5, 100})
    for (i64 n : {1, 2, 3, 7, 16, 100, 1000, 4097})
      for (i64 grain : {1, 2, 3, 32, 5000}) {
        CAPTURE(threads);
        CAPTURE(n);
        CAPTURE(grain);
        CHECK(covers_once(n, grain, threads));
      }
}

TEST_CASE("threads: nothing to do, and arguments out of range") {
  int calls = 0;
  const auto count = [&](i64, i64) { ++calls; };
  parallel_for(0, 1, count, 2);
  parallel_for(-5, 1, count, 2);
  CHECK(calls == 0);
  parallel_for(3, 0, count, 1);
  parallel_for(3, -1, count, 1);
  CHECK(calls == 2);
}

TEST_CASE("threads: two threads do work at the same time") {
  // Each half waits for the other, which only ends when they run on two threads. The limit is for a failing test.
  std::atomic<int> arrived{0};
  std::atomic<bool> met{true};
  parallel_for(
      2, 1,
      [&](i64, i64) {
        ++arrived;
        for (const auto start = std::chrono::steady_clock::now(); arrived < 2;) {
          if (std::chrono::steady_clock::now() - start > std::chrono::seconds(10)) {
            met = false;
            break;
          }
          sched_yield();
        }
      },
      2);
  CHECK(met);
  CHECK(arrived == 2);
}

TEST_CASE("threads: at most as many threads as asked for, and one thread is the caller") {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  for (int round = 0; round < 50; ++round)
    parallel_for(
        64, 1,
        [&](i64, i64) {
          std::lock_guard lock(mutex);
          seen.insert(std::this_thread::get_id());
        },
        1);
  CHECK(seen == std::set<std::thread::id>{std::this_thread::get_id()});

  for (int round = 0; round < 200; ++round) {
    std::set<std::thread::id> ids;
    parallel_for(
        64, 1,
        [&](i64, i64) {
          std::lock_guard lock(mutex);
          ids.insert(std::this_thread::get_id());
        },
        2);
    REQUIRE(ids.size() <= 2);
  }
}

TEST_CASE("threads: a loop within a loop runs on its thread, whole") {
  std::atomic<i64> sum{0};
  std::atomic<bool> same{true};
  parallel_for(
      8, 1,
      [&](i64 begin, i64 end) {
        const auto me = std::this_thread::get_id();
        for (i64 i = begin; i < end; ++i)
          parallel_for(
              10, 1,
              [&](i64 b, i64 e) {
                if (std::this_thread::get_id() != me || b != 0 || e != 10) same = false;
                sum += e - b;
              },
              4);
      },
      4);
  CHECK(sum == 80);
  CHECK(same);
}

TEST_CASE("threads: many callers at once, more than there are slots") {
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int c = 0; c < 24; ++c)
    callers.emplace_back([&, c] {
      for (int round = 0; round < 200; ++round) {
        std::vector<i64> out(257, 0);
        parallel_for(
            257, 1 + c % 3,
            [&](i64 begin, i64 end) {
              for (i64 i = begin; i < end; ++i) out[static_cast<size_t>(i)] += i * c;
            },
            1 + c % 4);
        for (i64 i = 0; i < 257; ++i)
          if (out[static_cast<size_t>(i)] != i * c) ++wrong;
      }
    });
  for (std::thread& t : callers) t.join();
  CHECK(wrong == 0);
}

TEST_CASE("threads: workers that sleep wake up") {
  for (int round = 0; round < 20; ++round) {
    timespec pause{0, 2'000'000};
    nanosleep(&pause, nullptr);
    CHECK(covers_once(100, 1, 3));
  }
}

TEST_CASE("threads: the count comes from the scope, then the setting, then the machine") {
  CHECK(available_threads() >= 1);
  CHECK(thread_count() == available_threads());
  set_thread_count(3);
  CHECK(thread_count() == 3);
  {
    const thread_scope outer(5);
    CHECK(thread_count() == 5);
    {
      const thread_scope inner(1), nothing(0);
      CHECK(thread_count() == 1);
    }
    CHECK(thread_count() == 5);
    int elsewhere = 0;
    std::thread([&] { elsewhere = thread_count(); }).join();
    CHECK(elsewhere == 3);
  }
  set_thread_count(0);
  CHECK(thread_count() == available_threads());
}

TEST_CASE("threads: a negative number is an error") {
  using testing::code_of;
  CHECK(code_of([] { set_thread_count(-1); }) == "threads.count");
  CHECK(code_of([] { const thread_scope scope(-3); }) == "threads.count");
  CHECK(code_of([] { const run_scope scope({.threads = -2}); }) == "threads.count");
  CHECK(code_of([] { make_runtime(-1); }) == "threads.count");
  CHECK(thread_count() == available_threads());
}

TEST_CASE("threads: generated code's door") {
  const tenon_runtime rt = make_runtime(2);
  CHECK(rt.version == TENON_ABI_VERSION);
  std::atomic<i64> sum{0};
  rt.parallel_for(
      rt.pool, 1000, 8,
      [](void* ctx, int64_t begin, int64_t end) { *static_cast<std::atomic<i64>*>(ctx) += end - begin; }, &sum);
  CHECK(sum == 1000);
}

TEST_CASE("threads: a forked child, which has no workers, does its loops and ends") {
  CHECK(covers_once(100, 1, 2));
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // ends a child that hangs
    i64 sum = 0;
    parallel_for(100, 100, [&](i64 begin, i64 end) { sum += end - begin; }, 2);
    _exit(sum == 100 && covers_once(100, 1, 2) ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
