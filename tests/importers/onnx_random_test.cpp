/// @file onnx_random_test: random numbers, optimizers, MaxRoiPool and quantized operators of com.microsoft, by hand.
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
using tn::dtype;
using tn::tensor;
using tn::u8;

namespace {

std::vector<tensor> run(const std::string& op, const std::vector<tensor>& inputs, std::vector<std::string> attributes,
                        size_t outputs = 1, const std::string& domain = {}) {
  return run_node(domain, 1, op, inputs, std::move(attributes), outputs);
}

tensor f(std::vector<i64> shape, const std::vector<float>& v) { return tensor::from<float>(shape, v); }
tensor one(float v) { return f({1}, {v}); }
tensor byte(int v) { return tensor::from<u8>({1}, {static_cast<u8>(v)}); }

void is(const tensor& got, const std::vector<double>& want) {
  REQUIRE(got.size() == static_cast<i64>(want.size()));
  for (i64 k = 0; k < got.size(); ++k)
    CHECK(got.at_f64(k) == doctest::Approx(want[static_cast<size_t>(k)]).epsilon(1e-5));
}

double mean(const tensor& t) {
  double s = 0;
  for (i64 i = 0; i < t.size(); ++i) s += t.at_f64(i);
  return s / static_cast<double>(t.size());
}

}  // namespace

TEST_CASE("random numbers have the distribution, and the seed, that they should have") {
  const std::string shape = attribute("shape", {4, 50, 50}), seed = attribute("seed", 7.f);
  const tensor n = run("RandomNormal", {}, {shape, seed, attribute("mean", 3.f), attribute("scale", 2.f)})[0];
  CHECK(n.shape() == std::vector<i64>{4, 50, 50});
  CHECK(mean(n) == doctest::Approx(3).epsilon(0.03));
  double squares = 0;
  for (i64 i = 0; i < n.size(); ++i) squares += (n.at_f64(i) - 3) * (n.at_f64(i) - 3);
  CHECK(squares / static_cast<double>(n.size()) == doctest::Approx(4).epsilon(0.05));
  CHECK(same_bits(n, run("RandomNormal", {}, {shape, seed, attribute("mean", 3.f), attribute("scale", 2.f)})[0]));

  const std::string eight = attribute("seed", 8.f);
  const tensor u = run("RandomUniform", {}, {shape, attribute("low", -1.f), attribute("high", 3.f), eight})[0];
  i64 quarter = 0;
  for (i64 i = 0; i < u.size(); ++i) {
    REQUIRE((u.at_f64(i) > -1 && u.at_f64(i) < 3));
    quarter += u.at_f64(i) < 0;
  }
  CHECK(static_cast<double>(quarter) / static_cast<double>(u.size()) == doctest::Approx(0.25).epsilon(0.06));
  const tensor other = run("RandomUniform", {}, {shape, attribute("low", -1.f), attribute("high", 3.f), seed})[0];
  CHECK_FALSE(same_bits(u, other));

  tensor p(dtype::f32, {100, 100});
  for (i64 i = 0; i < p.size(); ++i) p.set_f64(i, i % 2 == 0 ? 0 : 0.3);
  const tensor b = run("Bernoulli", {p}, {attribute("dtype", i64{9}), seed})[0];
  CHECK(b.type() == dtype::boolean);
  CHECK(mean(b) == doctest::Approx(0.15).epsilon(0.1));
  const tensor like = run("RandomUniformLike", {p}, {seed})[0];
  CHECK(like.shape() == p.shape());
  const tensor classes = run("Multinomial", {f({1, 3}, {std::log(.2f), std::log(.5f), std::log(.3f)})},
                             {attribute("sample_size", i64{9000}), seed})[0];
  CHECK(classes.type() == dtype::i32);
  CHECK(mean(classes) == doctest::Approx(1.1).epsilon(0.03));
}

TEST_CASE("without a seed every run draws other numbers, unless the importer is told") {
  model m;
  m.outputs = {value("y", {100})};
  m.nodes = {node("RandomNormal", {}, {"y"}, {attribute("shape", {100})})};
  const auto module = onnx::import_model(decoded(m), {});
  CHECK_FALSE(same_bits(tn::interpret(module.body(), "main", {})[0], tn::interpret(module.body(), "main", {})[0]));
  onnx::import_options told;
  told.random_seed = 5;
  const tensor fixed = tn::interpret(onnx::import_model(decoded(m), told).body(), "main", {})[0];
  CHECK(same_bits(fixed, tn::interpret(onnx::import_model(decoded(m), told).body(), "main", {})[0]));
  told.random_seed = 6;
  CHECK_FALSE(same_bits(fixed, tn::interpret(onnx::import_model(decoded(m), told).body(), "main", {})[0]));
#if TENON_HAS_LLVM
  tn::targets::register_cpu_target();
  tn::session s(decoded(m), tn::session_options{.target = "cpu"});
  const tensor first = s.run({})[0], second = s.run({})[0];
  CHECK(first.shape() == std::vector<i64>{100});
  CHECK_FALSE(same_bits(first, second));
  CHECK(std::fabs(mean(first)) < 0.5);
  onnx::import_options five;
  five.random_seed = 5;
  tn::session same(onnx::source_of(decoded(m), five), tn::session_options{.target = "cpu"});
  is(same.run({})[0], [&] {
    std::vector<double> want;
    for (i64 i = 0; i < fixed.size(); ++i) want.push_back(fixed.at_f64(i));
    return want;
  }());
#endif
}

