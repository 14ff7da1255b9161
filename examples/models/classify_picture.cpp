// classify_picture squeezenet1_1.onnx names.txt cat.png: what a picture shows, as five guesses.
//
// A classifier that was trained on ImageNet, such as SqueezeNet (npm: tractjs@0.3.0), says of each of a thousand things
// how likely the picture shows it. Their names, one a line, are in many packages; tests/classify_picture.sh takes some.
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/targets/cpu.hpp>

#include "picture.hpp"

constexpr i64 side = 224;                     // pixels
constexpr float middle_of = 224.0f / 256.0f;  // the part of the shorter side that is looked at, as when it was trained

/// The square in the middle of a picture, red first, from [0, 255] to numbers around 0 as ImageNet's pixels are spread.
tensor input_of(const picture& p) {
  constexpr std::array<float, 3> mean{0.485f, 0.456f, 0.406f}, deviation{0.229f, 0.224f, 0.225f};
  const float width = static_cast<float>(p.width), height = static_cast<float>(p.height);
  const float square = std::min(width, height) * middle_of;
  const float left = (width - square) / 2, top = (height - square) / 2;
  tensor t(dtype::f32, {1, 3, side, side});
  const auto x = t.data<float>();
  p.scale({left, top, left + square, top + square}, side, side, [&](i64 row, i64 column, i64 channel, float value) {
    const auto c = static_cast<size_t>(channel);
    x[static_cast<size_t>((channel * side + row) * side + column)] = (value / 255 - mean[c]) / deviation[c];
  });
  return t;
}

/// Softmax: what a model says of each class, as probabilities.
std::vector<double> probabilities(const tensor& said) {
  std::vector<double> p(static_cast<size_t>(said.size()));
  for (size_t i = 0; i < p.size(); ++i) p[i] = said.at_f64(static_cast<i64>(i));
  const double most = *std::max_element(p.begin(), p.end());
  for (double& v : p) v = std::exp(v - most);
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& v : p) v /= sum;
  return p;
}

int main(int argc, char** argv) try {
  if (argc != 4) return std::puts("usage: classify_picture MODEL.onnx NAMES.txt PICTURE"), 2;
  targets::register_cpu_target();
  session model(importers::onnx::open(argv[1]), {.target = "cpu", .threads = 0});
  std::vector<std::string> names;
  std::ifstream file(argv[2]);
  for (std::string name; std::getline(file, name);) names.push_back(name);

  const std::vector<double> p = probabilities(model.run(std::vector{input_of(picture::read(argv[3]))}).at(0));
  if (names.size() != p.size())
    throw error("names",
                "'" + std::string(argv[2]) + "' has " + std::to_string(names.size()) + " lines, but the model knows " +
                    std::to_string(p.size()) + " things",
                {}, "give a file with the name of a thing on each line, in the model's order");
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const size_t shown = std::min<size_t>(5, order.size());
  const auto likelier = [&](size_t a, size_t b) { return p[a] > p[b]; };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(), likelier);
  for (size_t i = 0; i < shown; ++i) std::printf("%5.1f %%  %s\n", 100 * p[order[i]], names[order[i]].c_str());
} catch (const error& e) { return std::printf("%s\n", e.what()), 1; }
