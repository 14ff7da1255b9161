/// @file setting: a number that the environment may set for a test.
#pragma once

#include <cstdlib>

#include <tenon/core/int.hpp>

namespace tenon::testing {

/// `TENON_FUZZ_SEEDS=20000` and its like: the number, or `otherwise` where it is not set.
inline u64 setting(const char* name, u64 otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace tenon::testing
