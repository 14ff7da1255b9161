/// @file fuzzer: what the fuzz targets share: what one input may cost and throw, and what it is to have been a mistake.
///
/// A target is one .cpp with LLVMFuzzerTestOneInput. `scripts/fuzz` builds and runs them; inputs to begin with, and
/// dictionaries, are written by seeds.cpp.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <tenon/core/error.hpp>

#include "support/allocations.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size);
extern "C" size_t LLVMFuzzerMutate(unsigned char* data, size_t size, size_t most);

namespace tenon::fuzzing {

/// Reports a mistake that is no crash.
[[noreturn]] inline void wrong(const std::string& what) {
  std::fprintf(stderr, "MISTAKE: %s\n", what.c_str());
  std::abort();
}
inline void check(bool ok, const char* what) {
  if (!ok) wrong(what);
}

inline std::string_view text_of(const unsigned char* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// What running a model may take: enough for everything small, and an end to loops of 2^62 rounds.
inline constexpr testing::allocation_budget of_a_run{.calls = 1'000'000, .bytes = u64{64} << 20};
/// What reading `size` bytes may take. Reading is not computing: more than that is a mistake.
constexpr testing::allocation_budget of_reading(size_t size) {
  return {.calls = 100'000 + 200 * u64{size}, .bytes = (u64{4} << 20) + 2000 * u64{size}};
}

/// Runs `f`, which may throw tenon::error; `may_spend`: it may also need more than the budget, and is stopped then.
template <class F>
int tried(const testing::allocation_budget& budget, bool may_spend, F&& f) {
  std::string mistake;
  {
    const testing::allocation_limit limit(budget);
    try {
      f();
    } catch (const error& e) {
      if (e.code().empty()) mistake = "an error has no code";
    } catch (const std::bad_alloc&) {
      if (limit.refused() == 0) throw;
    }
    if (limit.refused() != 0 && !may_spend)
      mistake = "reading took more than " + std::to_string(limit.calls()) + " allocations or " +
                std::to_string(limit.bytes()) + " bytes";
  }
  if (!mistake.empty()) wrong(mistake);
  return 0;
}
/// Reads something: no more memory than the size of the input explains.
template <class F>
int read(size_t size, F&& f) {
  return tried(of_reading(size), false, static_cast<F&&>(f));
}
/// Runs something, as far as it comes.
template <class F>
int run(F&& f) {
  return tried(of_a_run, true, static_cast<F&&>(f));
}

}  // namespace tenon::fuzzing
