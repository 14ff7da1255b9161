/// @file source.eval.ipp: evaluations of ops/graph/source.hpp.
#pragma once

#include <atomic>
#include <chrono>
#include <utility>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/source.hpp>
#include <tenon/runtime/image_file.hpp>

namespace tenon::op {

void evaluate(const decode_image& op, eval_context& cx) {
  const i64 channels = op.pixels == pixel_format::grayscale ? 1 : 3;
  tensor image;
  try {
    image = tenon::decode_image(cx.operand(0).data<u8>());
  } catch (const malformed_image&) { return cx.result(tensor(dtype::u8, {0, 0, channels})); }
  if (op.pixels == pixel_format::rgb) return cx.result(std::move(image));
  const std::span<u8> from = image.data<u8>();
  if (op.pixels == pixel_format::bgr) {
    for (size_t p = 0; p < from.size(); p += 3) std::swap(from[p], from[p + 2]);
    return cx.result(std::move(image));
  }
  tensor gray(dtype::u8, {image.shape()[0], image.shape()[1], 1});
  const std::span<u8> to = gray.data<u8>();
  for (size_t p = 0; p < to.size(); ++p)  // in units of 2^-16
    to[p] =
        static_cast<u8>((from[3 * p] * 19595u + from[3 * p + 1] * 38470u + from[3 * p + 2] * 7471u + 0x8000u) >> 16);
  cx.result(std::move(gray));
}

/// A count that starts where the clock says, mixed as splitmix64 does (Steele, Lea, Flood: "Fast splittable
/// pseudorandom number generators", 2014).
void evaluate(const draw_seed&, eval_context& cx) {
  static std::atomic<u64> count{static_cast<u64>(std::chrono::system_clock::now().time_since_epoch().count())};
  u64 x = count.fetch_add(1, std::memory_order_relaxed) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  tensor seed(dtype::u32, {});
  seed.data<u32>()[0] = static_cast<u32>(x ^ x >> 31);
  cx.result(std::move(seed));
}

}  // namespace tenon::op
