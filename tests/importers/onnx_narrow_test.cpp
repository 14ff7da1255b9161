/// @file onnx_narrow_test: Cast, QuantizeLinear and DequantizeLinear with narrow element types, on both targets.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/compare.hpp>
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

/// Runs a model on the interpreter and, where there is code generation, checks that cpu gives the same elements.
std::vector<tensor> run(model m, const std::vector<tensor>& inputs) {
  const std::string text = m.text();
  const auto module = onnx::import_model(onnx::decode_model(text, nullptr, "test.onnx"), {});
  const std::vector<tensor> want = tn::interpret(module.body(), "main", inputs);
#if TENON_HAS_LLVM
  tn::targets::register_cpu_target();
  tn::session s(onnx::decode_model(text, nullptr, "test.onnx"), tn::session_options{.target = "cpu"});
  const std::vector<tensor> got = s.run(inputs);
  REQUIRE(got.size() == want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const auto c = tn::compare(got[i], want[i], {.abs = 0, .rel = 1e-6});
    CHECK_MESSAGE(c.ok, m.outputs.size() << " outputs, number " << i << ": " << c.message);
  }
#endif
  return want;
}

std::string typed(const char* name, const tensor& t) { return value(name, t.shape(), onnx::to_elem_type(t.type())); }

/// One node on inputs a, b, c.
tensor one(const std::string& op, const std::vector<tensor>& inputs, std::vector<std::string> attributes,
           int opset = 25) {
  model m;
  m.opset = opset;
  std::vector<std::string> names;
  for (size_t k = 0; k < inputs.size(); ++k) {
    names.push_back(std::string(1, static_cast<char>('a' + k)));
    m.inputs.push_back(typed(names[k].c_str(), inputs[k]));
  }
  m.nodes = {node(op, names, {"y"}, attributes)};
  m.outputs = {open_value("y")};
  return run(m, inputs)[0];
}

std::string to(dtype t) { return attribute("to", static_cast<i64>(onnx::to_elem_type(t))); }

void is(const tensor& got, dtype type, const std::vector<double>& want) {
  CHECK(got.type() == type);
  REQUIRE(got.size() == static_cast<i64>(want.size()));
  for (i64 k = 0; k < got.size(); ++k) {
    const double w = want[static_cast<size_t>(k)], g = got.at_f64(k);
    CHECK_MESSAGE((g == w || (std::isnan(g) && std::isnan(w))), k << ": got " << g << ", want " << w);
  }
}

const double not_a_number = std::nan(""), infinity = std::numeric_limits<double>::infinity();

tensor f32(std::vector<double> v) {
  tensor t(dtype::f32, {static_cast<i64>(v.size())});
  for (size_t i = 0; i < v.size(); ++i) t.set_f64(static_cast<i64>(i), v[i]);
  return t;
}

}  // namespace

TEST_CASE("Cast from every type to every type is the same on cpu and on the interpreter") {
  const double values[] = {0, 1, -1, 2.5, 3, 0.7, -0.3, 6, 7.9, 15, -8, 100, 448, -57344, 0.001953125, 1e-5};
  for (int i = 0; i < tn::dtype_count; ++i) {
    const dtype from = static_cast<dtype>(i);
    if (from == dtype::index || from == dtype::string) continue;
    CAPTURE(name_of(from));
    tensor x(from, {19});
    for (i64 k = 0; k < 16; ++k) x.set_f64(k, tn::is_unsigned_int(from) ? std::fabs(values[k]) : values[k]);
    if (tn::is_float(from)) x.set_f64(16, not_a_number), x.set_f64(17, infinity), x.set_f64(18, -infinity);
    model m{.inputs = {typed("x", x)}, .opset = 25};
    for (int j = 0; j < tn::dtype_count; ++j) {
      const dtype target = static_cast<dtype>(j);
      if (target == dtype::index || target == dtype::string) continue;
      const std::string y = "y" + std::to_string(j);
      m.nodes.push_back(node("Cast", {"x"}, {y}, {to(target)}));
      m.nodes.push_back(node("Cast", {"x"}, {y + "n"}, {to(target), attribute("saturate", i64{0})}));
      m.outputs.push_back(open_value(y)), m.outputs.push_back(open_value(y + "n"));
    }
    run(m, {x});
  }
}

