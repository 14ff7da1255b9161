/// @file fixed_string: characters as a template argument, and a view of them.
///
/// Neither includes `<string_view>` (half of the budget of `pipeline.hpp`); both convert to it where it is known.
#pragma once

#include <tenon/core/int_names.hpp>

namespace tenon {

/// A constexpr view of characters that live as long as the program.
struct label {
  const char* first = "";
  size_t length = 0;

  constexpr const char* data() const { return first; }
  constexpr size_t size() const { return length; }
  constexpr char operator[](size_t i) const { return first[i]; }
  friend constexpr bool operator==(label a, label b) {
    if (a.length != b.length) return false;
    for (size_t i = 0; i < a.length; ++i)
      if (a.first[i] != b.first[i]) return false;
    return true;
  }
  template <class View>
    requires requires { View::npos; }
  constexpr operator View() const {
    return View(first, length);
  }
};

/// A string literal as a value that can be a template argument: `static constexpr fixed_string name = "fuse";`.
template <size_t N>
struct fixed_string {
  char characters[N + 1]{};

  constexpr fixed_string() = default;
  constexpr fixed_string(const char (&text)[N + 1]) {
    for (size_t i = 0; i < N; ++i) characters[i] = text[i];
  }
  constexpr const char* data() const { return characters; }
  constexpr const char* c_str() const { return characters; }
  static constexpr size_t size() { return N; }
  template <class View>
    requires requires { View::npos; }
  constexpr operator View() const {
    return View(characters, N);
  }
  constexpr operator label() const { return {characters, N}; }
  template <size_t M>
  friend constexpr bool operator==(const fixed_string& a, const fixed_string<M>& b) {
    return label(a) == label(b);
  }
};
template <size_t M>
fixed_string(const char (&)[M]) -> fixed_string<M - 1>;

/// One after the other: names of passes that are made for a target.
template <size_t A, size_t B>
constexpr fixed_string<A + B> operator+(const fixed_string<A>& a, const fixed_string<B>& b) {
  fixed_string<A + B> r;
  for (size_t i = 0; i < A; ++i) r.characters[i] = a.characters[i];
  for (size_t i = 0; i < B; ++i) r.characters[A + i] = b.characters[i];
  return r;
}

/// A name as a label. Deduction is half the price of asking for the conversion, where thousands are made.
template <size_t N>
constexpr label as_label(const fixed_string<N>& text) {
  return {text.characters, N};
}
template <class Text>
constexpr label as_label(const Text& text) {
  return label(text);
}

}  // namespace tenon
