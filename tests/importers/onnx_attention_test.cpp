/// @file onnx_attention_test: masks of ONNX Attention that are for fewer keys than there are. The numbers are those of
/// ONNX Runtime 1.30 with the mask filled up by hand, which it takes no shorter one for.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/importers/onnx.hpp>
#include <tenon/interpret/interpreter.hpp>

#include "on_cpu.hpp"
#include "onnx_builder.hpp"

namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using namespace onnx_builder;
using tn::tensor;

namespace {

const tensor q = tensor::from<float>({1, 1, 2, 2}, {1.625f, -.625f, -.5f, -1.125f});
const tensor k = tensor::from<float>({1, 1, 3, 2}, {-.375f, 0, -2.125f, 1.625f, -1.75f, -.875f});
const tensor v = tensor::from<float>({1, 1, 3, 2}, {1.75f, .375f, .125f, -1.875f, -.25f, -.375f});

/// Which extents the model says.
enum class said { all, keys, mask };

std::vector<tensor> run(const tensor& mask, said what, bool compiled = true) {
  const i64 keys = what == said::mask ? -1 : 3, width = what == said::keys ? -1 : mask.shape()[1];
  const model m{.nodes = {node("Attention", {"q", "k", "v", "m"}, {"y"})},
                .inputs = {value("q", {1, 1, 2, 2}), value("k", {1, 1, keys, 2}), value("v", {1, 1, keys, 2}),
                           value("m", {2, width}, onnx::to_elem_type(mask.type()))},
                .outputs = {open_value("y")},
                .opset = 24};
  const std::string bytes = m.text();
  const std::vector<tensor> inputs{q, k, v, mask};
  const auto module = onnx::import_model(onnx::decode_model(bytes, nullptr, "test.onnx"), {});
  const std::vector<tensor> results = tn::interpret(module.body(), "main", inputs);
  if (compiled) check_on_cpu(bytes, inputs, results);
  return results;
}
void is(const tensor& got, const std::vector<double>& want) {
  REQUIRE(got.shape() == std::vector<i64>{1, 1, 2, 2});
  for (i64 i = 0; i < 4; ++i) CHECK(std::fabs(got.at_f64(i) - want[static_cast<size_t>(i)]) < 1e-5);
}

}  // namespace

TEST_CASE("a mask of fewer keys hides the others, whenever its width is known") {
  for (const said what : {said::all, said::keys, said::mask}) {
    is(run(tensor::from<float>({2, 1}, {0, .5f}), what)[0], {1.75, .375, 1.75, .375});
    is(run(tensor::from<float>({2, 2}, {0, .5f, -1, .75f}), what)[0], {1.5920870, .15635128, .53816664, -1.3029233});
    is(run(tensor::from<float>({2, 3}, {0, .5f, -1, .75f, -.375f, -1.625f}), what)[0],
       {1.4235386, .10773335, 1.1538644, -.033373877});
    is(run(tensor::from<bool>({2, 2}, {true, true, true, true}), what)[0],
       {1.6504130, .23711047, 1.2013830, -.38462350});
  }
}

TEST_CASE("a mask of more keys than there are is an error") {
  for (const said what : {said::all, said::keys, said::mask})
    for (const bool compiled : {false, true})
      CHECK_THROWS_AS(run(tensor(tn::dtype::f32, {2, 4}), what, compiled), tn::error);
}