TEST_CASE("one step of Adagrad, Adam and Momentum") {
  const std::string domain = "ai.onnx.preview.training";
  const tensor rate = one(0.1f), x = one(1), g = one(2);
  const auto steps = [](i64 n) { return tensor::from<i64>({1}, {n}); };
  auto y = run("Adagrad", {rate, steps(4), x, g, one(3)}, {attribute("decay_factor", 0.25f), attribute("epsilon", 1.f)},
               2, domain);
  is(y[0], {1 - 0.05 * 2 / (std::sqrt(7.) + 1)}), is(y[1], {7});
  y = run("Adam", {rate, steps(0), x, g, one(0), one(0)}, {attribute("epsilon", 0.f)}, 3, domain);
  is(y[0], {1 - 0.1 * 0.2 / std::sqrt(0.004)}), is(y[1], {0.2}), is(y[2], {0.004});
  y = run("Adam", {rate, steps(2), x, g, one(1), one(4)},
          {attribute("epsilon", 0.f), attribute("alpha", 0.5f), attribute("beta", 0.5f)}, 3, domain);
  is(y[0], {1 - 0.1 * std::sqrt(0.75) / 0.75 * 1.5 / 2}), is(y[1], {1.5}), is(y[2], {4});
  y = run("Momentum", {rate, steps(3), x, g, one(1)},
          {attribute("alpha", 0.9f), attribute("beta", 0.5f), attribute("norm_coefficient", 0.5f),
           attribute("mode", std::string("nesterov"))},
          2, domain);
  is(y[0], {1 - 0.1 * (2.5 + 0.9 * 2.15)}), is(y[1], {2.15});
}

TEST_CASE("MaxRoiPool") {
  tensor x(dtype::f32, {2, 1, 4, 4});
  for (i64 i = 0; i < x.size(); ++i) x.set_i64(i, i);
  const std::string bins = attribute("pooled_shape", {2, 2});
  is(run("MaxRoiPool", {x, f({2, 5}, {0, 0, 0, 3, 3, 1, 1, 1, 2, 2})}, {bins})[0], {5, 7, 13, 15, 21, 22, 25, 26});
  is(run("MaxRoiPool", {x, f({1, 5}, {0, 0, 0, 6, 6})}, {bins, attribute("spatial_scale", 0.5f)})[0], {5, 7, 13, 15});
}

TEST_CASE("quantized operators of com.microsoft") {
  const std::string ms = "com.microsoft";
  const auto bytes = [](std::vector<i64> shape, const std::vector<u8>& v) { return tensor::from<u8>(shape, v); };
  is(run("QLinearSoftmax", {bytes({1, 2}, {10, 12}), one(0.5f), byte(10), one(1.f / 256), byte(0)},
         {attribute("opset", i64{13})}, 1, ms)[0],
     {69, 187});
  is(run("QLinearAveragePool", {bytes({1, 1, 2, 2}, {1, 3, 5, 7}), one(1), byte(0), one(0.5f), byte(3)},
         {attribute("kernel_shape", {2, 2})}, 1, ms)[0],
     {11});
  is(run("QLinearReduceMean", {bytes({2, 2}, {1, 3, 5, 9}), one(2), byte(1), one(1), byte(0)},
         {attribute("axes", {1}), attribute("keepdims", i64{0})}, 1, ms)[0],
     {2, 12});
  is(run("QLinearWhere",
         {tensor::from<bool>({2}, {true, false}), bytes({2}, {10, 20}), one(1), byte(0), bytes({2}, {30, 40}),
          one(0.5f), byte(10), one(1), byte(1)},
         {}, 1, ms)[0],
     {11, 16});
  const std::vector<tensor> operands{bytes({1, 2}, {3, 5}),
                                     one(0.5f),
                                     byte(1),
                                     bytes({2, 2}, {1, 2, 3, 4}),
                                     one(2),
                                     byte(0),
                                     tensor::from<tn::i32>({2}, {10, 20})};
  is(run("QGemm", operands, {}, 1, ms)[0], {24, 40});
  auto rescaled = operands;
  rescaled.push_back(one(4)), rescaled.push_back(byte(100));
  is(run("QGemm", rescaled, {}, 1, ms)[0], {106, 110});
}
