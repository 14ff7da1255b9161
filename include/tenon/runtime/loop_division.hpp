/// @file loop_division: which parallel loops of a program are divided among threads: measured as it runs.
///
/// To divide a loop costs a fork, a join, and lines of memory that go from core to core, which the loops behind it pay.
/// What that is differs between machines, so it is not estimated: first runs of a program divide all loops or none,
/// alternately; then those that were faster divided; and the fastest of the three ways is kept. Results are the same
/// bits whichever way is taken. Why, with measurements: docs/decisions/010-threads.md.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <tenon/core/int.hpp>

namespace tenon {

/// Within its lifetime loops of the runs that the thread begins are divided wherever they can be, whatever was
/// measured.
class always_divided {
 public:
  always_divided() noexcept;
  ~always_divided();
  always_divided(const always_divided&) = delete;
  always_divided& operator=(const always_divided&) = delete;

 private:
  bool before_;
};

namespace detail {

/// How many threads a loop that begins here and asks for `threads` may use.
int threads_of_loops(int threads) noexcept;

/// Which loops of a run are divided; they are counted in the order in which they begin.
struct loop_choice {
  enum class kind_t : u8 { none, all, some };
  kind_t kind = kind_t::all;
  std::vector<bool> divided;  ///< of `some`; what is behind its end is divided
  bool divides(size_t loop) const {
    return kind == kind_t::some ? loop >= divided.size() || divided[loop] : kind == kind_t::all;
  }
  friend bool operator==(const loop_choice&, const loop_choice&) = default;
};

/// The search for the fastest choice. It has no clock and no threads: who runs says what a run took.
class division_search {
 public:
  /// Nanoseconds on one thread below which a program stays there.
  static constexpr i64 worth_dividing = 100'000;

  explicit division_search(int threads);
  /// How the next run goes.
  const std::shared_ptr<const loop_choice>& next() const { return ways_[way_].choice; }
  /// How a run goes that is not measured.
  const std::shared_ptr<const loop_choice>& kept() const { return kept_; }
  bool measures() const { return left_ > 0; }
  /// A run by `next` took `total` nanoseconds; from the begin of each loop to that of the one behind it, `loops`.
  void measured(i64 total, std::span<const i64> loops);
  /// A run was not measured. Now and then all is measured again, for the machine may have other work than before.
  void not_measured();
  /// Nothing is measured any more.
  void give_up() noexcept;

 private:
  struct way {
    std::shared_ptr<const loop_choice> choice;
    std::vector<i64> totals;
    std::vector<std::vector<i64>> loops;  ///< of each run
  };
  void begin();
  void next_block();
  void add_mixed();
  void keep(std::shared_ptr<const loop_choice> choice, i64 total);
  i64 median(size_t way) const;

  int threads_;
  std::shared_ptr<const loop_choice> all_, none_, kept_;
  std::vector<way> ways_;  ///< all, none and, when both were measured, a mixed one
  size_t way_ = 0;
  int skip_ = 0, measured_ = 1, rounds_ = 1;  ///< a block: runs that do not count, and runs that do; how many blocks
  int left_ = 0, round_ = 0;                  ///< runs of this block, blocks that were of each way
  i64 first_ = -1;                            ///< nanoseconds of the first runs; -1: there was none
  bool regular_ = true;                       ///< all runs had as many loops
  i64 until_again_ = -1;
};

/// The search of one entry of a program at sizes of one magnitude, on one number of threads. Any thread may run by it.
class loop_division {
 public:
  explicit loop_division(int threads) : search_(threads) {}

 private:
  friend class divided_run;
  std::mutex mutex_;
  division_search search_;
  bool taken_ = false;  ///< by a run that is being measured
  std::vector<i64> marks_;
};

/// All of an entry. Sizes of about the same magnitude share what was measured.
class loop_divisions {
 public:
  /// Null where loops are not to be chosen: on one thread, inside of a loop, on a pool of the caller's, or where all
  /// are always divided.
  std::shared_ptr<loop_division> of_run(int threads, std::span<const i64> sizes);

 private:
  struct known {
    std::vector<i64> key;
    std::shared_ptr<loop_division> division;
  };
  std::mutex mutex_;
  std::vector<known> known_;  ///< the latest first
};

/// Within its lifetime loops of this thread are divided as the division says; null: as they ask.
class divided_run {
 public:
  explicit divided_run(std::shared_ptr<loop_division> of);
  ~divided_run();
  divided_run(const divided_run&) = delete;
  divided_run& operator=(const divided_run&) = delete;
  /// The run has come to its end, so its times count.
  void complete() noexcept;
  bool divides_next() noexcept;
  /// That of this thread, or null.
  static divided_run* current() noexcept;

 private:
  std::shared_ptr<loop_division> of_;
  std::shared_ptr<const loop_choice> choice_;
  bool measures_ = false, lost_ = false;
  size_t loop_ = 0;
  i64 begin_ = 0;
  divided_run* before_;
};

}  // namespace detail
}  // namespace tenon
