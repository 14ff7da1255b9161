/// @file reduction: something that fails, made smaller step by step while it still fails (delta debugging).
///
///     reduction<model> r(std::move(m), [](const model& m) { return fails(m); });
///     r.run({[&] { drop_outputs(r); }, [&] { drop_nodes(r); }});
///     const model& small = r.best();
#pragma once

#include <functional>
#include <initializer_list>
#include <utility>

#include <tenon/core/error.hpp>

namespace tenon::tool {

template <class Subject>
class reduction {
 public:
  /// `holds`: does it still fail? It may throw `tenon::error` for what cannot be asked.
  reduction(Subject subject, std::function<bool(const Subject&)> holds, int most_questions = 2000)
      : best_(std::move(subject)), holds_(std::move(holds)), most_(most_questions) {}

  const Subject& best() const { return best_; }
  int steps() const { return steps_; }  ///< that made it smaller
  int asked() const { return asked_; }
  bool exhausted() const { return asked_ >= most_; }

  /// Keeps a candidate if it still fails.
  bool attempt(Subject candidate) {
    if (exhausted()) return false;
    ++asked_;
    try {
      if (!holds_(candidate)) return false;
    } catch (const error&) { return false; }
    best_ = std::move(candidate);
    ++steps_;
    return true;
  }

  /// Takes items away: all of them, then halves, quarters … and each alone, from the last to the first.
  /// `count(best)`: how many there are; `take(candidate, begin, end)`: takes those away, or returns false.
  template <class Count, class Take>
  void drop(Count count, Take take) {
    for (size_t part = count(best_); part > 0; part /= 2)
      for (size_t end = count(best_); end > 0 && !exhausted();) {
        const size_t begin = end > part ? end - part : 0;
        Subject candidate = best_;
        if (take(candidate, begin, end)) attempt(std::move(candidate));
        end = begin < count(best_) ? begin : count(best_);
      }
  }

  /// Runs the steps again and again until none of them helps.
  void run(std::initializer_list<std::function<void()>> steps, int most_rounds = 8) {
    for (int round = 0; round < most_rounds && !exhausted(); ++round) {
      const int before = steps_;
      for (const auto& step : steps) step();
      if (steps_ == before) return;
    }
  }

 private:
  Subject best_;
  std::function<bool(const Subject&)> holds_;
  int most_, steps_ = 0, asked_ = 0;
};

}  // namespace tenon::tool
