/// @file picture: pictures for the examples: read by tenon, cut and scaled to what models take, written as PNG.
#pragma once

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <tenon/runtime/image_file.hpp>

using namespace tenon;

struct box {
  float left, top, right, bottom;
  float width() const { return right - left; }
  float height() const { return bottom - top; }
};

struct picture {
  i64 height, width;
  std::vector<u8> rgb;

  /// PNG, JPEG, BMP and what else tenon::decode_image reads.
  static picture read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw error("io.open", "cannot read '" + path + "'");
    const std::vector<u8> bytes{std::istreambuf_iterator<char>(file), {}};
    const tensor t = decode_image(bytes);
    const auto pixels = t.data<u8>();
    return {t.shape()[0], t.shape()[1], {pixels.begin(), pixels.end()}};
  }

  void write_png(const std::string& path) const {
    png_image image{};
    image.version = PNG_IMAGE_VERSION, image.format = PNG_FORMAT_RGB;
    image.width = static_cast<png_uint_32>(width), image.height = static_cast<png_uint_32>(height);
    if (!png_image_write_to_file(&image, path.c_str(), 0, rgb.data(), 0, nullptr))
      throw error("io.write", "cannot write '" + path + "': " + image.message);
  }

  u8* at(i64 y, i64 x) { return &rgb[static_cast<size_t>((y * width + x) * 3)]; }
  float value(i64 y, i64 x, i64 channel) const {
    y = std::clamp<i64>(y, 0, height - 1), x = std::clamp<i64>(x, 0, width - 1);
    return rgb[static_cast<size_t>((y * width + x) * 3 + channel)];
  }

  /// What lies in a box as pixels of another size, by bilinear interpolation: `put(y, x, channel, value)`. Pixels
  /// outside of the picture are those of its border.
  template <class Put>
  void scale(const box& from, i64 to_height, i64 to_width, Put put) const {
    for (i64 y = 0; y < to_height; ++y)
      for (i64 x = 0; x < to_width; ++x) {
        const float v =
            from.top + (static_cast<float>(y) + 0.5f) * from.height() / static_cast<float>(to_height) - 0.5f;
        const float u = from.left + (static_cast<float>(x) + 0.5f) * from.width() / static_cast<float>(to_width) - 0.5f;
        const float fy = std::floor(v), fx = std::floor(u);
        const i64 iy = static_cast<i64>(fy), ix = static_cast<i64>(fx);
        for (i64 c = 0; c < 3; ++c) {
          const float above = std::lerp(value(iy, ix, c), value(iy, ix + 1, c), u - fx);
          const float below = std::lerp(value(iy + 1, ix, c), value(iy + 1, ix + 1, c), u - fx);
          put(y, x, c, std::lerp(above, below, v - fy));
        }
      }
  }

  /// A frame of three pixels.
  void frame(const box& b, std::array<u8, 3> colour) {
    const i64 left = static_cast<i64>(b.left), right = static_cast<i64>(b.right);
    const i64 top = static_cast<i64>(b.top), bottom = static_cast<i64>(b.bottom);
    for (i64 y = std::max<i64>(top - 1, 0); y <= std::min(bottom + 1, height - 1); ++y)
      for (i64 x = std::max<i64>(left - 1, 0); x <= std::min(right + 1, width - 1); ++x)
        if (y <= top + 1 || y >= bottom - 1 || x <= left + 1 || x >= right - 1)
          std::copy(colour.begin(), colour.end(), at(y, x));
  }
};
