// The least time of some runs.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>
#include <vector>

#include <tenon/runtime/program.hpp>

/// In microseconds, of what runs in turns: of at most 5,000 runs of each, and no more than a second for each.
inline std::vector<double> least_us(const std::vector<std::function<void()>>& runs) {
  std::vector<double> best(runs.size(), 1e12);
  double spent = 0;
  for (int i = 0; i < 5000 && spent < 1e6 * static_cast<double>(runs.size()); ++i)
    for (size_t r = 0; r < runs.size(); ++r) {
      const auto start = std::chrono::steady_clock::now();
      runs[r]();
      const double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
      best[r] = std::min(best[r], us), spent += us;
    }
  return best;
}
inline std::vector<double> least_us(std::span<const tenon::program> programs, std::span<const tenon::tensor> inputs,
                                    int threads = 1) {
  std::vector<std::function<void()>> runs;
  for (const tenon::program& p : programs) runs.push_back([&p, inputs, threads] { p.run(inputs, threads); });
  return least_us(runs);
}
inline double least_us(const tenon::program& p, std::span<const tenon::tensor> inputs, int threads = 1) {
  return least_us({&p, 1}, inputs, threads)[0];
}
