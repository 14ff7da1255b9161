/// @file element_format_test: element types of a program's own: codes and values, texts, files, what is refused.
#include <tenon/core/element_format.hpp>

#include <cmath>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/runtime/dlpack.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "support/caught.hpp"

using namespace tenon;
using testing::code_of;

namespace {

/// The formats of 6 bits of OCP's microscaling formats, and one with infinities.
const element_format f6e3m2{"f6e3m2", 3, 2, 3, float_specials::none};
const element_format f6e2m3{"f6e2m3", 2, 3, 1, float_specials::none};
const element_format f8e3m4{"f8e3m4", 3, 4, 3, float_specials::infinities};
const element_format f7e4m2{"f7e4m2", 4, 2, 7, float_specials::nan};

/// What a code stands for, by the definition.
double value_of(const element_format& f, int code) {
  const int bits = f.exponent + f.mantissa, magnitude = code & ((1 << bits) - 1), last = (1 << f.exponent) - 1;
  const int e = magnitude >> f.mantissa, m = magnitude & ((1 << f.mantissa) - 1);
  const double sign = code >> bits & 1 ? -1 : 1, nan = std::numeric_limits<double>::quiet_NaN();
  if (f.specials == float_specials::infinities && e == last)
    return m == 0 ? sign * std::numeric_limits<double>::infinity() : nan;
  if (f.specials == float_specials::nan && magnitude == (1 << bits) - 1) return nan;
  return e == 0 ? sign * std::ldexp(m, 1 - f.bias - f.mantissa)
                : sign * std::ldexp(m + (1 << f.mantissa), e - f.bias - f.mantissa);
}

}  // namespace

TEST_CASE("codes are what their format says, and numbers go to the nearest") {
  for (const element_format& f : {f6e3m2, f6e2m3, f8e3m4, f7e4m2}) {
    const dtype t = register_element_type(f);
    INFO(f.name);
    CHECK((is_narrow(t) && is_float(t) && size_of(t) == 1 && compute_type(t) == dtype::f32 && name_of(t) == f.name));
    CHECK(dtype_from_name(f.name) == t);
    CHECK(register_element_type(f) == t);
    const int magnitudes = 1 << (f.exponent + f.mantissa);
    for (int code = 0; code < 2 * magnitudes; ++code) {
      const double want = value_of(f, code);
      const float is = narrow_bits_to_f32(static_cast<u8>(code), t);
      CHECK((std::isnan(want) ? std::isnan(is) : is == static_cast<float>(want)));
      if (!std::isnan(want)) CHECK(f32_to_narrow_bits(is, t) == code);
    }
    for (int code = 0; code + 1 < magnitudes; ++code) {
      const double a = value_of(f, code), b = value_of(f, code + 1);
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      const auto middle = static_cast<float>((a + b) / 2);
      CHECK(f32_to_narrow_bits(middle, t) == (code % 2 == 0 ? code : code + 1));
      CHECK(f32_to_narrow_bits(std::nextafterf(middle, 0), t) == code);
      CHECK(f32_to_narrow_bits(-std::nextafterf(middle, 1e9f), t) == ((code + 1) | magnitudes));
    }
    const float infinity = std::numeric_limits<float>::infinity(),
                large = narrow_bits_to_f32(static_cast<u8>(f32_to_narrow_bits(infinity, t)), t);
    CHECK((f.specials == float_specials::infinities ? large == infinity
           : f.specials == float_specials::nan      ? std::isnan(large)
                                                    : large == value_of(f, magnitudes - 1)));
  }
}

TEST_CASE("texts and files have them by name, and files are held to the format") {
  const dtype t = register_element_type(f6e3m2);
  const std::string text = R"(tenon.module phase=optimization

func entry @main(%0: tensor<Nx4xf6e3m2>) -> (tensor<Nx4xf6e3m2>) inputs("x") outputs("y") {
  %1 = cast(%0) : tensor<Nx4xf32>
  %2 = cast(%1) {to = f6e3m2} : tensor<Nx4xf6e3m2>
  return(%2)
}
)";
  ir::module m = parse(text);
  CHECK(print(m, {.phase = "optimization"}) == text);
  tensor c(t, {2});
  c.set_f64(0, 0.3), c.set_f64(1, -40);
  CHECK(c.at_f64(0) == 0.3125);
  CHECK(c.at_f64(1) == -28);
  static_cast<void>(m.add_constant(c));
  const std::string bytes = serialize(m, "optimization");
  CHECK(print(deserialize(bytes, "a file", {"optimization", {}, {}}), {.phase = "optimization"}) ==
        print(m, {.phase = "optimization"}));
  // Who writes another format under the name means another type.
  byte_writer table;
  write_element_type(table, t), write_element_type(table, dtype::u2);
  const std::string where = "here";
  byte_reader in(table.bytes, "file", where, "");
  CHECK(read_element_type(in) == t);
  CHECK(read_element_type(in) == dtype::u2);
  const auto refused = [&](std::string changed) {
    byte_reader reader(changed, "file", where, "");
    return code_of([&] { static_cast<void>(read_element_type(reader)); });
  };
  std::string format = table.bytes, name = table.bytes;
  format[format.find("f6e3m2") + 6] = 2;
  name[name.find("f6e3m2") + 1] = '5';
  CHECK(refused(format) == "element.unknown");
  CHECK(refused(name) == "element.unknown");
  CHECK(refused(std::string(1, static_cast<char>(dtype_count))) == "file");
  CHECK(code_of([&] { static_cast<void>(to_dlpack(c)); }) == "dlpack.dtype");
  const u8 stray[] = {0x3f, 0x40};
  CHECK((are_elements(t, stray, 1) && !are_elements(t, stray, 2)));
}

TEST_CASE("what is no format, or has no name, is refused") {
  const auto code = [](const element_format& f) {
    return code_of([&] { static_cast<void>(register_element_type(f)); });
  };
  CHECK(code({"f9", 5, 3, 15, float_specials::nan}) == "element.format");
  CHECK(code({"f1", 0, 1, 1, float_specials::none}) == "element.format");
  CHECK(code({"f3", 2, 0, 1, float_specials::infinities}) == "element.format");
  CHECK(code({"f8far", 7, 0, 121, float_specials::none}) == "element.format");
  CHECK(code({"f8huge", 7, 0, -1, float_specials::none}) == "element.format");
  for (const char* name : {"", "i5", "fxp", "f 6", "F6", "f32", "f8e5m2"})
    CHECK(code({name, 3, 2, 3, float_specials::none}) == "element.name");
  register_element_type(f6e3m2), register_element_type(f6e2m3), register_element_type(f8e3m4);
  CHECK(code({"f6e3m2", 3, 2, 4, float_specials::none}) == "element.name");
  register_element_type(f7e4m2);
  CHECK(code({"f5e2m2", 2, 2, 1, float_specials::none}) == "element.count");
}
