/// @file dtype_test: the narrow types: codes and values, rounding, and how they go through tensors and files.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include <tenon/importers/onnx/proto.hpp>
#include <tenon/runtime/dlpack.hpp>
#include <tenon/runtime/npy.hpp>
#include <tenon/runtime/tensor.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

using namespace tenon;

namespace {

constexpr dtype narrow_floats[] = {dtype::f8e4m3fn,   dtype::f8e4m3fnuz, dtype::f8e5m2,
                                   dtype::f8e5m2fnuz, dtype::f8e8m0,     dtype::f4e2m1};
constexpr dtype narrow_types[] = {dtype::f8e4m3fn, dtype::f8e4m3fnuz, dtype::f8e5m2, dtype::f8e5m2fnuz, dtype::f8e8m0,
                                  dtype::f4e2m1,   dtype::i4,         dtype::u4,     dtype::i2,         dtype::u2};
int codes(dtype t) { return 1 << bits_of(t); }
u8 code(float v, dtype t) { return f32_to_narrow_bits(v, t); }
float number(int c, dtype t) { return narrow_bits_to_f32(static_cast<u8>(c), t); }

/// Every element of a narrow type, in the order of codes.
tensor all_of(dtype t) {
  tensor x(t, {codes(t)});
  for (int c = 0; c < codes(t); ++c) {
    const int wrapped = is_signed_int(t) && c >= codes(t) / 2 ? c - codes(t) : c;
    static_cast<u8*>(x.data())[c] = static_cast<u8>(wrapped);
  }
  return x;
}

}  // namespace

TEST_CASE("narrow floats: what the tables of their definitions say") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(number(0x7e, dtype::f8e4m3fn) == 448.f);
  CHECK(number(0x01, dtype::f8e4m3fn) == 0x1p-9f);
  CHECK(std::isnan(number(0xff, dtype::f8e4m3fn)));
  CHECK(number(0x7f, dtype::f8e4m3fnuz) == 240.f);
  CHECK(number(0x01, dtype::f8e4m3fnuz) == 0x1p-10f);
  CHECK(std::isnan(number(0x80, dtype::f8e4m3fnuz)));
  CHECK(number(0x7b, dtype::f8e5m2) == 57344.f);
  CHECK(number(0x01, dtype::f8e5m2) == 0x1p-16f);
  CHECK(number(0xfc, dtype::f8e5m2) == -infinity);
  CHECK(std::isnan(number(0x7d, dtype::f8e5m2)));
  CHECK(number(0x7f, dtype::f8e5m2fnuz) == 57344.f);
  CHECK(number(0x01, dtype::f8e5m2fnuz) == 0x1p-17f);
  CHECK(number(0, dtype::f8e8m0) == 0x1p-127f);
  CHECK(number(254, dtype::f8e8m0) == 0x1p127f);
  CHECK(std::isnan(number(255, dtype::f8e8m0)));
  const float e2m1[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  for (int c = 0; c < 8; ++c) {
    CHECK(number(c, dtype::f4e2m1) == e2m1[c]);
    CHECK(number(c + 8, dtype::f4e2m1) == -e2m1[c]);
  }
  // Without saturation: infinity where there is one, else NaN; -0 only where it has a code.
  CHECK(code(infinity, dtype::f8e4m3fn) == 0x7f);
  CHECK(code(464.f, dtype::f8e4m3fn) == 0x7e);
  CHECK(code(464.1f, dtype::f8e4m3fn) == 0x7f);
  CHECK(code(-1e9f, dtype::f8e5m2) == 0xfc);
  CHECK(code(-infinity, dtype::f8e4m3fnuz) == 0x80);
  CHECK(code(-0.f, dtype::f8e5m2) == 0x80);
  CHECK(code(-0.f, dtype::f8e5m2fnuz) == 0);
  CHECK(code(-1e9f, dtype::f4e2m1) == 15);
  CHECK(code(std::nanf(""), dtype::f4e2m1) == 7);
  CHECK(code(1.5f, dtype::f8e8m0) == 128);
  CHECK(code(1.49f, dtype::f8e8m0) == 127);
  CHECK(code(0.f, dtype::f8e8m0) == 255);
}

