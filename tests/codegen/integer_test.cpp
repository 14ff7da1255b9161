// needs: llvm
// Integer functions of every width and sign at their edges, and what arithmetic in 128 bits says of them.
#include <doctest/doctest.h>

#include <algorithm>

#include "codegen/kernels.hpp"

using namespace tenon;
using namespace tenon::testing;
using loop::scalar_fn;

namespace {

__extension__ using wide = __int128;

const loop_form forms[] = {{"", 0},
                           {" {kind = vector, lanes = 8, independent = true}", 0},
                           {" {kind = vector, lanes = 32, independent = true}", 0}};
constexpr dtype types[] = {dtype::i8,  dtype::i16, dtype::i32, dtype::i64,    dtype::u8,
                           dtype::u16, dtype::u32, dtype::u64, dtype::boolean};

struct number_type {
  dtype type;
  int bits;
  bool with_sign;
  wide low() const { return with_sign ? -(wide{1} << (bits - 1)) : 0; }
  wide high() const { return (wide{1} << (with_sign ? bits - 1 : bits)) - 1; }
  /// Any integer as its last bits.
  wide wrapped(wide v) const {
    const wide all = wide{1} << bits;
    v &= all - 1;
    return with_sign && v > high() ? v - all : v;
  }
};
number_type numbers_of(dtype t) {
  return {t, t == dtype::boolean ? 1 : static_cast<int>(size_of(t)) * 8, is_signed_int(t)};
}

wide at(const tensor& t, i64 i) {
  return t.type() == dtype::u64 ? static_cast<wide>(static_cast<u64>(t.at_i64(i))) : static_cast<wide>(t.at_i64(i));
}
std::vector<wide> edges(const number_type& n) {
  std::vector<wide> all;
  for (wide v : {wide{0}, wide{1}, wide{2}, wide{3}, wide{7}, wide{n.bits - 1}, wide{n.bits}, wide{n.bits + 1},
                 n.high(), n.high() - 1, n.high() / 2 + 1, n.low(), n.low() + 1, wide{-1}, wide{-2}, wide{-7}})
    if (v >= n.low() && v <= n.high() && std::find(all.begin(), all.end(), v) == all.end()) all.push_back(v);
  return all;
}

struct integer_function {
  scalar_fn fn;
  wide (*formula)(wide, wide, const number_type&);
};
wide quotient_down(wide a, wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }
/// Modulo 2^128.
wide times(wide a, wide b) {
  __extension__ using bits = unsigned __int128;
  return static_cast<wide>(static_cast<bits>(a) * static_cast<bits>(b));
}
wide power(wide a, wide b, const number_type& n) {
  if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;  // also of 0, whose reciprocal is nothing
  wide r = 1;
  for (wide base = a; b != 0; b /= 2, base = n.wrapped(times(base, base)))
    if (b % 2 != 0) r = n.wrapped(times(r, base));
  return r;
}
#define OF(f) [](wide a, wide b, const number_type& n) -> wide { return (void)a, (void)b, (void)n, (f); }
// Division by zero gives zero; a shift by all bits or more, or by less than none, gives zero.
const integer_function functions[] = {
    {scalar_fn::add, OF(a + b)},
    {scalar_fn::sub, OF(a - b)},
    {scalar_fn::mul, OF(times(a, b))},
    {scalar_fn::div, OF(b == 0 ? 0 : a / b)},
    {scalar_fn::fmod, OF(b == 0 ? 0 : a % b)},
    {scalar_fn::mod, OF(b == 0 ? 0 : a - b * quotient_down(a, b))},
    {scalar_fn::floor_div, OF(b == 0 ? 0 : quotient_down(a, b))},
    {scalar_fn::pow, power},
    {scalar_fn::min, OF(a < b ? a : b)},
    {scalar_fn::max, OF(a > b ? a : b)},
    {scalar_fn::bit_and, OF(a & b)},
    {scalar_fn::bit_or, OF(a | b)},
    {scalar_fn::bit_xor, OF(a ^ b)},
    {scalar_fn::shift_left, OF(b < 0 || b >= n.bits ? 0 : a * (wide{1} << static_cast<int>(b)))},
    {scalar_fn::shift_right, OF(b < 0 || b >= n.bits ? 0 : a >> static_cast<int>(b))},
    {scalar_fn::eq, OF(a == b)},
    {scalar_fn::ne, OF(a != b)},
    {scalar_fn::lt, OF(a < b)},
    {scalar_fn::le, OF(a <= b)},
    {scalar_fn::gt, OF(a > b)},
    {scalar_fn::ge, OF(a >= b)},
    {scalar_fn::neg, OF(-a)},
    {scalar_fn::abs, OF(a < 0 ? -a : a)},
    {scalar_fn::sign, OF(a < 0   ? -1
                         : a > 0 ? 1
                                 : 0)},
    {scalar_fn::bit_not, OF(~a)},
    {scalar_fn::floor, OF(a)},
    {scalar_fn::ceil, OF(a)},
    {scalar_fn::round, OF(a)},
    {scalar_fn::trunc, OF(a)},
    {scalar_fn::is_nan, OF(0)},
    {scalar_fn::is_inf, OF(0)},
    {scalar_fn::select, OF(a != 0 ? a : b)},
    {scalar_fn::fma, OF(times(a, b) + b)},
};
/// Of bool, what the logical functions say.
const integer_function logical[] = {
    {scalar_fn::add, OF(a | b)},     {scalar_fn::sub, OF(a ^ b)},
    {scalar_fn::mul, OF(a & b)},     {scalar_fn::bit_and, OF(a & b)},
    {scalar_fn::bit_or, OF(a | b)},  {scalar_fn::bit_xor, OF(a ^ b)},
    {scalar_fn::min, OF(a & b)},     {scalar_fn::max, OF(a | b)},
    {scalar_fn::eq, OF(a == b)},     {scalar_fn::ne, OF(a != b)},
    {scalar_fn::lt, OF(a < b)},      {scalar_fn::le, OF(a <= b)},
    {scalar_fn::gt, OF(a > b)},      {scalar_fn::ge, OF(a >= b)},
    {scalar_fn::bit_not, OF(1 - a)}, {scalar_fn::select, OF(a != 0 ? a : b)},
};
#undef OF

std::string text_of(wide v) {
  return v < 0 ? "-" + text_of(-v) : v < 10 ? std::to_string(static_cast<int>(v)) : text_of(v / 10) + text_of(v % 10);
}

/// Where both kernels are the same but for the function: all of them in one, so that LLVM runs once for a type.
void check(std::span<const integer_function> fns, const number_type& n, const loop_form& shape) {
  std::vector<wide> a, b;
  for (wide x : edges(n))
    for (wide y : edges(n)) a.push_back(x), b.push_back(y);
  tensor ta(n.type, {static_cast<i64>(a.size())}), tb = ta.clone();
  for (size_t i = 0; i < a.size(); ++i) {
    ta.set_i64(static_cast<i64>(i), static_cast<i64>(a[i]));
    tb.set_i64(static_cast<i64>(i), static_cast<i64>(b[i]));
  }
  const std::string type(name_of(n.type));
  std::string body = "    %x = loop.load(%a0[%i]) : " + type + "\n    %y = loop.load(%a1[%i]) : " + type +
                     "\n    %t = loop.convert(%x) {to = bool} : bool\n";
  std::vector<tensor> results;
  for (size_t i = 0; i < fns.size(); ++i) {
    const scalar_fn fn = fns[i].fn;
    const std::string number = std::to_string(i);
    const dtype result = loop::gives_bool(fn) ? dtype::boolean : n.type;
    results.emplace_back(result, std::vector<i64>{ta.size()});
    const char* operands = fn == scalar_fn::select ? "%t, %x, %y"
                           : fn == scalar_fn::fma  ? "%x, %y, %y"
                           : loop::arity(fn) == 1  ? "%x"
                                                   : "%x, %y";
    body += "    %f" + number + " = loop.scalar(" + operands +
            ") {fn = " + std::string(loop::scalar_fn_names[static_cast<size_t>(fn)]) +
            "} : " + std::string(name_of(result)) + "\n    loop.store(%f" + number + ", %r" + number + "[%i])\n";
  }
  loop_form form = shape;
  form.count = ta.size();
  const std::vector<tensor> got = run_kernel(loop_over(form, body), {ta, tb}, results);
  for (size_t f = 0; f < fns.size(); ++f)
    for (i64 i = 0; i < ta.size(); ++i) {
      const wide x = a[static_cast<size_t>(i)], y = b[static_cast<size_t>(i)];
      const bool asked = loop::gives_bool(fns[f].fn);
      const wide formula = fns[f].formula(x, y, n), want = asked ? formula : n.wrapped(formula);
      CHECK_MESSAGE(at(got[f], i) == want, loop::scalar_fn_names[static_cast<size_t>(fns[f].fn)]
                                               << " of " << type << " " << text_of(x) << ", " << text_of(y)
                                               << std::string(shape.attributes) << ": " << text_of(at(got[f], i))
                                               << ", not " << text_of(want));
    }
}

}  // namespace

TEST_CASE("functions of integers") {
  for (dtype t : types)
    for (const loop_form& form : forms)
      if (t == dtype::boolean) check(logical, numbers_of(t), form);
      else check(functions, numbers_of(t), form);
}
