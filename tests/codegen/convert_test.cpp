// needs: llvm
// Conversions between all element types, in registers and in memory, and what rounding by hand says of them.
#include <doctest/doctest.h>

#include "codegen/kernels.hpp"

using namespace tenon;
using namespace tenon::testing;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), undefined = std::numeric_limits<double>::quiet_NaN();

const loop_form forms[] = {{"", 0}, {" {kind = vector, lanes = 8, independent = true}", 0}};

/// A binary float: what its numbers are.
struct format {
  dtype type;
  int digits;    ///< of the significand
  int lowest;    ///< the smallest step is 2^lowest
  double most;   ///< the largest number
  double above;  ///< what is said of numbers that would round beyond it
  bool minus_zero = true;
};
const format float_formats[] = {
    {dtype::f64, 53, -1074, std::numeric_limits<double>::max(), inf},
    {dtype::f32, 24, -149, std::numeric_limits<float>::max(), inf},
    {dtype::f16, 11, -24, 65504, inf},
    {dtype::bf16, 8, -133, std::ldexp(255, 120), inf},
    {dtype::f8e4m3fn, 4, -9, 448, undefined},
    {dtype::f8e4m3fnuz, 4, -10, 240, undefined, false},
    {dtype::f8e5m2, 3, -16, 57344, inf},
    {dtype::f8e5m2fnuz, 3, -17, 57344, undefined, false},
    {dtype::f4e2m1, 2, -1, 6, 6},
};
/// To the nearest number of a format, halves to even.
double rounded(double v, const format& f) {
  if (std::isnan(v)) return f.type == dtype::f4e2m1 ? 6 : v;
  if (std::isinf(v)) return std::copysign(f.above, v);
  if (v == 0) return f.minus_zero ? v : 0;
  int e = 0;
  std::frexp(v, &e);
  const int step = std::max(e - f.digits, f.lowest);
  const double r = std::ldexp(std::nearbyint(std::ldexp(v, -step)), step);
  if (std::fabs(r) > f.most) return std::copysign(f.above, v);
  return r == 0 && !f.minus_zero ? 0 : r;
}

struct integer {
  dtype type;
  int bits;
  bool with_sign;
};
const integer integers[] = {{dtype::i8, 8, true},    {dtype::i16, 16, true},  {dtype::i32, 32, true},
                            {dtype::i64, 64, true},  {dtype::u8, 8, false},   {dtype::u16, 16, false},
                            {dtype::u32, 32, false}, {dtype::u64, 64, false}, {dtype::i4, 4, true},
                            {dtype::u4, 4, false},   {dtype::i2, 2, true},    {dtype::u2, 2, false}};
/// The last bits of a number, with a sign or without.
i64 wrapped(u64 v, const integer& n) {
  if (n.bits == 64) return static_cast<i64>(v);
  const u64 low = v & ((u64{1} << n.bits) - 1);
  return n.with_sign && (low >> (n.bits - 1)) != 0 ? static_cast<i64>(low - (u64{1} << n.bits)) : static_cast<i64>(low);
}
/// Towards zero, by way of an i32 or i64 whose least number stands for what is outside of it, or of u64.
i64 cut(double v, const integer& n) {
  if (n.type == dtype::u64 && v >= std::ldexp(1, 63) && v < std::ldexp(1, 64))
    return static_cast<i64>(static_cast<u64>(v));
  const bool wide = n.bits == 64 || n.type == dtype::u32;
  const double limit = wide ? std::ldexp(1, 63) : std::ldexp(1, 31);
  const bool inside = v >= -limit && v < limit;
  return wrapped(static_cast<u64>(inside ? static_cast<i64>(v) : wide ? INT64_MIN : i64{INT32_MIN}), n);
}

tensor converted(const tensor& x, dtype to, loop_form form) {
  form.count = x.size();
  return run_one(loop_over(form, "    %x = loop.load(%a0[%i]) : " + std::string(name_of(x.type())) +
                                     "\n    %y = loop.convert(%x) {to = " + std::string(name_of(to)) +
                                     "} : " + std::string(name_of(to)) + "\n    loop.store(%y, %r0[%i])\n"),
                 {x}, tensor(to, {x.size()}));
}
bool same(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::isnan(a) && std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

/// Numbers between those of every format, at their ends and below their smallest ones.
std::vector<double> reals() {
  std::vector<double> all{0.0, -0.0, inf, -inf, undefined, 1 + std::ldexp(1, -24) + std::ldexp(1, -50), 1e300, -1e300};
  for (const format& f : float_formats)
    for (double v : {1.0, 1.75, 100.0, f.most, std::ldexp(1, f.lowest), std::ldexp(3, f.lowest)}) {
      int e = 0;
      std::frexp(v, &e);
      const double step = std::ldexp(1, std::max(e - f.digits, f.lowest));
      for (double part : {0.0, 0.5, 0.499, 0.501, 1.5}) all.push_back(v + part * step), all.push_back(-v - part * step);
    }
  return all;
}

}  // namespace

