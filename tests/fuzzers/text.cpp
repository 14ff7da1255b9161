// Modules as text: read, verified, printed and read again, written as bytes and read again, and run.
// In tests: 3500 inputs.
#include <tenon/ir/module_file.hpp>

#include "fuzzers/run_module.hpp"

using namespace tenon;
using namespace tenon::fuzzing;

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  const std::string text(text_of(data, size));
  ir::module m;
  bool known = false;
  read(size, [&] {
    phase_of_text(text), facts_of_text(text);
    m = parse(text);
    known = true;
  });
  if (!known) return 0;
  return run([&] {
    const std::string printed = print(m);
    check(print(parse(printed)) == printed, "what was printed is read as another module");
    ir::verify(m);
    const std::string bytes = serialize(m, "optimization");
    check(print(deserialize(bytes, "fuzz")) == printed, "what was written is read as another module");
    if (!is_small(m)) return;
    for (function_id f : m.functions())
      if (m[f].entry) interpret(m, m[f].name, inputs_of(m, f, number_of(text)));
  });
}
