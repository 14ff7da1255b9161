/// @file profile_view: how the command line shows what the steps of a model take.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <tenon/runtime/profile.hpp>

#include "peaks.hpp"

namespace tenon::tool {

struct profiled {
  std::vector<profile::row> rows;  ///< sorted by time; sums of all runs
  size_t runs = 0;
  int threads = 1;
  double run_ms = 0;        ///< of one watched run, by the clock
  double steps_ms = 0;      ///< the sum of its steps
  double unwatched_ms = 0;  ///< the median of runs that nobody watched
  machine_peaks peaks;
  std::string trace;  ///< if asked for: of the first runs
};

/// Runs `once` for about a third of a second, at least six times, watched and not.
profiled profile_runs(const std::function<void()>& once, int threads, bool trace);

/// What limits a step: the share of the peak that its counts come nearer to. Not known: less than 0.
struct peak_share {
  double share = -1;
  bool by_memory = false;
};
peak_share share_of_peak(const profile::row& r, const machine_peaks& p);

/// "conv1" of "node 'conv1' (Conv)"
std::string short_place(const std::string& place);

/// A table for people, at most 100 columns wide.
std::string profile_text(const profiled& p);
nlohmann::ordered_json profile_json(const profiled& p);

}  // namespace tenon::tool
