// Images in the formats that need no library.
// In tests: 300000 inputs.
#include <tenon/runtime/image_file.hpp>

#include "fuzzers/fuzzer.hpp"

using namespace tenon;
using namespace tenon::fuzzing;

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  if (size < 2 || (data[0] != 'P' && data[0] != 'B')) return 0;
  return read(size, [&] {
    const tensor t = decode_image({data, size});
    check(t.rank() == 3 && t.shape()[2] == 3 && t.size() > 0, "an image has no pixels");
  });
}
