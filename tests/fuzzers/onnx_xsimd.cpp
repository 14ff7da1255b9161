// ONNX files on the target xsimd: its whole pipeline, each pass verified, and its kernels.
// In tests: 800 inputs.
#include <tenon/targets/xsimd.hpp>

#include "fuzzers/protobuf_mutator.hpp"
#include "fuzzers/run_module.hpp"

using namespace tenon;
using namespace tenon::fuzzing;

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  const std::string_view file = text_of(data, size);
  ir::module m;
  if (!imported(file, true, m)) return 0;
  return run([&] {
    if (!is_small(m)) return;
    context cx;
    cx.verify_each = true;
    targets::xsimd{}.configure(cx);
    const std::vector<tensor> inputs = inputs_of(m, m.find_function("main"), number_of(file));
    const auto built = build<targets::xsimd>(ir_module<phases::ingestion>::adopt(std::move(m)), cx);
    if (is_small(built.body())) load_xsimd(built).run(inputs, 1);
  });
}
