/// @file onnx_resize_test: ONNX Resize of integers, on values computed by ONNX Runtime 1.30.
#include <string>
#include <vector>

#include "microsoft_node.hpp"

using namespace microsoft_node;

namespace {

tensor whole_numbers(std::vector<i64> shape, const std::vector<tn::i32>& v) { return tensor::from<tn::i32>(shape, v); }

/// Of the standard's Resize with scales, a constant or not.
tensor resized(const tensor& x, const std::vector<float>& scales, bool is_constant, const char* mode) {
  model m{.opset = 18};
  const tensor s = f({static_cast<i64>(scales.size())}, scales);
  m.inputs = {value("x", x.shape(), onnx::to_elem_type(x.type()))};
  if (is_constant) m.initializers = {onnx::encode_tensor(s, "s")};
  else m.inputs.push_back(value("s", s.shape()));
  m.outputs = {open_value("y")};
  m.nodes = {
      node("Resize", {"x", "", "s"}, {"y"}, {attribute("mode", std::string(mode)), attribute("antialias", i64{1})})};
  std::vector<tensor> given{x};
  if (!is_constant) given.push_back(s);
  const auto module = onnx::import_model(onnx::decode_model(m.text(), nullptr, "test.onnx"), {});
  const std::vector<tensor> y = tn::interpret(module.body(), "main", given);
  check_on_cpu(m.text(), given, y);
  CHECK(y[0].type() == x.type());
  return y[0];
}

}  // namespace

TEST_CASE("integers under a stretched or cubic filter are rounded and saturate") {
  const tensor x = bytes({1, 1, 2, 4}, {0, 255, 10, 200, 7, 7, 250, 3});
  for (const bool constant : {true, false}) {
    CHECK(is(resized(x, {1, 1, 1, .5f}, constant, "linear"), {97, 136, 37, 96}));
    CHECK(is(resized(x, {1, 1, 1, 2}, constant, "cubic"),
             {0, 66, 223, 220, 54, 27, 148, 220, 7, 0, 0, 71, 221, 220, 68, 0}));
    CHECK(is(resized(whole_numbers({1, 1, 2, 4}, {-3, -4, 10, 201, 7, 8, -250, 3}), {1, 1, 1, .5f}, constant, "linear"),
             {-2, 104, -25, -91}));
    CHECK(is(resized(whole_numbers({1, 1, 1, 4}, {-3, -6, 1, 2}), {1, 1, 1, 2}, constant, "linear"),
             {-3, -4, -5, -4, -1, 1, 2, 2}));
  }
}

TEST_CASE("tf_half_pixel_for_nn moves nothing along an axis that keeps its extent, known or not") {
  const tensor x = f({1, 2, 1, 2}, {1, 2, 3, 4}), want = f({1, 2, 1, 4}, {1.25f, 1.75f, 2, 2, 3.25f, 3.75f, 4, 4});
  for (const i64 channels : {2, -1}) {
    model m{.opset = 11};
    m.inputs = {value("x", {1, channels, 1, 2})};
    m.initializers = {onnx::encode_tensor(f({0}, {}), "none"),
                      onnx::encode_tensor(tensor::from<i64>({4}, {1, 2, 1, 4}), "sizes")};
    m.outputs = {open_value("y")};
    m.nodes = {node("Resize", {"x", "none", "none", "sizes"}, {"y"},
                    {attribute("mode", std::string("linear")),
                     attribute("coordinate_transformation_mode", std::string("tf_half_pixel_for_nn"))})};
    const auto module = onnx::import_model(onnx::decode_model(m.text(), nullptr, "test.onnx"), {});
    CHECK(tn::compare(tn::interpret(module.body(), "main", std::vector{x})[0], want).ok);
    check_on_cpu(m.text(), {x}, {want});
  }
}