TEST_CASE("narrow floats: the nearest code, of two the even one, for every step and half step") {
  for (const dtype t : narrow_floats) {
    CAPTURE(name_of(t));
    for (int c = 0; c < codes(t); ++c) {
      const float v = number(c, t);
      if (std::isnan(v)) CHECK(std::isnan(number(code(v, t), t)));
      else CHECK(code(v, t) == c);
    }
    // Neighbours by value: codes without the sign count up.
    const int top = t == dtype::f8e8m0 ? 253 : narrow_format_of(t).max - 1;
    for (int c = 0; c <= top; ++c) {
      const float low = number(c, t), high = number(c + 1, t);
      const float half = low / 2 + high / 2;
      CHECK(code(std::nextafter(half, low), t) == c);
      CHECK(code(std::nextafter(half, high), t) == c + 1);
      CHECK(code(half, t) == (t == dtype::f8e8m0 || c % 2 != 0 ? c + 1 : c));
    }
  }
}

TEST_CASE("narrow integers wrap, and casts go through all types") {
  const tensor x = tensor::from<i32>({5}, {7, 8, -9, 200, 3});
  CHECK(x.cast(dtype::i4).cast(dtype::i32).at_i64(1) == -8);
  CHECK(x.cast(dtype::i4).at_i64(2) == 7);
  CHECK(x.cast(dtype::u4).at_i64(3) == 8);
  CHECK(x.cast(dtype::i2).at_i64(4) == -1);
  CHECK(x.cast(dtype::u2).at_i64(2) == 3);
  CHECK(tensor::from<float>({1}, {-3.7f}).cast(dtype::i4).at_i64(0) == -3);
  CHECK(tensor::from<double>({1}, {17.0000000001}).cast(dtype::f8e4m3fn).at_f64(0) == 18);  // one rounding, not two
  CHECK(all_of(dtype::i4).cast(dtype::boolean).at_i64(0) == 0);
  for (const dtype t : narrow_types)
    for (const dtype wide : {dtype::f64, dtype::f32})
      CHECK(same_bits(all_of(t).cast(wide).cast(t).cast(wide), all_of(t).cast(wide)));
  CHECK(tensor(dtype::i4, {3}).bytes() == 3);
  CHECK_THROWS_AS(visit(dtype::i4, [](auto) {}), tenon::error);
}

TEST_CASE("narrow types in .npy, .pb, DLPack and text") {
  char name[] = "/tmp/tenon_dtype_XXXXXX";
  const int descriptor = ::mkstemp(name);
  REQUIRE(descriptor >= 0);
  for (const dtype t : narrow_types) {
    CAPTURE(name_of(t));
    tensor x = all_of(t);
    write_npy(name, x);
    CHECK(same_bits(read_npy(name), x));
    const std::string pb = importers::onnx::encode_tensor(x);
    const auto proto = importers::onnx::decode_tensor_proto(pb, nullptr, "memory");
    CHECK(static_cast<i64>(proto.raw.size()) == x.size() * bits_of(t) / 8);
    CHECK(same_bits(importers::onnx::to_tensor(proto), x));
    if (bits_of(t) == 8) {
      CHECK(same_bits(from_dlpack(to_dlpack(x)), x));
    } else {
      CHECK_THROWS_AS(to_dlpack(x), tenon::error);
      static_cast<u8*>(x.data())[0] = 0x55;  // no element of the type
      write_npy(name, x);
      CHECK_THROWS_AS(read_npy(name), tenon::error);
      x = all_of(t);
    }
    for (const i64 decimal : {0, 1000}) {
      ir::module m;
      m.add_constant(x, "all");
      const std::string text = print(m, {.decimal_elements = decimal});
      CHECK(text.find("x" + std::string(name_of(t)) + ">") != text.npos);
      const ir::module again = parse(text);
      CHECK(same_bits(again[constant_id(0)].value, x));
    }
  }
  ::close(descriptor);
  ::unlink(name);
  CHECK_THROWS_AS(parse("tenon.module\nconstant #0 : tensor<1xi4> = [8]\n"), tenon::error);
  CHECK_THROWS_AS(parse("tenon.module\nconstant #0 : tensor<1xu2> = dense_hex \"04\"\n"), tenon::error);
}
