// ONNX files as loops: the passes of the native target up to its code generator, each pass verified, then C source; the
// interpreter runs the loops and checks each access.
// In tests: 400 inputs.
#include <tenon/passes/kernel_options.hpp>
#include <tenon/targets/c_source.hpp>

#include "fuzzers/protobuf_mutator.hpp"
#include "fuzzers/run_module.hpp"

using namespace tenon;
using namespace tenon::fuzzing;

namespace {

/// Ends the pipeline below, and never runs: loops are looked at before it, and those of open sizes are loops too.
struct emit_loops : passes::emit_c {
  static constexpr fixed_string name = "emit_loops";
  using needs = facts<>;
};

/// The passes of `cpu`, as far as there is no LLVM.
struct native_loops {
  static constexpr fixed_string name = "native_loops";
  using device = targets::c_source::device;
  using code_generator = emit_loops;
  using format = formats::c_source;
  using abi = abis::c_entry;
  using runtime = targets::c_compiler;
  using pipeline = targets::cpu::pipeline::edit<replace<passes::generate_code, emit_loops>>;
};

}  // namespace

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  const std::string_view file = text_of(data, size);
  const u64 seed = number_of(file);
  ir::module m;
  if (!imported(file, seed % 2 != 0, m)) return 0;
  return run([&] {
    if (!is_small(m)) return;
    context cx;
    cx.verify_each = true;
    if (seed % 4 == 1) {
      targets::c_source{}.configure(cx);
      static_cast<void>(build<targets::c_source>(ir_module<phases::ingestion>::adopt(std::move(m)), cx));
      return;
    }
    cx.set(passes::kernel_options{.vector_bytes = 16 << seed % 3, .threads = 2});
    const auto loops = compile_to<phases::build, native_loops>(ir_module<phases::ingestion>::adopt(std::move(m)), cx);
    const std::string text = print(loops);
    check(print(parse<phases::build>(text)) == text, "loops do not read back from their text");
    // The last arguments of an entry are what its results are written to.
    const ir::function& main = loops.body()[loops.body().find_function("main")];
    std::vector<tensor> inputs;
    for (size_t i = 0; i + main.result_types.size() < loops.body()[main.body].arguments.size(); ++i) {
      const ir::type& t = loops.body().type_of(loops.body()[main.body].arguments[i]);
      std::vector<i64> shape;
      for (ir::dim d : t.shape) shape.push_back(d.is_static() ? d.extent() : 2);
      inputs.emplace_back(t.elem, shape);
    }
    interpret(loops.body(), "main", inputs);
  });
}
