// The least time of some runs.
#pragma once

#include <algorithm>
#include <chrono>
#include <span>
#include <vector>

#include <tenon/runtime/program.hpp>

/// In microseconds, of programs that run in turns: of at most 5,000 runs of each, and no more than a second for each.
inline std::vector<double> least_us(std::span<const tenon::program> programs, std::span<const tenon::tensor> inputs,
                                    int threads = 1) {
  std::vector<double> best(programs.size(), 1e12);
  double spent = 0;
  for (int i = 0; i < 5000 && spent < 1e6 * static_cast<double>(programs.size()); ++i)
    for (size_t p = 0; p < programs.size(); ++p) {
      const auto start = std::chrono::steady_clock::now();
      programs[p].run(inputs, threads);
      const double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
      best[p] = std::min(best[p], us), spent += us;
    }
  return best;
}
inline double least_us(const tenon::program& p, std::span<const tenon::tensor> inputs, int threads = 1) {
  return least_us({&p, 1}, inputs, threads)[0];
}