TEST_CASE("Cast saturates unless told otherwise, and f8e8m0 rounds as told") {
  const tensor x = f32({1000, -1e9, infinity, not_a_number, -0.001});
  is(one("Cast", {x}, {to(dtype::f8e4m3fn)}), dtype::f8e4m3fn, {448, -448, 448, not_a_number, -0.001953125});
  is(one("Cast", {x}, {to(dtype::f8e4m3fn), attribute("saturate", i64{0})}), dtype::f8e4m3fn,
     {not_a_number, not_a_number, not_a_number, not_a_number, -0.001953125});
  is(one("Cast", {x}, {to(dtype::f8e5m2), attribute("saturate", i64{0})}), dtype::f8e5m2,
     {1024, -infinity, infinity, not_a_number, -0.0009765625});
  is(one("Cast", {x}, {to(dtype::f4e2m1)}), dtype::f4e2m1, {6, -6, 6, 6, 0});
  const tensor p = f32({1, 1.1, 1.5, 3, 0x1p-127, 0x1.8p127, infinity, not_a_number});
  const auto mode = [](const char* name) { return attribute("round_mode", std::string(name)); };
  is(one("Cast", {p}, {to(dtype::f8e8m0)}), dtype::f8e8m0, {1, 2, 2, 4, 0x1p-127, 0x1p127, 0x1p127, not_a_number});
  is(one("Cast", {p}, {to(dtype::f8e8m0), mode("nearest")}), dtype::f8e8m0,
     {1, 1, 2, 4, 0x1p-127, 0x1p127, 0x1p127, not_a_number});
  is(one("Cast", {p}, {to(dtype::f8e8m0), mode("down")}), dtype::f8e8m0,
     {1, 1, 1, 2, 0x1p-127, 0x1p127, 0x1p127, not_a_number});
  is(one("Cast", {p}, {to(dtype::f8e8m0), mode("nearest"), attribute("saturate", i64{0})}), dtype::f8e8m0,
     {1, 1, 2, 4, 0x1p-127, not_a_number, not_a_number, not_a_number});
  CHECK_THROWS_AS(one("Cast", {p}, {to(dtype::f8e8m0), mode("sideways")}), tn::error);
}

TEST_CASE("QuantizeLinear and DequantizeLinear: narrow types, per tensor, per axis, in blocks") {
  const tensor x = f32({0, 1, 2.5, -3, 100, -100}).reshaped({2, 3});
  const auto zero = [](dtype t, double v) {
    tensor z(t, {1});
    z.set_f64(0, v);
    return z;
  };
  const tensor scale = tensor::from<float>({1}, {0.5f});
  is(one("QuantizeLinear", {x, scale, zero(dtype::i4, 1)}, {}), dtype::i4, {1, 3, 6, -5, 7, -8});
  is(one("QuantizeLinear", {x, scale, zero(dtype::u4, 3)}, {}), dtype::u4, {3, 5, 8, 0, 15, 0});
  is(one("QuantizeLinear", {x, scale, zero(dtype::u2, 1)}, {}), dtype::u2, {1, 3, 3, 0, 3, 0});
  is(one("QuantizeLinear", {x, scale, zero(dtype::i2, 0)}, {}), dtype::i2, {0, 1, 1, -2, 1, -2});
  is(one("QuantizeLinear", {x, scale, zero(dtype::f8e4m3fn, 0)}, {}), dtype::f8e4m3fn, {0, 2, 5, -6, 192, -192});
  is(one("QuantizeLinear", {x, scale, zero(dtype::f4e2m1, 0)}, {}), dtype::f4e2m1, {0, 2, 4, -6, 6, -6});
  const tensor y = one("QuantizeLinear", {x, tensor::from<float>({2}, {0.5f, 50.f})},
                       {attribute("axis", i64{0}), attribute("output_dtype", static_cast<i64>(elem_type::int4))});
  is(y, dtype::i4, {0, 2, 5, 0, 2, -2});

  is(one("DequantizeLinear", {y, tensor::from<float>({2}, {0.5f, 50.f})}, {attribute("axis", i64{0})}), dtype::f32,
     {0, 1, 2.5, 0, 100, -100});
  // Blocks of two along the last dimension, the last one cut off; scales are powers of two.
  tensor powers(dtype::f8e8m0, {2, 2});
  for (i64 k = 0; k < 4; ++k) powers.set_f64(k, std::ldexp(1, static_cast<int>(k)));
  is(one("DequantizeLinear", {y, powers}, {attribute("axis", i64{1}), attribute("block_size", i64{2})}), dtype::f32,
     {0, 2, 10, 0, 8, -16});
  is(one("DequantizeLinear", {y, scale, zero(dtype::i4, -1)},
         {attribute("output_dtype", static_cast<i64>(elem_type::float16))}),
     dtype::f16, {0.5, 1.5, 3, 0.5, 1.5, -0.5});
  // The quotient is rounded to the type of the division before it is rounded to an integer: 2049 is no f16.
  const tensor large = f32({2049.5});
  const tensor unit = tensor::from<float>({1}, {1.f});
  is(one("QuantizeLinear", {large, unit, zero(dtype::u16, 0)}, {}), dtype::u16, {2050});
  is(one("QuantizeLinear", {large, unit, zero(dtype::u16, 0)},
         {attribute("precision", static_cast<i64>(elem_type::float16))}),
     dtype::u16, {2050});
  is(one("QuantizeLinear", {f32({2049.f}), unit, zero(dtype::u16, 0)},
         {attribute("precision", static_cast<i64>(elem_type::float16))}),
     dtype::u16, {2048});
}

