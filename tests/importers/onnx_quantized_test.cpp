/// @file onnx_quantized_test: quantized models with constant weights, on both targets: equal but for one step.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/importers/onnx.hpp>
#include <tenon/interpret/interpreter.hpp>
#if TENON_HAS_LLVM
#  include <tenon/targets/cpu.hpp>
#endif

#include "onnx_builder.hpp"

namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using namespace onnx_builder;
using tn::dtype;
using tn::tensor;

namespace {

tensor random_tensor(dtype t, std::vector<i64> shape, tn::u64 seed, i64 low, i64 high) {
  tensor x(t, std::move(shape));
  for (i64 i = 0; i < x.size(); ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    x.set_i64(i, low + static_cast<i64>((seed >> 33) % static_cast<tn::u64>(high - low + 1)));
  }
  return x;
}

struct quantized {
  model m;
  void constant(const std::string& name, const tensor& t) { m.initializers.push_back(onnx::encode_tensor(t, name)); }
  void number(const std::string& name, float v) { constant(name, tensor::from<float>({1}, {v})); }
  void zero(const std::string& name, dtype t, i64 v) {
    tensor z(t, {1});
    z.set_i64(0, v);
    constant(name, z);
  }
};

/// How many elements differ between cpu and interpreter by more than `step`.
i64 different(const quantized& q, const std::vector<tensor>& inputs, [[maybe_unused]] double step) {
  const std::string text = q.m.text();
  const auto module = onnx::import_model(onnx::decode_model(text, nullptr, "test.onnx"), {});
  const std::vector<tensor> want = tn::interpret(module.body(), "main", inputs);
  i64 bad = 0;
#if TENON_HAS_LLVM
  // The host, which may have vpdpbusd, and a processor without it.
  for (const char* arch : {"", "haswell"}) {
    tn::context cx;
    tn::targets::cpu target;
    target.arch = arch;
    target.configure(cx);
    const tn::program p = tn::load(
        tn::build<tn::targets::cpu>(onnx::import_model(onnx::decode_model(text, nullptr, "test.onnx"), {}), cx));
    const std::vector<tensor> got = p.run(inputs);
    REQUIRE(got.size() == want.size());
    for (size_t k = 0; k < got.size(); ++k) {
      REQUIRE(got[k].describe() == want[k].describe());
      for (i64 i = 0; i < got[k].size(); ++i) bad += std::fabs(got[k].at_f64(i) - want[k].at_f64(i)) > step;
    }
  }
#endif
  double spread = 0;  // all zeros would be no test
  for (i64 i = 0; i < want[0].size(); ++i) spread += want[0].at_f64(i) != want[0].at_f64(0);
  CHECK(spread > 0);
  return bad;
}

std::string typed(const char* name, const tensor& t) { return value(name, t.shape(), onnx::to_elem_type(t.type())); }

}  // namespace

TEST_CASE("QLinearConv with constant weights") {
  for (const dtype tx : {dtype::u8, dtype::i8})
    for (const i64 channels : {3, 16})
      for (const i64 group : {i64{1}, channels}) {
        CAPTURE(name_of(tx));
        CAPTURE(channels);
        CAPTURE(group);
        const tensor x =
            random_tensor(tx, {2, channels, 9, 8}, 1, tx == dtype::u8 ? 0 : -128, tx == dtype::u8 ? 255 : 127);
        const i64 outputs = group == 1 ? 21 : channels;
        quantized q;
        q.m.inputs = {typed("x", x)}, q.m.outputs = {value("y", {2, outputs, 5, 4}, onnx::to_elem_type(tx))};
        q.number("sx", 0.02f), q.zero("zx", tx, tx == dtype::u8 ? 120 : -9);
        q.constant("w", random_tensor(dtype::i8, {outputs, channels / group, 3, 3}, 2, -127, 127));
        q.constant("sw", random_tensor(dtype::i32, {outputs}, 3, 1, 9).cast(dtype::f32));
        q.constant("zw", tensor(dtype::i8, {outputs}));
        q.number("sy", 300.f), q.zero("zy", tx, 5), q.constant("b", random_tensor(dtype::i32, {outputs}, 4, -900, 900));
        q.m.nodes = {node("QLinearConv", {"x", "sx", "zx", "w", "sw", "zw", "sy", "zy", "b"}, {"y"},
                          {attribute("pads", {1, 1, 1, 1}), attribute("strides", {2, 2}), attribute("group", group)})};
        CHECK(different(q, {x}, 0) == 0);
      }
}

