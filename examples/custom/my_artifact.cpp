// Write your own form of compiled code: a format says what can be done with it, and what cannot does not compile. A
// module keeps the artifacts that were made, whatever passes do.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <tenon/artifact.hpp>
#include <tenon/definitions.hpp>  // once in a program
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;

/// What the device loads. This process cannot.
struct image {
  static constexpr fixed_string name = "image";
  using abilities = tenon::abilities<can::save>;
  static constexpr fixed_string advice = "save it, and let the device load it";
};
/// Microcode, as the assembler of a device reads it.
struct microcode {
  static constexpr fixed_string name = "microcode";
  using abilities = tenon::abilities<can::save, can::link>;
  static constexpr fixed_string advice = "link it, and give the image to the device";
  static artifact<image> link(const artifact<microcode>& a) {  // what `tenon::link` does for this format
    std::vector<char> bytes{'I', 'M', 'G', static_cast<char>(a.bytes().size())};
    bytes.insert(bytes.end(), a.bytes().begin(), a.bytes().end());
    return {a.symbol(), a.target(), std::move(bytes), "my_linker"};
  }
};

// What a format can do is known when the program is compiled. `tenon::load(code)` below would be tenon-E040: "code of
// format 'microcode' cannot be loaded, it can be saved and linked: link it, and give the image to the device".
static_assert(can_be<microcode, can::link> && !can_be<microcode, can::load>);
static_assert(can_be<image, can::save> && !can_be<image, can::link>);

/// Before: exp(%x) of a graph          After: the same, and microcode for it beside the graph
struct emit_microcode {
  static constexpr fixed_string name = "emit_microcode";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>& module, context&) const {
    std::string text;
    ir::for_each_op(module.body(), [&](op_id op) { text += std::string(module.body().view(op).name()) + "\n"; });
    const artifact<microcode> code("my_kernel", "dsp", {text.begin(), text.end()}, label(name).data());
    module.body().add_artifact(code.erased());  // a second 'my_kernel' would be an error that names both producers
  }
};
using with_code = pipeline<passes::infer_shapes, emit_microcode, passes::eliminate_dead>;
}  // namespace mine

int main() {
  using namespace tenon;
  auto m = parse<phases::optimization>(R"(tenon.module phase=optimization
func entry @main(%x: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %y = exp(%x) : tensor<4xf32>
  return(%y)
}
)");
  context cx;
  const auto done = run_pipeline<mine::with_code>(std::move(m), cx);
  const artifact<mine::microcode> code = artifact_of<mine::microcode>(done);  // by its type; else "artifact.missing"
  std::printf("%s for %s, by %s, of %zu bytes\n", code.symbol().c_str(), code.target().c_str(), code.producer().c_str(),
              code.bytes().size());

  const artifact<mine::image> linked = link(code);
  const std::string file = std::filesystem::temp_directory_path() / "tenon_my_artifact.img";
  linked.save(file);  // complete, or not there
  std::printf("the image has %d bytes\n", static_cast<int>(std::filesystem::file_size(file)));
  std::filesystem::remove(file);
  try {
    (void)artifact_of<mine::image>(done);
  } catch (const error& e) { std::printf("%s; %s\n", e.message().c_str(), e.hint().c_str()); }
  std::printf("%s", print(done).c_str());  // artifacts are part of the module, and of its text
}

// CHECK: my_kernel for dsp, by emit_microcode, of 11 bytes
// CHECK: the image has 15 bytes
// CHECK: the module has no artifact of format 'image'; it has microcode 'my_kernel'
// CHECK: artifact my_kernel : microcode target("dsp")
