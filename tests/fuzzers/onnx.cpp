// ONNX files: imported, verified, printed and read back, cleaned up by the passes of the interpreter, and evaluated.
// In tests: 2500 inputs.
#include <tenon/targets/interpreter.hpp>

#include "fuzzers/protobuf_mutator.hpp"
#include "fuzzers/run_module.hpp"

using namespace tenon;
using namespace tenon::fuzzing;

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  const std::string_view file = text_of(data, size);
  const u64 seed = number_of(file);
  ir::module m;
  if (!imported(file, seed % 2 != 0, m)) return 0;
  return run([&] {
    ir::verify<phases::ingestion>(m);
    const std::string text = print(m);
    check(print(parse(text)) == text, "a module that was imported does not read back from its text");
    if (!is_small(m)) return;
    context cx;
    cx.verify_each = true;
    const auto built = build<targets::interpreter>(ir_module<phases::ingestion>::adopt(std::move(m)), cx);
    const function_id f = built.body().find_function("main");
    interpret(built.body(), "main", inputs_of(built.body(), f, seed));
  });
}
