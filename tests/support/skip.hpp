/// @file skip: what a test says that cannot be done here, since data, a tool or a processor is missing.
///
///     if (!has_c_compiler()) return testing::skip("there is no C compiler");
/// The test executable then ends with status 77 unless something failed, and CTest reports its file as skipped.
#pragma once

#include <cstdio>
#include <string>

namespace tenon::testing {

inline int skipped = 0;

inline void skip(const std::string& why) {
  std::printf("SKIPPED: %s\n", why.c_str());
  ++skipped;
}

}  // namespace tenon::testing
