/// @file onnx_experimental_test: operators that were experiments of the first operator sets, and those for which there
/// is only advice. Numbers are those of ONNX Runtime 1.30.
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

tensor run(const std::string& op, const tensor& x, std::vector<std::string> attributes) {
  return run_node("", 7, op, {x}, std::move(attributes))[0];
}
bool is(const tensor& got, const std::vector<double>& want) {
  bool same = got.size() == static_cast<i64>(want.size());
  for (i64 k = 0; same && k < got.size(); ++k) same = std::fabs(got.at_f64(k) - want[static_cast<size_t>(k)]) <= 1e-5;
  if (!same)
    for (i64 k = 0; k < got.size(); ++k) MESSAGE(got.describe() << " [" << k << "] " << got.at_f64(k));
  return same;
}
const tensor some = tensor::from<float>({4}, {.125f, -1.5f, 1.875f, 2.625f});
/// Two channels of four rows and three columns.
const tensor image = tensor::from<float>(
    {1, 2, 4, 3}, {.125f,  -1.5f, -.625f, .125f,  -1.25f, -.625f, -.875f,  .5f,    -.75f, .125f,  -.75f, .5f,
                   -.875f, -1.f,  -.375f, 1.875f, -.25f,  -1.5f,  -1.125f, 2.625f, -.25f, -.125f, .25f,  1.625f});

}  // namespace

TEST_CASE("Affine, ParametricSoftplus and ScaledTanh are formulas of alpha and beta") {
  const std::vector<std::string> both{attribute("alpha", 2.f), attribute("beta", .5f)};
  CHECK(is(run("Affine", some, both), {.75, -2.5, 4.25, 5.75}));
  CHECK(is(run("Affine", some, {}), {.125, -1.5, 1.875, 2.625}));
  CHECK(is(run("ParametricSoftplus", some, both), {1.4497708, 0.77374202, 2.5359163, 3.1016889}));
  CHECK(is(run("ParametricSoftplus", tensor::from<float>({2}, {100, -100}),
               {attribute("alpha", .5f), attribute("beta", 2.f)}),
           {100, 0}));
  CHECK(is(run("ScaledTanh", some, both), {0.12483749, -1.2702979, 1.4681431, 1.7298132}));
  CHECK_THROWS_WITH_AS(run("ScaledTanh", some, {attribute("beta", 1.f)}), doctest::Contains("alpha"), tn::error);
}

TEST_CASE("ImageScaler scales, and shifts each channel") {
  const tensor y = run("ImageScaler", image, {attribute("scale", 2.f), attribute_floats("bias", {.5f, -1.f})});
  CHECK(is(y, {0.75,  -2.5, -0.75, 0.75, -2,   -0.75, -1.25, 1.5,  -1,   0.75,  -1,   1.5,
               -2.75, -3,   -1.75, 2.75, -1.5, -4,    -3.25, 4.25, -1.5, -1.25, -0.5, 2.25}));
  CHECK_THROWS_WITH_AS(run("ImageScaler", image, {attribute_floats("bias", {1.f, 2.f, 3.f})}),
                       doctest::Contains("each channel"), tn::error);
}

TEST_CASE("Crop takes a border off, or what is behind two of them") {
  const auto crop = [](std::initializer_list<i64> border) { return attribute("border", border); };
  tensor y = run("Crop", image, {crop({1, 0, 1, 2})});  // left, top, right, bottom
  CHECK(y.shape() == std::vector<i64>{1, 2, 2, 1});
  CHECK(is(y, {-1.5, -1.25, -1, -.25}));
  y = run("Crop", image, {crop({1, 2, 0, 0}), attribute("scale", {2, 2})});
  CHECK(is(y, {.5, -.75, -.75, .5, 2.625, -.25, .25, 1.625}));
  y = run("Crop", image, {crop({1, 1, 0, 0}), attribute("scale", {2, 1})});
  CHECK(y.shape() == std::vector<i64>{1, 2, 2, 1});
  CHECK(is(y, {-1.25, .5, -.25, 2.625}));
  CHECK(run("Crop", image, {crop({1, 2, 2, 2})}).shape() == std::vector<i64>{1, 2, 0, 0});
  for (const auto& border : {crop({2, 0, 2, 0}), crop({-1, 0, 0, 0}), crop({INT64_MIN, 0, INT64_MAX, 0})})
    CHECK_THROWS_AS(run("Crop", image, {border}), tn::error);
  CHECK_THROWS_WITH_AS(run("Crop", image, {crop({1, 1, 0, 0}), attribute("scale", {9, 1})}),
                       doctest::Contains("too small"), tn::error);
}

TEST_CASE("operators of maps are refused with what to do instead") {
  for (const auto& [op, advice] :
       {std::pair{"ZipMap", "'zipmap': False"}, {"DictVectorizer", "as input"}, {"CastMap", "as input"}}) {
    model m{.nodes = {node(op, {"x"}, {"y"}, {}, {}, "ai.onnx.ml")},
            .inputs = {value("x", {1, 2})},
            .outputs = {open_value("y")},
            .domains = {{"ai.onnx.ml", 3}}};
    try {
      onnx::import_model(decoded(m), {});
      FAIL(op);
    } catch (const tn::error& e) {
      CHECK(e.code() == "onnx.unsupported_op");
      CHECK(std::string(e.what()).find(advice) != std::string::npos);
    }
  }
}
