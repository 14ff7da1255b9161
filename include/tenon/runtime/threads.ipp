/// @file threads: the pool: a few job slots, spinning then sleeping workers, shares that others may help to finish.
///
/// A loop is posted in a slot; `state` of the slot holds free seats (high half) and seated workers (low half). A worker
/// takes a seat by compare-and-swap, and only then reads the job; the caller closes the seats and waits for the seated.
/// Every participant has a share of the iterations, whose pieces are claimed by fetch-add: its own first (the same
/// thread meets the same part of the data again), then those of participants that are late or slow.
#pragma once

#include <atomic>
#include <bit>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#  include <immintrin.h>
#endif

#include <tenon/core/error.hpp>
#include <tenon/runtime/loop_division.hpp>
#include <tenon/runtime/run_options.hpp>
#include <tenon/runtime/threads.hpp>

namespace tenon {
namespace detail {

inline void spin_pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

inline i64 now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return i64{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

inline thread_local bool in_loop = false;
inline thread_local int scope_threads = 0;
inline std::atomic<int> default_threads{0};

/// The CPUs of the process when it first asked; empty if the system does not say.
inline const cpu_set_t& allowed_cpus() {
  static const cpu_set_t set = [] {
    cpu_set_t s;
    CPU_ZERO(&s);
    if (sched_getaffinity(0, sizeof s, &s) != 0) CPU_ZERO(&s);
    return s;
  }();
  return set;
}

class thread_pool {
 public:
  static constexpr int max_participants = 64;
  static constexpr int max_jobs = 16;  // loops of callers beyond these run serially

  thread_pool() = default;
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;

  ~thread_pool() {
    stop_.store(true);
    wake(max_participants);
    // A forked child has copies of the handles but not the threads; there is nothing to join.
    for (std::thread& t : workers_) owner_ == ::getpid() ? t.join() : t.detach();
  }

  void run(i64 units, i64 n, i64 grain, tenon_body body, void* ctx, int participants) noexcept {
    job* j = free_job();
    if (!j) return body(ctx, 0, n);
    if (worker_count_.load(std::memory_order_relaxed) < participants - 1) grow(participants - 1);
    keep_apart();

    j->body = body, j->ctx = ctx, j->n = n, j->participants = participants;
    const i64 share_units = units / participants, extra = units % participants;
    j->piece = std::max<i64>(1, (share_units + 3) / 4) * grain;
    i64 at = 0;
    for (int i = 0; i < participants; ++i) {
      j->shares[i].next.store(at * grain, std::memory_order_relaxed);
      at += share_units + (i < extra);
      j->shares[i].end = at == units ? n : at * grain;
    }
    const u32 bit = 1u << (j - jobs_);
    j->state.store(static_cast<u32>(participants - 1) << 16, std::memory_order_release);
    open_.fetch_or(bit);  // sequentially consistent, as is the load below: see sleep()
    if (sleepers_.load() > 0) wake(participants - 1);

    in_loop = true;
    work(*j, 0);
    in_loop = false;

    // Whoever took the last seat has cleared the bit already.
    if (j->state.fetch_and(0xffffu, std::memory_order_acq_rel) >> 16) open_.fetch_and(~bit);
    for (int spins = 0; j->state.load(std::memory_order_acquire) != 0; ++spins)
      spins < 4000 ? spin_pause() : void(sched_yield());
    j->taken.store(false, std::memory_order_release);
  }

 private:
  struct alignas(64) share {
    std::atomic<i64> next{0};
    i64 end = 0;
  };
  struct alignas(64) job {
    std::atomic<bool> taken{false};
    alignas(64) std::atomic<u32> state{0};
    alignas(64) tenon_body body = nullptr;
    void* ctx = nullptr;
    i64 n = 0, piece = 0;
    int participants = 0;
    share shares[max_participants];
  };

  job* free_job() {
    for (job& j : jobs_)
      if (!j.taken.load(std::memory_order_relaxed) && !j.taken.exchange(true, std::memory_order_acquire)) return &j;
    return nullptr;
  }

  static void work(job& j, int self) {
    for (int k = 0; k < j.participants; ++k) {
      share& s = j.shares[(self + k) % j.participants];
      while (s.next.load(std::memory_order_relaxed) < s.end) {
        const i64 begin = s.next.fetch_add(j.piece, std::memory_order_relaxed);
        if (begin >= s.end) break;
        j.body(j.ctx, begin, std::min(begin + j.piece, s.end));
      }
    }
  }

  /// Takes a seat at some open job and works there. False if there was none.
  bool help() {
    for (u32 open = open_.load(std::memory_order_acquire); open; open &= open - 1) {
      const int index = std::countr_zero(open);
      job& j = jobs_[index];
      u32 state = j.state.load(std::memory_order_relaxed);
      while (state >> 16) {
        if (!j.state.compare_exchange_weak(state, state - 0x10000u + 1, std::memory_order_acq_rel)) continue;
        // The job stays this one until the seat is given up, so the bit is its own.
        if (state >> 16 == 1) open_.fetch_and(~(1u << index));
        work(j, static_cast<int>(state >> 16));
        j.state.fetch_sub(1, std::memory_order_release);
        return true;
      }
    }
    return false;
  }

  /// Some kernels put busy threads on one CPU while others idle (those of small virtual machines pack them on purpose).
  /// A worker that was last on the caller's CPU is told to stay off it; not often, for callers may take turns.
  void keep_apart() {
    const int here = sched_getcpu();
    const int n = worker_count_.load(std::memory_order_relaxed);
    for (int i = 0; i < n; ++i) {
      if (places_[i].cpu.load(std::memory_order_acquire) != here) continue;
      const i64 now = now_ns();
      if (now - last_move_.load(std::memory_order_relaxed) < 1'000'000) return;
      last_move_.store(now, std::memory_order_relaxed);
      cpu_set_t others = allowed_cpus();
      if (here < 0 || here >= CPU_SETSIZE || !CPU_ISSET(here, &others) || CPU_COUNT(&others) < 2) return;
      CPU_CLR(here, &others);
      for (; i < n; ++i)
        if (places_[i].cpu.load(std::memory_order_acquire) == here)
          sched_setaffinity(places_[i].thread.load(std::memory_order_relaxed), sizeof others, &others);
    }
  }

  void worker(int index) {
    in_loop = true;
#if defined(__x86_64__)
    _mm_setcsr(0x1f80);  // the default: a thread inherits what its maker has set, such as code that flushes denormals
#endif
    places_[index].thread.store(static_cast<pid_t>(syscall(SYS_gettid)), std::memory_order_relaxed);
    i64 idle_since = now_ns();
    while (!stop_.load(std::memory_order_relaxed)) {
      if (const int cpu = sched_getcpu(); cpu != places_[index].cpu.load(std::memory_order_relaxed))
        places_[index].cpu.store(cpu, std::memory_order_release);
      if (help()) {
        idle_since = now_ns();
        continue;
      }
      for (int i = 0; i < 32 && !open_.load(std::memory_order_relaxed); ++i) spin_pause();
      if (now_ns() - idle_since > spin_ns) {
        sleep();
        idle_since = now_ns();
      }
    }
  }

  /// Either this sees the job that a caller has posted, or the caller sees this sleeper and changes `alarm_`.
  void sleep() {
    const u32 alarm = alarm_.load();
    sleepers_.fetch_add(1);
    if (!open_.load() && !stop_.load()) alarm_.wait(alarm);
    sleepers_.fetch_sub(1);
  }

  void wake(int n) {
    alarm_.fetch_add(1);
    if (n == 1) alarm_.notify_one();
    else alarm_.notify_all();
  }

  void grow(int wanted) noexcept {
    std::lock_guard lock(mutex_);
    if (workers_.empty()) owner_ = ::getpid();
    try {
      while (static_cast<int>(workers_.size()) < wanted)
        workers_.emplace_back([this, index = static_cast<int>(workers_.size())] { worker(index); });
    } catch (...) {
      // No more threads to be had: loops go on with those that are there.
    }
    worker_count_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
  }

  /// How long an idle worker looks for work before it sleeps. Waking it costs the caller a system call.
  static constexpr i64 spin_ns = 100'000;

  struct place {
    std::atomic<int> cpu{-1};
    std::atomic<pid_t> thread{0};
  };

  job jobs_[max_jobs];
  place places_[max_participants];
  alignas(64) std::atomic<u32> open_{0};  // bit i: jobs_[i] has free seats
  alignas(64) std::atomic<int> sleepers_{0};
  std::atomic<u32> alarm_{0};
  std::atomic<bool> stop_{false};
  std::atomic<int> worker_count_{0};
  std::atomic<i64> last_move_{0};
  std::mutex mutex_;
  std::vector<std::thread> workers_;
  pid_t owner_ = 0;
};

/// A loop in tasks for the caller's threads: a few more of them than threads, since they may be of unlike speed.
struct pooled_loop {
  i64 n, piece;
  tenon_body body;
  void* ctx;

  static void task(void* self, int i) {
    const auto& l = *static_cast<const pooled_loop*>(self);
    const bool outer = std::exchange(in_loop, true);  // a loop inside of this one runs serially
    const i64 begin = l.piece * i;
    if (begin < l.n) l.body(l.ctx, begin, std::min(begin + l.piece, l.n));
    in_loop = outer;
  }
};

thread_pool& process_pool() {
  static thread_pool pool;
  return pool;
}

}  // namespace detail

int available_threads() {
  const int n = CPU_COUNT(&detail::allowed_cpus());
  return n > 0 ? n : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int thread_count() {
  if (detail::scope_threads > 0) return detail::scope_threads;
  const int n = detail::default_threads.load(std::memory_order_relaxed);
  return n > 0 ? n : available_threads();
}

int detail::checked_thread_count(int n) {
  if (n < 0)
    throw error("threads.count", "a run on " + std::to_string(n) + " threads", {},
                "give a number of threads, or 0 for as many as this process may use");
  return n;
}

void set_thread_count(int n) { detail::default_threads.store(detail::checked_thread_count(n)); }

thread_scope::thread_scope(int n) : before_(detail::scope_threads) {
  if (detail::checked_thread_count(n) > 0) detail::scope_threads = n;
}
thread_scope::~thread_scope() { detail::scope_threads = before_; }

int detail::threads_of_loops(int threads) noexcept {
  if (in_loop) return 1;
  const run_options& run = current_run();
  if (threads <= 0) threads = run.threads;
  if (threads <= 0) threads = run.pool != nullptr ? run.pool->threads() : thread_count();
  return std::min(threads, thread_pool::max_participants);
}

void parallel_for(i64 n, i64 grain, tenon_body body, void* ctx, int threads) noexcept {
  if (n <= 0) return;
  grain = std::min(std::max<i64>(grain, 1), n);
  const i64 units = n / grain + (n % grain != 0);
  const run_options& run = current_run();
  if (detail::in_loop) return body(ctx, 0, n);
  const i64 wanted = std::min<i64>(detail::threads_of_loops(threads), units);
  const auto alone = [&] {
    // Pieces, at whose beginning code looks whether it is to stop.
    const i64 piece = run.stop == nullptr ? n : (units + 15) / 16 * grain;
    for (i64 begin = 0; begin < n; begin += piece) body(ctx, begin, std::min(begin + piece, n));
  };
  if (wanted <= 1) return alone();
  if (detail::divided_run* const r = detail::divided_run::current(); r != nullptr && !r->divides_next()) {
    detail::in_loop = true;  // as when it is divided: loops inside of it are none of the run's
    alone();
    detail::in_loop = false;
    return;
  }
  if (run.pool != nullptr) {
    const i64 tasks = std::min<i64>(4 * wanted, units);
    detail::pooled_loop loop{n, (units + tasks - 1) / tasks * grain, body, ctx};
    return run.pool->run(static_cast<int>(tasks), &detail::pooled_loop::task, &loop);
  }
  detail::process_pool().run(units, n, grain, body, ctx, static_cast<int>(wanted));
}

tenon_runtime make_runtime(int threads) {
  tenon_runtime rt{};
  rt.version = TENON_ABI_VERSION;
  if (const stop_flag* s = current_run().stop) rt.stop = s->address();
  rt.pool =
      reinterpret_cast<void*>(static_cast<std::intptr_t>(detail::checked_thread_count(threads)));  // the count itself
  rt.parallel_for = [](void* pool, int64_t n, int64_t grain, tenon_body body, void* ctx) {
    parallel_for(n, grain, body, ctx, static_cast<int>(reinterpret_cast<std::intptr_t>(pool)));
  };
  return rt;
}

}  // namespace tenon
