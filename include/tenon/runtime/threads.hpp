/// @file threads: one process-wide pool of threads, and parallel loops over it.
///
/// A loop runs on the calling thread and on workers that are free; it never waits for a worker that has not begun, so
/// it ends even when there is none. Any number of threads may run loops at once; a loop inside a loop runs serially.
/// Why not a library's pool, with measurements: docs/decisions/010-threads.md.
#pragma once

#include <memory>
#include <type_traits>

#include <tenon/core/int.hpp>
#include <tenon/runtime/abi.hpp>

namespace tenon {

/// CPUs that this process may use: its affinity mask, not the machine's size.
int available_threads();

/// How many threads a loop uses when nothing else says so: those of the innermost thread_scope of the calling thread,
/// else the process-wide setting, else available_threads().
int thread_count();
/// The process-wide setting. 0 returns to available_threads(). Errors: "threads.count" for a negative number.
void set_thread_count(int n);

/// Within its lifetime the thread that made it runs loops on `n` threads (0 changes nothing).
/// Errors: "threads.count" for a negative number.
class thread_scope {
 public:
  explicit thread_scope(int n);
  ~thread_scope();
  thread_scope(const thread_scope&) = delete;
  thread_scope& operator=(const thread_scope&) = delete;

 private:
  int before_;
};

/// Runs `body` over [0, n) in pieces that start at multiples of `grain`, on at most `threads` threads (0: those of
/// thread_count()), and returns when all are done. With one thread, n <= grain, or where it is faster so in this run
/// (runtime/loop_division.hpp), it is one call on this thread; in a run that may be stopped, several. A run's own pool
/// (runtime/run_options.hpp) takes the place of the process's. A body that throws ends the program.
void parallel_for(i64 n, i64 grain, tenon_body body, void* ctx, int threads = 0) noexcept;

/// The same for a callable `body(i64 begin, i64 end)`.
template <class Body>
  requires requires(Body& b) { b(i64{}, i64{}); }
void parallel_for(i64 n, i64 grain, Body&& body, int threads = 0) noexcept {
  using plain = std::remove_reference_t<Body>;
  parallel_for(
      n, grain, [](void* ctx, i64 begin, i64 end) { (*static_cast<plain*>(ctx))(begin, end); },
      const_cast<std::remove_const_t<plain>*>(std::addressof(body)), threads);
}

/// What a program hands to generated code: loops on `threads` threads, 0 for thread_count() at the time of the loop.
/// Errors: "threads.count" for a negative number.
tenon_runtime make_runtime(int threads = 0);

}  // namespace tenon
