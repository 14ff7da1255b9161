/// @file attribute_format: kinds of attributes of a program's own.
///
/// A struct that has a name and lists its members is one, and is written as they are:
///
///     struct scale { static constexpr std::string_view name = "quant.scale"; double by = 1; TENON_ATTRIBUTES(by) };
///
/// Any other type is one where it is said once what it is written as, which is a kind that exists: a text, a number, a
/// list, or a struct that lists its members.
///
///     template <>
///     struct tenon::ir::attribute_format<my::layout> {
///       static constexpr std::string_view name = "my.layout";
///       static std::string to(const my::layout&);
///       static my::layout from(const std::string&);        // throws an error where no value is written so
///     };
///
/// All else follows: text (`quant.scale {by = 0.5}`, `my.layout "nchw"`), bytes, equality (two values are equal if they
/// are written alike), copies, and that constants and functions among the members are found by who looks for them.
/// Values are default constructible and copyable. A kind's name has a namespace.
#pragma once

#include <span>
#include <string_view>
#include <type_traits>

namespace tenon::ir {

/// What a type that is an attribute kind of a program's own is written as: specialized by who owns the type.
template <class T>
struct attribute_format {};

/// Words of letters, digits and '_', with a '.' between each two.
constexpr bool is_namespaced_name(std::string_view name) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  bool begins = true, several = false;
  for (char c : name) {
    if (c == '.' ? begins : !letter(c) && (begins || !digit(c))) return false;
    begins = c == '.', several = several || begins;
  }
  return several && !begins;
}

namespace detail {
template <class T>
concept formatted = requires(const T& v) {
  std::string_view(attribute_format<T>::name);
  T(attribute_format<T>::from(attribute_format<T>::to(v)));
};
template <class T>
concept lists_members = std::is_class_v<T> && requires(const T& v) { v.list_attributes(); };
}  // namespace detail

template <class T>
concept own_attribute = detail::formatted<T> || (detail::lists_members<T> && requires { std::string_view(T::name); });

struct attribute;

/// A kind of a program's own, as data.
struct own_kind {
  std::string_view name;
  std::span<const attribute> (*form)();  ///< of what a value is written as: its members, or one without a name
  void (*read)(const void* value, void (*f)(const void* written, void* with), void* with);
  void (*change)(void* value, void (*f)(void* written, void* with), void* with);
};

/// A value of a kind of a program's own; `Void` is `void`, or `const void` of one that is only read.
template <class Void>
struct own_value {
  const own_kind& kind;
  Void* at;

  /// Calls `f` with what the value is written as, a `Void*` that `kind.form()` describes; the value follows changes.
  template <class F>
  void written(F&& f) const {
    const auto call = [](Void* form, void* with) { (*static_cast<std::remove_reference_t<F>*>(with))(form); };
    if constexpr (std::is_const_v<Void>) kind.read(at, call, &f);
    else kind.change(at, call, &f);
  }
};

}  // namespace tenon::ir
