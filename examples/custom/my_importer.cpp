// Write your own importer: from a format of your own to a module, and a source that sessions open as they open ONNX
// models.
#include <cstdio>
#include <sstream>

#include <tenon/compile/session.hpp>
#include <tenon/definitions.hpp>       // once in a program
#include <tenon/definitions/onnx.hpp>  // has those of sessions, too
#include <tenon/importers/graph.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;

/// A network as a text: `input N 3`, then a line a layer: `scale 2`, `relu`, `softmax`.
struct layer_list {
  std::string text;
};

/// The module for a number of rows, or for any.
ir_module<phases::ingestion> import_layers(const layer_list& model, i64 rows = -1) {
  nn::graph g("layers");
  std::optional<nn::variable> x;
  std::istringstream lines(model.text);
  std::string line;
  for (int at = 1; std::getline(lines, line); ++at) {
    std::istringstream words(line);
    std::string layer, batch;
    words >> layer;
    double number = 0;
    if (layer == "input" && words >> batch >> number)
      x = g.input<float>("x", {rows < 0 ? nn::extent(batch) : nn::extent(rows), static_cast<i64>(number)});
    else if (!x) throw error("layers.input", "a network begins with 'input NAME NUMBER'", "line " + std::to_string(at));
    else if (layer == "scale" && words >> number) x = *x * number;
    else if (layer == "relu") x = relu(*x);
    else if (layer == "softmax") x = softmax(*x);
    else
      throw error("layers.unknown", "there is no layer '" + line + "'", "line " + std::to_string(at),
                  "scale, relu, softmax");
  }
  if (!x) throw error("layers.input", "the network is empty");
  g.output("y", *x);
  return std::move(g).finish();  // in phase ingestion: any target takes it
}

/// What sessions ask: the signature, and a module for what they know of the inputs.
class layer_source : public module_source {
 public:
  explicit layer_source(layer_list model) : model_(std::move(model)), open_(import_layers(model_)) {}
  const ir::module& signature() const override { return open_.body(); }
  sourced_module make(const known_inputs& known) const override {
    const auto shape = known.shapes.find("x");
    sourced_module made;
    made.module = import_layers(model_, shape == known.shapes.end() ? -1 : shape->second[0]);
    return made;
  }

 private:
  layer_list model_;
  ir_module<phases::ingestion> open_;
};
/// Found by argument-dependent lookup: this line is the registration.
std::unique_ptr<module_source> source_of(layer_list model) { return std::make_unique<layer_source>(std::move(model)); }
}  // namespace mine

int main() {
  using namespace tenon;
  session s(mine::layer_list{"input rows 3\nscale 0\nsoftmax\n"}, {.target = "interpreter"});
  for (i64 rows : {1, 2}) {
    const tensor y = s.run(std::vector{tensor(dtype::f32, {rows, 3})})[0];
    std::printf("%s: %.3f\n", y.describe().c_str(), y.at_f64(0));
  }
  try {
    (void)mine::import_layers({"input rows 3\nrelo\n"});
  } catch (const error& e) { std::printf("%s\n", e.what()); }
}

// CHECK: f32[1,3]: 0.333
// CHECK: f32[2,3]: 0.333
// CHECK: line 2: there is no layer 'relo'; scale, relu, softmax [layers.unknown]
