// Tensors in NumPy's format.
// In tests: 250000 inputs.
#include <tenon/runtime/npy.hpp>

#include "fuzzers/fuzzer.hpp"

using namespace tenon;
using namespace tenon::fuzzing;

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  return read(size, [&] {
    const tensor t = decode_npy(text_of(data, size), nullptr, "fuzz.npy");
    for (i64 i = 0; i < t.size(); ++i) static_cast<void>(t.at_f64(i));
    t.describe(), t.cast(dtype::f32);
  });
}
