// Program files: their tables, ports, sizes and conditions; the code is replaced by one that does nothing.
// In tests: 80000 inputs.
#include <tenon/runtime/program_file.hpp>

#include "fuzzers/frames.hpp"

using namespace tenon;
using namespace tenon::fuzzing;

namespace {
void nothing(void* const*, void* const*, void*, const void*, const tenon_runtime*) {}
}  // namespace

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  const std::string given(text_of(data, size));
  read(size, [&] { read_program(given, nullptr, "fuzz"); });
  const std::string file = sealed(given);
  program_contents c;
  bool known = false;
  read(size, [&] {
    c = read_program(file, nullptr, "fuzz");
    known = true;
  });
  if (!known) return 0;
  return run([&] {
    c.parts.entry = &nothing;
    const program p(std::move(c.parts));
    std::vector<tensor> inputs;
    for (const port& i : p.inputs()) {
      p.describe(i);
      std::vector<i64> shape = i.shape;
      for (i64& d : shape) d = d < 0 ? 2 : d;
      inputs.emplace_back(i.type, shape);
    }
    p.run(inputs, 1);
  });
}
