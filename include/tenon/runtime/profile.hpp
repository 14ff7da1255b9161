/// @file profile: what the steps of runs took, summed up: calls, time, operations, bytes.
///
///     profile p;
///     { const observed_runs watch(p);  program.run({x}); }
///     for (const profile::row& r : p.rows()) std::printf("%s %g ms\n", r.step.name.c_str(), r.nanoseconds * 1e-6);
/// May watch several threads at once. How steps are watched, and what that costs: runtime/run_observer.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <tenon/runtime/run_observer.hpp>

namespace tenon {

class profile final : public run_observer {
 public:
  /// Steps of one name that compute the same nodes.
  struct row {
    run_step step;
    u64 calls = 0;
    i64 nanoseconds = 0;  ///< of all calls
    work_total work;      ///< of all calls; counts where `has_work`
    bool has_work = false;
  };
  /// One call, where they are kept.
  struct event {
    size_t row;  ///< in `rows`
    int thread;  ///< 0, 1, …: in the order in which they came
    i64 begin, end;
  };

  /// `most_events`: so many single calls are kept for `trace`; the first ones.
  explicit profile(size_t most_events = 0);
  ~profile() override;
  profile(const profile&) = delete;
  profile& operator=(const profile&) = delete;

  void step_done(const run_step& step, i64 begin, i64 end, const work_total* work) noexcept override;
  void clear();

  /// In the order in which they were first met.
  std::vector<row> rows() const;
  std::vector<event> events() const;
  /// Steps that were not noted, since there was no memory.
  u64 lost() const;
  /// Chrome's trace event format (JSON): chrome://tracing and Perfetto open it.
  std::string trace() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tenon
