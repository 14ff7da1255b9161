/// @file run_observer: who is told of the steps of a run: kernels of native code, kernels of `xsimd`, ops that a host
/// or the interpreter evaluates.
///
///     profile p;                            // runtime/profile.hpp; or a class of your own
///     {
///       const observed_runs watch(p);       // runs that this thread starts are watched while it lives
///       program.run({x});                   // any program, executable or session
///     }
/// A run without an observer costs one look at a variable of the thread, and one comparison a kernel. A step is told on
/// the thread that started the run, when all threads are done with it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tenon/core/loop_work.hpp>

namespace tenon {

/// What a step is. `sources`: the model's nodes that it computes, as errors name them: "node 'conv1' (Conv)".
struct run_step {
  enum class kind_t : u8 {
    kernel,
    copy,
    host,  ///< an op that is evaluated, and has no compiled code
  };
  kind_t kind = kind_t::kernel;
  std::string name;
  std::vector<std::string> sources;
  friend bool operator==(const run_step&, const run_step&) = default;
};

class run_observer {
 public:
  virtual ~run_observer() = default;
  /// Times are nanoseconds of a steady clock. `work` is null where it is not known. The step lives as long as the call.
  /// Where several threads watch by one observer, it is called by all of them. Denormals may be flushed in here.
  virtual void step_done(const run_step& step, i64 begin, i64 end, const work_total* work) noexcept = 0;
};

/// Who watches the runs that this thread starts; null: nobody.
run_observer* current_run_observer() noexcept;

/// Within its lifetime the thread that made it has its runs watched; those inside of another one by the inner one only.
class observed_runs {
 public:
  explicit observed_runs(run_observer& o) noexcept;
  explicit observed_runs(std::nullptr_t) noexcept;  ///< by nobody: what is a step as a whole, to whom watches
  ~observed_runs();
  observed_runs(const observed_runs&) = delete;
  observed_runs& operator=(const observed_runs&) = delete;

 private:
  run_observer* before_;
};

/// Nanoseconds of a steady clock.
i64 steady_now() noexcept;

/// Runs `f`, and tells the thread's observer, if there is one, of it as a step: `describe()` gives a run_step.
template <class F, class Describe>
void observed_step(F&& f, Describe&& describe) {
  run_observer* const to = current_run_observer();
  if (to == nullptr) return static_cast<void>(f());
  const i64 begin = steady_now();
  f();
  const i64 end = steady_now();
  const run_step step = describe();
  to->step_done(step, begin, end, nullptr);
}

}  // namespace tenon