TEST_CASE("floats to floats") {
  for (const format& from : float_formats) {
    std::vector<double> in;
    for (double v : reals()) in.push_back(rounded(v, from));
    tensor x(from.type, {static_cast<i64>(in.size())});
    for (size_t i = 0; i < in.size(); ++i) x.set_f64(static_cast<i64>(i), in[i]);
    for (size_t i = 0; i < in.size(); ++i) REQUIRE(same(x.at_f64(static_cast<i64>(i)), in[i]));
    for (const format& to : float_formats)
      for (const loop_form& form : forms) {
        const tensor y = converted(x, to.type, form);
        for (i64 i = 0; i < x.size(); ++i) {
          const double v = in[static_cast<size_t>(i)], want = from.type == to.type ? v : rounded(v, to);
          CHECK_MESSAGE(same(y.at_f64(i), want), name_of(from.type)
                                                     << " to " << name_of(to.type) << std::string(form.attributes)
                                                     << ": " << v << " is " << y.at_f64(i) << ", not " << want);
        }
      }
  }
}

TEST_CASE("powers of two: halves up, and nothing below the least") {
  const tensor x =
      tensor::from<float>({9}, {1, 1.49f, 1.5f, 3, 0, -1, std::ldexp(1.0f, -127), static_cast<float>(inf), 7});
  const double want[] = {1, 1, 2, 4, undefined, undefined, std::ldexp(1, -127), undefined, 8};
  for (const loop_form& form : forms) {
    const tensor y = converted(x, dtype::f8e8m0, form), back = converted(y, dtype::f32, form);
    for (i64 i = 0; i < x.size(); ++i) {
      CHECK(same(y.at_f64(i), want[i]));
      CHECK(same(back.at_f64(i), want[i]));
    }
  }
}

TEST_CASE("integers to integers, floats and bool") {
  for (const integer& from : integers) {
    tensor x(from.type, {13});
    const u64 raw[] = {0, 1, 2, 3, 7, 8, 127, 128, 255, 0x7fff8001, 0x80000000, 0x7fffffffffffffff, 0x8000000000000401};
    for (i64 i = 0; i < x.size(); ++i) x.set_i64(i, wrapped(raw[i], from));
    for (const loop_form& form : forms) {
      for (const integer& to : integers) {
        const tensor y = converted(x, to.type, form);
        for (i64 i = 0; i < x.size(); ++i)
          CHECK_MESSAGE(y.at_i64(i) == wrapped(static_cast<u64>(x.at_i64(i)), to),
                        name_of(from.type)
                            << " to " << name_of(to.type) << ": " << x.at_i64(i) << " is " << y.at_i64(i));
      }
      for (const format& to : float_formats) {
        const tensor y = converted(x, to.type, form);
        for (i64 i = 0; i < x.size(); ++i) {
          const i64 v = x.at_i64(i);
          // To what is smaller than f32 by way of it.
          const bool small = to.digits <= 24;
          const double number = from.type == dtype::u64
                                    ? (small ? static_cast<double>(static_cast<float>(static_cast<u64>(v)))
                                             : static_cast<double>(static_cast<u64>(v)))
                                    : (small ? static_cast<double>(static_cast<float>(v)) : static_cast<double>(v));
          CHECK_MESSAGE(same(y.at_f64(i), rounded(number, to)),
                        name_of(from.type) << " to " << name_of(to.type) << ": " << v << " is " << y.at_f64(i));
        }
      }
      const tensor y = converted(x, dtype::boolean, form);
      for (i64 i = 0; i < x.size(); ++i) CHECK((y.at_i64(i) != 0) == (x.at_i64(i) != 0));
    }
  }
}

TEST_CASE("floats to integers and bool") {
  const double values[] = {0,
                           -0.0,
                           0.9,
                           -0.9,
                           1.5,
                           -1.5,
                           2.5,
                           100.25,
                           -100.25,
                           255.9,
                           256,
                           300,
                           -129,
                           40000,
                           70000,
                           2147483520,
                           2147483648,
                           -2147483648,
                           4294967040,
                           4294967296,
                           -1e10,
                           std::ldexp(1, 62),
                           std::ldexp(1, 63),
                           -std::ldexp(1, 63),
                           1.5 * std::ldexp(1, 63),
                           std::ldexp(1, 64),
                           1e30,
                           -1e30,
                           inf,
                           -inf,
                           undefined};
  for (const format& from : float_formats) {
    tensor x(from.type, {static_cast<i64>(std::size(values))});
    for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, values[i]);
    for (const loop_form& form : forms) {
      for (const integer& to : integers) {
        const tensor y = converted(x, to.type, form);
        for (i64 i = 0; i < x.size(); ++i)
          CHECK_MESSAGE(y.at_i64(i) == cut(x.at_f64(i), to), name_of(from.type) << " to " << name_of(to.type) << ": "
                                                                                << x.at_f64(i) << " is " << y.at_i64(i)
                                                                                << ", not " << cut(x.at_f64(i), to));
      }
      const tensor y = converted(x, dtype::boolean, form);
      for (i64 i = 0; i < x.size(); ++i)
        CHECK_MESSAGE((y.at_i64(i) != 0) == (x.at_f64(i) != 0), name_of(from.type) << " " << x.at_f64(i));
    }
  }
}

TEST_CASE("bool to numbers") {
  const tensor x = tensor::from<bool>({3}, {true, false, true});
  for (const loop_form& form : forms) {
    for (const integer& to : integers) CHECK(converted(x, to.type, form).at_i64(2) == wrapped(1, to));
    for (const format& to : float_formats) CHECK(converted(x, to.type, form).at_f64(0) == 1);
  }
}
