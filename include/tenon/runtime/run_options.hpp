/// @file run_options: how a run goes: on how many threads, on whose, and who may stop it.
///
///     stop_flag stop;                                   // another thread calls stop.request()
///     y = session.run({x}, run_options{.threads = 4, .pool = &mine, .stop = &stop});
/// What runs on the calling thread asks `current_run`; so regions, parts and kernels need not be told.
#pragma once

#include <atomic>

#include <tenon/core/error.hpp>
#include <tenon/core/int.hpp>

namespace tenon {

/// Asks runs to end early. Any thread may ask, at any time; one flag may serve many runs, and stays up until `clear`.
class stop_flag {
 public:
  void request() noexcept { value_.store(1, std::memory_order_relaxed); }
  void clear() noexcept { value_.store(0, std::memory_order_relaxed); }
  bool requested() const noexcept { return value_.load(std::memory_order_relaxed) != 0; }
  /// Where generated code reads it (runtime/abi.hpp).
  const i32* address() const noexcept { return reinterpret_cast<const i32*>(&value_); }

 private:
  static_assert(sizeof(std::atomic<i32>) == sizeof(i32) && std::atomic<i32>::is_always_lock_free);
  std::atomic<i32> value_{0};
};

/// Threads of the caller's, on which parallel loops run instead of on the process's pool.
class loop_pool {
 public:
  virtual ~loop_pool() = default;
  /// How many tasks can run at once.
  virtual int threads() const noexcept = 0;
  /// Calls `task(context, i)` once for each i of [0, count), on any threads, the calling one too, and returns when all
  /// have returned. Several threads may call it at once. A task waits for no other one.
  virtual void run(int count, void (*task)(void* context, int i), void* context) noexcept = 0;
};

struct run_options {
  int threads = 0;                  ///< 0: those of the pool, or else as `thread_count` says
  loop_pool* pool = nullptr;        ///< null: the process's
  const stop_flag* stop = nullptr;  ///< null: the run goes to its end
};

namespace detail {
inline thread_local run_options run_of_this_thread;
/// `n`, of threads. Errors: "threads.count" for a negative number.
int checked_thread_count(int n);
}  // namespace detail

/// Of the run that this thread is in.
inline const run_options& current_run() { return detail::run_of_this_thread; }

/// Within its lifetime, runs that the thread begins have these options. Errors: "threads.count".
class run_scope {
 public:
  explicit run_scope(const run_options& o) : before_(detail::run_of_this_thread) {
    detail::checked_thread_count(o.threads);
    detail::run_of_this_thread = o;
  }
  ~run_scope() { detail::run_of_this_thread = before_; }
  run_scope(const run_scope&) = delete;
  run_scope& operator=(const run_scope&) = delete;

 private:
  run_options before_;
};

/// Throws "program.stopped" where this thread's run is to end.
inline void check_stopped() {
  if (const stop_flag* s = current_run().stop; s != nullptr && s->requested())
    throw error("program.stopped", "the run was stopped before its end, as it was asked to", {},
                "its outputs hold nothing of use; the program can be run again");
}

}  // namespace tenon
