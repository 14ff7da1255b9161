// Module files: as they are, and with a right checksum; what is read is printed, written the same, and verified.
// In tests: 15000 inputs.
#include <tenon/ir/module_file.hpp>
#include <tenon/text/print.hpp>

#include "fuzzers/frames.hpp"

using namespace tenon;
using namespace tenon::fuzzing;

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  const std::string given(text_of(data, size));
  read(size, [&] { deserialize(given, "fuzz"); });
  const std::string file = sealed(given);
  return read(size, [&] {
    const module_header header = read_module_header(file, "fuzz");
    const ir::module m = deserialize(file, "fuzz");
    print(m);
    const std::string again = serialize(m, header.phase, header.facts);
    check(serialize(deserialize(again, "again"), header.phase, header.facts) == again,
          "what was written is written otherwise the next time");
  });
}
