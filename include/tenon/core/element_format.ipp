/// @file element_format.ipp: definitions of core/element_format.hpp, and of what core/dtype.hpp asks of own types.
#pragma once

#include <atomic>
#include <mutex>

#include <tenon/core/element_format.hpp>

namespace tenon {
namespace detail {

/// Those of a process. What stands below `count` never changes.
struct own_dtypes {
  std::mutex mutex;
  std::atomic<int> count{0};
  element_format formats[own_dtype_count];
};
inline own_dtypes& own() {
  static auto& all = *new own_dtypes;
  return all;
}
inline const element_format& own_format(dtype t) {
  const int i = static_cast<int>(t) - static_cast<int>(dtype::own0);
  if (i < 0 || i >= own_dtypes_registered())
    throw error("element.unknown", "there is no element type of number " + std::to_string(static_cast<int>(t)));
  return own().formats[i];
}

inline void check(const element_format& f) {
  const auto fail = [&](std::string what, std::string hint) {
    throw error("element.format", "'" + f.name + "' " + what, {}, std::move(hint));
  };
  const bool infinite = f.specials == float_specials::infinities;
  if (f.exponent < 1 || f.mantissa < (infinite ? 1 : 0) || f.exponent + f.mantissa > 7 || f.exponent + f.mantissa < 2)
    fail("has an exponent of " + std::to_string(f.exponent) + " and a mantissa of " + std::to_string(f.mantissa) +
             " bits",
         "with the sign it has 3 to 8 bits, of which the exponent has one at least; NaN beside infinity needs one of "
         "the mantissa");
  if (f.bias < 0 || f.bias > 120 || (1 << f.exponent) - 1 - f.bias > 127)
    fail("has a bias of " + std::to_string(f.bias), "its numbers are numbers of f32: 0 to 120");
  const auto good = [](char c) { return (c >= 'a' && c <= 'z' && c != 'x') || (c >= '0' && c <= '9') || c == '_'; };
  bool word = !f.name.empty() && f.name[0] == 'f';
  for (char c : f.name) word = word && good(c);
  for (std::string_view known : dtype_names) word = word && f.name != known;
  if (!word)
    throw error("element.name", "'" + f.name + "' cannot be the name of an element type of your own", {},
                "a name is a lower-case word that begins with f, has no x, and is not known, such as f6e3m2");
}

}  // namespace detail

dtype register_element_type(const element_format& f) {
  detail::check(f);
  detail::own_dtypes& all = detail::own();
  const std::lock_guard lock(all.mutex);
  const int n = all.count.load(std::memory_order_relaxed);
  for (int i = 0; i < n; ++i) {
    if (all.formats[i].name != f.name) continue;
    if (all.formats[i] == f) return own_dtype(i);
    throw error("element.name", "the element type '" + f.name + "' is registered with another format", {},
                "give it another name");
  }
  if (n == own_dtype_count)
    throw error("element.count", "there is no room for '" + f.name + "': a process has at most " +
                                     std::to_string(own_dtype_count) + " element types of its own");
  all.formats[n] = f;
  all.count.store(n + 1, std::memory_order_release);
  return own_dtype(n);
}

int own_dtypes_registered() { return detail::own().count.load(std::memory_order_acquire); }
std::string_view name_of_own(dtype t) { return detail::own_format(t).name; }

std::optional<dtype> own_dtype_from_name(std::string_view s) {
  const int n = own_dtypes_registered();
  for (int i = 0; i < n; ++i)
    if (detail::own().formats[i].name == s) return own_dtype(i);
  return std::nullopt;
}

narrow_format format_of_own(dtype t) {
  const element_format& f = detail::own_format(t);
  const int last = (1 << (f.exponent + f.mantissa)) - 1, infinity = last & ~((1 << f.mantissa) - 1);
  narrow_format n{f.mantissa, f.bias, f.exponent + f.mantissa, 0, 0, 0, false};
  const auto codes = [&](int max, int overflow, int nan) {
    n.max = static_cast<u8>(max), n.overflow = static_cast<u8>(overflow), n.nan = static_cast<u8>(nan);
  };
  switch (f.specials) {
    case float_specials::none: codes(last, last, last); break;
    case float_specials::nan: codes(last - 1, last, last); break;
    case float_specials::infinities: codes(infinity - 1, infinity, infinity | 1 << (f.mantissa - 1)); break;
  }
  return n;
}

namespace detail { inline constexpr u64 own_type_follows = 255; }

void write_element_type(byte_writer& out, dtype t) {
  if (!is_own(t)) return out.number(static_cast<u64>(t));
  const element_format& f = detail::own_format(t);
  out.number(detail::own_type_follows), out.text(f.name);
  for (int n : {f.exponent, f.mantissa, f.bias, static_cast<int>(f.specials)}) out.number(static_cast<u64>(n));
}

dtype read_element_type(byte_reader& in) {
  const u64 number = in.number();
  if (number < dtype_count) return static_cast<dtype>(number);
  if (number != detail::own_type_follows) in.fail("an element type is out of range");
  element_format f;
  f.name = in.text();
  for (int* n : {&f.exponent, &f.mantissa, &f.bias}) *n = static_cast<int>(in.number(255, "an element type's format"));
  f.specials = static_cast<float_specials>(
      in.number(static_cast<u64>(float_specials::infinities), "an element type's special values"));
  const auto known = own_dtype_from_name(f.name);
  if (!known || !(detail::own_format(*known) == f))
    throw error("element.unknown",
                "element type '" + f.name + "' is " + (known ? "of another format here" : "not known here"), in.where(),
                "register_element_type(…) as the program that wrote the file did, before it is read");
  return *known;
}

}  // namespace tenon