TEST_CASE("What has several steps is computed in f32 where floats are narrow, and rounded once") {
  struct layer {
    std::string op;
    std::vector<std::string> attributes = {};
    std::string domain = {};
    std::vector<tensor> others = {};  ///< inputs behind the first
    double scale = 1;                 ///< of the first one's elements, -8 to 8
  };
  const auto list = [](float from, float step) {
    return tensor::from<float>({4}, std::vector<float>{from, from + step, from + 2 * step, from - step});
  };
  const tensor scale = list(1.3f, -.7f), bias = list(-1.1f, .45f), mean = list(.2f, .9f), variance = list(2, .6f);
  const std::vector<layer> layers{
      {"Gelu"},
      {"Gelu", {attribute("approximate", std::string("tanh"))}},
      {"Elu", {attribute("alpha", 2.3f)}},
      {"Selu"},
      {"Celu", {attribute("alpha", .3f)}},
      {"Softplus"},
      {"Softsign"},
      {"Mish"},
      {"HardSigmoid"},
      {"HardSwish"},
      {"Swish", {attribute("alpha", 1.3f)}},
      {"QuickGelu", {}, "com.microsoft"},
      {"FastGelu", {}, "com.microsoft"},
      {"LayerNormalization", {}, {}, {scale, bias}},
      {"RMSNormalization", {}, {}, {scale}},
      {"LpNormalization", {attribute("axis", i64{1})}, {}, {}, 200},  // squares above 65504
      {"MeanVarianceNormalization", {attribute("axes", {0, 2})}, {}, {}, 200},
  };
  const auto outputs = [&](const layer& l, const std::vector<tensor>& inputs, bool on_cpu) {
    model m;
    m.opset = 25;
    if (!l.domain.empty()) m.domains = {{l.domain, 1}};
    std::vector<std::string> names;
    for (size_t k = 0; k < inputs.size(); ++k) {
      names.push_back(std::string(1, static_cast<char>('a' + k)));
      m.inputs.push_back(typed(names[k].c_str(), inputs[k]));
    }
    m.nodes = {node(l.op, names, {"y"}, l.attributes, {}, l.domain)};
    m.outputs = {open_value("y")};
    if (!on_cpu)
      return tn::interpret(onnx::import_model(onnx::decode_model(m.text(), nullptr, "test.onnx"), {}).body(), "main",
                           inputs)[0];
    tn::session s(onnx::decode_model(m.text(), nullptr, "test.onnx"), tn::session_options{.target = "cpu"});
    return s.run(inputs)[0];
  };
  for (const dtype narrow : {dtype::f16, dtype::bf16})
    for (const layer& l : layers) {
      CAPTURE(l.op);
      tensor x(dtype::f32, {6, 7, 4});
      for (i64 k = 0; k < x.size(); ++k) x.set_f64(k, ((k * 37 % 168) - 83.5) * l.scale / 10.5);
      std::vector<tensor> given{x.cast(narrow)}, wide{given[0].cast(dtype::f32)};
      for (const tensor& t : l.others) given.push_back(t.cast(narrow)), wide.push_back(given.back().cast(dtype::f32));
      const tensor want = outputs(l, wide, false).cast(narrow);
      CHECK(tn::same_bits(outputs(l, given, false), want));
#if TENON_HAS_LLVM
      tn::targets::register_cpu_target();  // whose tanh and exp are others: the last bit may be
      const auto c =
          tn::compare(outputs(l, given, true), want, {.abs = 1e-6, .rel = narrow == dtype::f16 ? 1e-3 : 8e-3});
      CHECK_MESSAGE(c.ok, c.message);
#endif
    }
  // So is a batch normalization, whose channels are the second dimension.
  tensor x(dtype::f16, {1, 4, 5});
  for (i64 k = 0; k < x.size(); ++k) x.set_f64(k, static_cast<double>(k) / 7 - 1.5);
  const std::vector<tensor> lists{scale.cast(dtype::f16), bias.cast(dtype::f16), mean.cast(dtype::f16),
                                  variance.cast(dtype::f16)};
  std::vector<tensor> given{x}, wide{x.cast(dtype::f32)};
  for (const tensor& t : lists) given.push_back(t), wide.push_back(t.cast(dtype::f32));
  const layer norm{"BatchNormalization"};
  CHECK(tn::same_bits(outputs(norm, given, false), outputs(norm, wide, false).cast(dtype::f16)));
}
