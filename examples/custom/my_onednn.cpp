// needs: onednn
// Write your own external code generator: parts of a graph are given to a library, here oneDNN, by the same door that
// `targets::xsimd` comes through. The patterns say what it takes, `compile` writes down what to call, `load` calls it.
// How oneDNN is called is in my_onednn/.
#include <cstdio>

#include <tenon/passes/run_external_codegen.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/tenon.hpp>

#include "my_onednn/convolution.hpp"

namespace mine {
using namespace tenon;

constexpr auto plain = [](ir::op_view v) {
  const auto& c = v.as<op::conv>();
  return v.result_type().is_static() && v.result_type().elem == dtype::f32 && v.result_type().rank() == 4 &&
         c.group == 1 && c.layout == op::data_layout::channels_first && c.strides.empty() && c.dilations.empty();
};
constexpr auto is_zero = [](const tensor& t) { return t.size() == 1 && t.at_f64(0) == 0; };
using conv = such_that<pattern<op::conv, capture<"x", any>, capture<"w", any>, capture<"b", any>>, plain,
                       "f32 images, one group, no strides">;
using conv_relu = maybe<pattern<op::maximum, conv, such_that<constant, is_zero>>>;

struct generator {
  using format = onednn_call;
  static std::vector<char> compile(const external_function& part, context&) {
    const ir::module& m = part.module;
    const region_id body = m[part.function].body;
    const op_id last = m[m.operand(m.terminator(body), 0)].definition;
    const auto found = match<conv_relu>(m, last);
    if (!found) part.no_kernel(last, "it is no convolution", "my_onednn");
    onednn_call c{};
    int i = 0;
    for (value_id v : {found->at<"x">(), found->at<"w">(), found->at<"b">()})
      c.arguments[static_cast<size_t>(i++)] =
          std::find(m[body].arguments.begin(), m[body].arguments.end(), v) - m[body].arguments.begin();
    const ir::op_view op = m.view(found->ops.back());
    for (auto [to, from] : {std::pair{&c.x, op.operand_type(0).extents()},
                            {&c.w, op.operand_type(1).extents()},
                            {&c.y, op.result_type().extents()},
                            {&c.pads, op.as<op::conv>().pads}})
      std::copy(from.begin(), from.end(), to->begin());
    c.relu = found->ops.size() > 1;
    const char* bytes = reinterpret_cast<const char*>(&c);
    return {bytes, bytes + sizeof c};
  }
  static std::unique_ptr<external_code> load(std::span<const char> bytes) {
    onednn_call c;
    if (bytes.size() != sizeof c) throw error("onednn.artifact", "the artifact is not one call");
    std::memcpy(&c, bytes.data(), sizeof c);
    return std::make_unique<convolution>(c);
  }
};

struct my_onednn {
  static constexpr fixed_string name = "my_onednn";
  using patterns = pattern_list<named<"conv_relu", conv_relu>>;
  using external_code_generator = generator;
};
}  // namespace mine

int main() {
  using namespace tenon;
  auto m = parse<phases::optimization>(R"(tenon.module phase=optimization
constant #0 : tensor<f32> = [0]
func entry @main(%0: tensor<1x3x12x12xf32>, %1: tensor<8x3x3x3xf32>, %2: tensor<8xf32>, %3: tensor<4x8x1x1xf32>, %4: tensor<4xf32>) -> (tensor<1x4x6x6xf32>) {
  %5 = conv(%0, %1, %2) {pads = [1, 1, 1, 1]} : tensor<1x8x12x12xf32>
  %6 = constant() {value = #0} : tensor<f32>
  %7 = maximum(%5, %6) : tensor<1x8x12x12xf32>
  %8 = max_pool(%7) {kernel = [2, 2], strides = [2, 2]} : tensor<1x8x6x6xf32>
  %9 = conv(%8, %3, %4) : tensor<1x4x6x6xf32>
  return(%9)
}
)");
  std::vector<tensor> inputs;
  for (value_id v : m.body()[m.body()[m.body().find_function("main")].body].arguments) {
    tensor& t = inputs.emplace_back(dtype::f32, m.body().type_of(v).extents());
    for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i * 37 % 23 - 11) / 8);
  }
  const std::vector<tensor> expected = interpret(m.body(), "main", inputs);

  context cx;
  passes::partition_for<mine::my_onednn> partition;
  partition.merge = false, partition.inner_bytes = 4;  // one call a part, and weights as arguments
  auto done = run<passes::run_external_codegen<mine::my_onednn>>(run(partition, std::move(m), cx), cx);
  std::printf("%s", cx.find<partition_report>()->text().c_str());
  const external_program program(std::move(std::move(done).edit().body()), external_formats<mine::my_onednn>());
  std::printf("as the interpreter: %s\n", compare(program.run(inputs)[0], expected[0]).ok ? "yes" : "no");
}

// CHECK: my_onednn_0 for my_onednn: 2 ops (conv_relu)
// CHECK: my_onednn_1 for my_onednn: 1 ops (conv_relu)
// CHECK: 'max_pool' is left to the host by my_onednn: no pattern matches it
// CHECK: as the interpreter: yes
