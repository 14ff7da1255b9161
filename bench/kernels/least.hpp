// The least time of some runs on one thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <span>

#include <tenon/runtime/program.hpp>

/// In microseconds: of at most 5,000 runs, and of no more than half a second of them.
inline double least_us(const tenon::program& p, std::span<const tenon::tensor> inputs) {
  double best = 1e9, spent = 0;
  for (int i = 0; i < 5000 && spent < 5e5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    p.run(inputs, 1);
    const double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    best = std::min(best, us), spent += us;
  }
  return best;
}
