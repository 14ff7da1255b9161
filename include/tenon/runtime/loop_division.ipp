/// @file loop_division.ipp: definitions of runtime/loop_division.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include <tenon/runtime/loop_division.hpp>
#include <tenon/runtime/run_observer.hpp>
#include <tenon/runtime/run_options.hpp>

namespace tenon {
namespace detail {

inline thread_local divided_run* division_of_thread = nullptr;
inline thread_local bool divides_always = false;

division_search::division_search(int threads)
    : threads_(threads), all_(std::make_shared<const loop_choice>()),
      none_(std::make_shared<const loop_choice>(loop_choice{loop_choice::kind_t::none, {}})), kept_(all_) {
  begin();
}

/// The first run of a block finds its data in the caches of the other cores, and workers asleep, as no later one does.
void division_search::begin() {
  ways_ = {{all_, {}, {}}, {none_, {}, {}}};
  way_ = 0, round_ = 0, regular_ = true;
  first_ = -1, rounds_ = 0, left_ = 1;
}

i64 division_search::median(size_t way) const {
  std::vector<i64> t = ways_[way].totals;
  const auto middle = t.begin() + static_cast<std::ptrdiff_t>(t.size() / 2);
  std::nth_element(t.begin(), middle, t.end());
  return *middle;
}

void division_search::keep(std::shared_ptr<const loop_choice> choice, i64 total) {
  kept_ = std::move(choice);
  left_ = 0;
  // About every ten seconds of runs. A program that is too short to be divided stays so.
  constexpr i64 again = 10'000'000'000;
  until_again_ = total < worth_dividing ? -1 : std::clamp<i64>(again / total, 500, 50'000);
}

void division_search::give_up() noexcept { left_ = 0, until_again_ = -1; }

void division_search::not_measured() {
  if (left_ == 0 && until_again_ > 0 && --until_again_ == 0) begin();
}

void division_search::measured(i64 total, std::span<const i64> loops) {
  if (left_ == 0) return;
  way& w = ways_[way_];
  if (loops.empty()) return give_up();
  if (first_ < 0) return void(first_ = total);  // it also touches its pages for the first time
  if (rounds_ == 0) {
    first_ = std::min(first_, total);
    // What dividing costs is no matter to loops that are so long.
    constexpr i64 long_loop = 2'000'000;
    if (first_ / static_cast<i64>(loops.size()) > long_loop) return keep(all_, first_);
    skip_ = 1, measured_ = 3, rounds_ = 3;
    if (first_ >= 1'000'000) measured_ = 2, rounds_ = 2;
    if (first_ >= 5'000'000) skip_ = 0, measured_ = 1, rounds_ = 3;
    left_ = measured_ + 1;
  }
  if (left_-- <= measured_) {
    w.totals.push_back(total);
    w.loops.emplace_back(loops.begin(), loops.end());
    regular_ = regular_ && loops.size() == ways_[0].loops[0].size();
  }
  if (left_ == 0) next_block();
}

void division_search::next_block() {
  if (++way_ == ways_.size()) way_ = 0, ++round_;
  left_ = skip_ + measured_;
  if (way_ != 0) return;
  const i64 all = median(0), none = median(1);
  if (none < worth_dividing) return keep(none_, none);
  if (static_cast<double>(none) > 0.85 * threads_ * static_cast<double>(all)) return keep(all_, all);
  if (round_ < rounds_) return;
  if (ways_.size() == 2) {
    round_ = 0;
    add_mixed();
    if (ways_.size() == 3) {
      way_ = 2;  // the two others have just been measured
      return;
    }
  }
  // What is as fast with less work for other cores is better.
  const i64 mixed = ways_.size() == 3 ? median(2) : std::max(all, none);
  const double best = static_cast<double>(std::min({all, none, mixed}));
  if (static_cast<double>(none) <= 1.02 * best) return keep(none_, none);
  if (ways_.size() == 3 && static_cast<double>(mixed) <= 1.01 * best) return keep(ways_[2].choice, mixed);
  keep(all_, all);
}

/// A way that divides the loops which took less so, with what follows each of them.
void division_search::add_mixed() {
  if (!regular_) return;
  const size_t count = ways_[0].loops[0].size();
  const auto typical = [&](size_t way, size_t loop) {
    std::vector<i64> t;
    for (const std::vector<i64>& run : ways_[way].loops) t.push_back(run[loop]);
    const auto middle = t.begin() + static_cast<std::ptrdiff_t>(t.size() / 2);
    std::nth_element(t.begin(), middle, t.end());
    return static_cast<double>(*middle);
  };
  loop_choice mixed{loop_choice::kind_t::some, std::vector<bool>(count)};
  size_t divided = 0;
  for (size_t i = 0; i < count; ++i) {
    mixed.divided[i] = typical(0, i) < 0.97 * typical(1, i);
    divided += mixed.divided[i];
  }
  if (divided != 0 && divided != count)
    ways_.push_back({std::make_shared<const loop_choice>(std::move(mixed)), {}, {}});
}

std::shared_ptr<loop_division> loop_divisions::of_run(int threads, std::span<const i64> sizes) {
  if (current_run().pool != nullptr || divides_always) return nullptr;
  const int n = threads_of_loops(threads);
  if (n < 2) return nullptr;
  std::vector<i64> key{n};
  for (i64 s : sizes) key.push_back(std::bit_width(static_cast<u64>(std::max<i64>(s, 0))));
  const std::lock_guard lock(mutex_);
  const auto at = std::find_if(known_.begin(), known_.end(), [&](const known& k) { return k.key == key; });
  if (at != known_.end()) {
    std::rotate(known_.begin(), at, at + 1);
    return known_.front().division;
  }
  known_.insert(known_.begin(), known{std::move(key), std::make_shared<loop_division>(n)});
  if (known_.size() > 16) known_.pop_back();
  return known_.front().division;
}

divided_run::divided_run(std::shared_ptr<loop_division> of) : of_(std::move(of)), before_(division_of_thread) {
  division_of_thread = of_ ? this : nullptr;
  if (!of_) return;
  {
    const std::lock_guard lock(of_->mutex_);
    measures_ = of_->search_.measures() && !of_->taken_;
    if (measures_) of_->taken_ = true;
    else of_->search_.not_measured();
    choice_ = measures_ ? of_->search_.next() : of_->search_.kept();
  }
  if (!measures_) return;
  of_->marks_.clear();
  begin_ = steady_now();
}

divided_run::~divided_run() {
  division_of_thread = before_;
  if (!measures_) return;
  const std::lock_guard lock(of_->mutex_);
  of_->taken_ = false;
}

void divided_run::complete() noexcept {
  if (!measures_ || lost_) return;
  std::vector<i64>& marks = of_->marks_;
  const i64 end = steady_now();
  for (size_t i = 0; i < marks.size(); ++i) marks[i] = (i + 1 < marks.size() ? marks[i + 1] : end) - marks[i];
  const std::lock_guard lock(of_->mutex_);
  try {
    of_->search_.measured(end - begin_, marks);
  } catch (...) { of_->search_.give_up(); }  // no memory: loops go on as before
}

bool divided_run::divides_next() noexcept {
  if (measures_ && !lost_) try {
      of_->marks_.push_back(steady_now());
    } catch (...) { lost_ = true; }
  return choice_->divides(loop_++);
}

divided_run* divided_run::current() noexcept { return division_of_thread; }

}  // namespace detail

always_divided::always_divided() noexcept : before_(std::exchange(detail::divides_always, true)) {}
always_divided::~always_divided() { detail::divides_always = before_; }

}  // namespace tenon
