/// @file size_answers: answers to questions about sizes that decide what the graph is (an If whose branches have
/// different ranks), in the order in which they come up.
///
/// When the rest of a graph cannot be imported with them, the last one is changed, and it is tried again.
#pragma once

#include <vector>

#include <tenon/core/attempt.hpp>
#include <tenon/core/extent_condition.hpp>
#include <tenon/importers/onnx/budget.hpp>

namespace tenon::importers::onnx {

class size_answers {
 public:
  /// The answer to the next question: `likely` at first.
  bool next(bool likely) {
    if (next_ == all_.size()) all_.push_back({likely, false});
    return all_[next_++].yes;
  }
  size_t asked() const { return next_; }
  /// Goes back to `from`, with the last answer behind it changed that was not changed before; false when there is none.
  bool change(size_t from) {
    while (all_.size() > from && all_.back().changed) all_.pop_back();
    next_ = from;
    if (all_.size() <= from || ++changes_ > most_changes) return false;
    all_.back() = {!all_.back().yes, true};
    return true;
  }

 private:
  struct answer {
    bool yes, changed;
  };
  static constexpr int most_changes = 64;
  std::vector<answer> all_;
  size_t next_ = 0;
  int changes_ = 0;

 public:
  condition_list assumed;  ///< what the answers of this attempt say of sizes
};

/// Writes a graph, again and again with other answers from `from` on, until one of these tries succeeds: why the last
/// one failed. `undo` takes back what a failed one wrote. A budget is for all of them.
template <class Write, class Undo>
failure with_answers(size_answers& answers, size_t from, const Write& write, const Undo& undo) {
  for (;;) {
    failure wrong = attempt(write);
    if (!wrong) return wrong;
    undo();
    if (wrong.as<budget_error>() || !answers.change(from)) return wrong;
  }
}

}  // namespace tenon::importers::onnx
