/// @file source: ops whose values come from outside of the graph's numbers: image files, random state. They run on the
/// host.
#pragma once

#include <array>

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>

namespace tenon::op {

enum class pixel_format : u8 { rgb, bgr, grayscale };
inline constexpr std::array<std::string_view, 3> pixel_format_names{"rgb", "bgr", "grayscale"};
constexpr const auto& enumerator_names(pixel_format) { return pixel_format_names; }

/// `decode_image(bytes[n])`: the pixels of an image file, u8[height, width, channels]; u8[0, 0, channels] when the file
/// is broken. A format whose library is missing is an error. Grays are 0.299 red + 0.587 green + 0.114 blue.
struct decode_image {
  static constexpr fixed_string name = "decode_image";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  pixel_format pixels = pixel_format::rgb;
  TENON_ATTRIBUTES(pixels)
};
/// `draw_seed()`: u32 of rank 0, another number each time that it runs.
struct draw_seed {
  static constexpr fixed_string name = "draw_seed";
  static constexpr op_traits traits{.effects = effect_bits::random, .max_operands = 0};
};

void infer(const decode_image&, ir::infer_context&);
void infer(const draw_seed&, ir::infer_context&);

void evaluate(const decode_image&, eval_context&);
void evaluate(const draw_seed&, eval_context&);

}  // namespace tenon::op
