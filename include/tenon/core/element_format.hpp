/// @file element_format: element types of a program's own: floats of at most 8 bits, as data.
///
///     const dtype f6 = register_element_type({"f6e3m2", 3, 2, 3, float_specials::none});
///     tensor t(f6, {2, 3});                                    // tensor<2x3xf6e3m2>, in texts, too
///
/// They are narrow types as f8e4m3fn is one (docs/decisions/042-narrow-types.md): a byte in memory, computed in as f32,
/// rounded to nearest even. What converts narrow floats converts them: the interpreter, `cpu`, `xsimd`. Files name a
/// type and its format, and are read where the same is registered. A process has at most four. Safe to call from many
/// threads. Errors: "element.format", "element.name", "element.count"; "element.unknown" from files.
#pragma once

#include <string>

#include <tenon/core/byte_stream.hpp>
#include <tenon/core/dtype.hpp>

namespace tenon {

/// What the codes with the largest exponent are.
enum class float_specials : u8 {
  none,       ///< numbers: what is too large, and NaN, becomes the largest one
  nan,        ///< numbers, but for the last one, which is NaN, as in f8e4m3fn
  infinities  ///< infinity, and NaN, as in f8e5m2
};

/// A sign, then an exponent, then a mantissa.
struct element_format {
  std::string name;  ///< a lower-case word that begins with f and has no x
  int exponent = 4, mantissa = 3;
  int bias = 7;
  float_specials specials = float_specials::nan;
  friend bool operator==(const element_format&, const element_format&) = default;
};

/// The type of that name; made, if there is none yet.
dtype register_element_type(const element_format& f);

/// Element types in the tables of files.
void write_element_type(byte_writer& out, dtype t);
dtype read_element_type(byte_reader& in);

}  // namespace tenon
