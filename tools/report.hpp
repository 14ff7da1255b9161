/// @file report: how the command line shows a compilation and a run.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <tenon/compile/instruments/statistics.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/runtime/tensor.hpp>

#include "common.hpp"

namespace tenon::tool {

/// Watches a compilation: how many ops of which kind each pass leaves.
struct observer {
  struct phase_summary {
    std::string phase;
    size_t functions = 0, kernels = 0;
    std::map<std::string, size_t> ops;
  };
  bool explain = false;
  std::vector<phase_summary> phases;  ///< one a phase, as its last pass left it

  void attach(context& cx);
  void look(const ir::module& m, std::string_view phase);
  void after(const pass_event& e) { look(*e.module, e.phase); }

 private:
  instrument::statistics counts_;
};

/// "add ×3, conv ×2": the most frequent ones.
std::string histogram_text(const std::map<std::string, size_t>& counts, size_t shown);

/// Phase, pass, milliseconds, ops.
void print_passes(const context& cx);
void print_phases(const observer& o);
/// Name, type, the largest elements with their places.
void print_output(const std::string& name, const tensor& t);

struct latency {
  double median = 0, least = 0;
  size_t runs = 0;
};

/// Warms up, then measures runs for a second at least.
template <class F>
latency measure_latency(F&& once) {
  const double begin = now_ms();
  int warm = 0;
  do once();
  while (++warm < 3 || (now_ms() - begin < 100 && warm < 100));
  std::vector<double> times;
  const double start = now_ms();
  double now = start;
  while (now - start < 1000 || times.size() < 5) {
    once();
    const double end = now_ms();
    times.push_back(end - now);
    now = end;
  }
  latency l;
  l.runs = times.size();
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  l.median = times[times.size() / 2];
  l.least = *std::min_element(times.begin(), times.end());
  return l;
}
void print_latency(const latency& l, int threads);

}  // namespace tenon::tool