TEST_CASE("MatMulInteger and DynamicQuantizeLinear: the zero point is known when the model runs") {
  for (const i64 depth : {7, 64}) {
    const tensor x = random_tensor(dtype::i32, {5, depth}, 1, -50, 90).cast(dtype::f32);
    quantized q;
    q.m.inputs = {typed("x", x)}, q.m.outputs = {value("y", {5, 33}, elem_type::int32)};
    q.constant("w", random_tensor(dtype::i8, {depth, 33}, 2, -128, 127)), q.zero("zw", dtype::i8, 0);
    q.m.nodes = {node("DynamicQuantizeLinear", {"x"}, {"q", "s", "z"}),
                 node("MatMulInteger", {"q", "w", "z", "zw"}, {"y"})};
    CHECK(different(q, {x}, 0) == 0);
  }
}

TEST_CASE("ConvInteger and DynamicQuantizeLinear: padding has a value that is known when the model runs") {
  const tensor x = random_tensor(dtype::i32, {1, 6, 7, 7}, 1, -50, 90).cast(dtype::f32);
  quantized q;
  q.m.inputs = {typed("x", x)}, q.m.outputs = {value("y", {1, 17, 7, 7}, elem_type::int32)};
  q.constant("w", random_tensor(dtype::u8, {17, 6, 3, 3}, 2, 0, 255)), q.zero("zw", dtype::u8, 115);
  q.m.nodes = {node("DynamicQuantizeLinear", {"x"}, {"q", "s", "z"}),
               node("ConvInteger", {"q", "w", "z", "zw"}, {"y"}, {attribute("pads", {1, 1, 1, 1})})};
  CHECK(different(q, {x}, 0) == 0);
}

TEST_CASE("QDQ: quantize, dequantize, convolve, add, relu, multiply, quantize") {
  const tensor x = random_tensor(dtype::i32, {1, 5, 10, 10}, 1, -50, 90).cast(dtype::f32);
  quantized q;
  q.m.inputs = {typed("x", x)}, q.m.outputs = {value("y", {10, 8}, elem_type::uint8)};
  q.number("sx", 0.6f), q.zero("zx", dtype::u8, 90);
  q.constant("w8", random_tensor(dtype::i8, {6, 5, 3, 3}, 2, -127, 127)),
      q.constant("sw", tensor::from<float>({6}, {.1f, .2f, .3f, .1f, .2f, .5f}));
  q.constant("b32", random_tensor(dtype::i32, {6}, 3, -500, 500)), q.number("sb", 0.12f);
  q.number("sh", 40.f), q.zero("zh", dtype::u8, 0);
  q.constant("v8", random_tensor(dtype::u8, {60, 8}, 4, 0, 255)), q.number("sv", 0.05f), q.zero("zv", dtype::u8, 110);
  q.number("sy", 900.f), q.zero("zy", dtype::u8, 110);
  q.constant("flat", tensor::from<i64>({2}, {10, 60}));
  q.m.nodes = {node("QuantizeLinear", {"x", "sx", "zx"}, {"xq"}),
               node("DequantizeLinear", {"xq", "sx", "zx"}, {"xd"}),
               node("DequantizeLinear", {"w8", "sw"}, {"w"}, {attribute("axis", i64{0})}),
               node("DequantizeLinear", {"b32", "sb"}, {"b"}),
               node("Conv", {"xd", "w", "b"}, {"c"}, {attribute("pads", {1, 1, 1, 1})}),
               node("Relu", {"c"}, {"r"}),
               node("QuantizeLinear", {"r", "sh", "zh"}, {"hq"}),
               node("Reshape", {"hq", "flat"}, {"hf"}),
               node("DequantizeLinear", {"hf", "sh", "zh"}, {"h"}),
               node("DequantizeLinear", {"v8", "sv", "zv"}, {"v"}),
               node("MatMul", {"h", "v"}, {"p"}),
               node("QuantizeLinear", {"p", "sy", "zy"}, {"y"})};
  CHECK(different(q, {x}, 1) == 0);
}
