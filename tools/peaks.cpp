// What this machine can do at most.
#include "peaks.hpp"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include <tenon/core/int.hpp>

#include "common.hpp"

namespace tenon::tool {
namespace {

using vector_16 [[gnu::vector_size(16)]] = float;
using vector_32 [[gnu::vector_size(32)]] = float;
using vector_64 [[gnu::vector_size(64)]] = float;

/// Chains of multiply-adds that do not wait for each other; returns the operations that were done. It is inlined into a
/// function for each instruction set, and a pack keeps the sums out of memory.
template <class Vector, size_t... chain>
[[gnu::always_inline]] inline double chains(i64 rounds, volatile float* sink, std::index_sequence<chain...>) {
  Vector sum[sizeof...(chain)] = {}, factor = {}, more = {};
  factor += 0.999f + 1e-6f * *sink, more += 1e-3f;
  ((sum[chain] += static_cast<float>(chain)), ...);  // equal chains would be one
  for (i64 r = 0; r < rounds; ++r) ((sum[chain] = sum[chain] * factor + more), ...);
  *sink = (sum[chain][0] + ...);
  return 2.0 * sizeof...(chain) * (sizeof(Vector) / sizeof(float)) * static_cast<double>(rounds);
}

double plain_multiply_adds(i64 rounds, volatile float* sink) {
  return chains<vector_16>(rounds, sink, std::make_index_sequence<10>());
}
#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] double avx2_multiply_adds(i64 rounds, volatile float* sink) {
  return chains<vector_32>(rounds, sink, std::make_index_sequence<10>());
}
[[gnu::target("avx512f")]] double avx512_multiply_adds(i64 rounds, volatile float* sink) {
  return chains<vector_64>(rounds, sink, std::make_index_sequence<16>());
}
#endif

double multiply_adds(i64 rounds, volatile float* sink) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return avx512_multiply_adds(rounds, sink);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2_multiply_adds(rounds, sink);
#endif
  return plain_multiply_adds(rounds, sink);
}

/// Runs f(thread) on so many threads at once, and returns the milliseconds that all took.
template <class F>
double together(int threads, F&& f) {
  const double begin = now_ms();
  std::vector<std::thread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back([&f, t] { f(t); });
  f(0);
  for (std::thread& t : others) t.join();
  return now_ms() - begin;
}

}  // namespace

machine_peaks measure_peaks(int threads) {
  threads = std::clamp(threads, 1, 64);
  machine_peaks p;
  for (int attempt = 0; attempt < 12; ++attempt) {  // short ones: one of them is not interrupted
    std::vector<double> done(static_cast<size_t>(threads));
    const double ms = together(threads, [&](int t) {
      volatile float sink = 0;
      done[static_cast<size_t>(t)] = multiply_adds(500'000, &sink);
    });
    double all = 0;
    for (double d : done) all += d;
    p.gflops = std::max(p.gflops, all / ms * 1e-6);
  }
  constexpr size_t words = size_t{1} << 24;  // 128 MiB
  const std::vector<u64> memory(words, 1);
  for (int attempt = 0; attempt < 3; ++attempt) {
    std::vector<u64> sums(static_cast<size_t>(threads));
    const double ms = together(threads, [&](int t) {
      const size_t share = words / static_cast<size_t>(threads);
      const u64* at = memory.data() + static_cast<size_t>(t) * share;
      u64 sum[8] = {};
      for (size_t i = 0; i + 8 <= share; i += 8)
        for (size_t k = 0; k < 8; ++k) sum[k] += at[i + k];
      for (u64 s : sum) sums[static_cast<size_t>(t)] += s;
    });
    volatile u64 seen = sums[0];  // what was summed up is used
    static_cast<void>(seen);
    p.gbytes = std::max(p.gbytes, static_cast<double>(words * sizeof(u64)) / ms * 1e-6);
  }
  return p;
}

}  // namespace tenon::tool
