/// @file peaks: what this machine can do at most, measured: multiply-adds of f32, and reading memory.
#pragma once

namespace tenon::tool {

struct machine_peaks {
  double gflops = 0;  ///< a multiply-add counts as two
  double gbytes = 0;  ///< 10^9 bytes a second, of arrays much larger than the caches
};

/// On so many threads at once. Takes about 0.2 s. The best of several tries: what else runs on the machine lowers it.
machine_peaks measure_peaks(int threads);

}  // namespace tenon::tool
