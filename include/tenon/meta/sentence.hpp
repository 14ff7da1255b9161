/// @file sentence: how a check on types answers: softly with a bool, loudly with a sentence of its own.
///
/// A check is a type with `static constexpr bool ok` and `static consteval phrase say()`. `requires
/// answer_t<C>::accepted` rejects with what it says: g++ prints the sentence as the argument of `sentence<…>`, which
/// lacks that member, clang as a static_assert (it cuts arguments at 34 characters). On clang the rejection is
/// therefore a hard error: ask softly with `C::ok`.
#pragma once

#include <tenon/meta/fixed_string.hpp>

namespace tenon::meta {

namespace detail {
template <class T, class...>
struct later {
  using type = T;
};
}  // namespace detail
/// `T`, by a name of which compilers know nothing until they know `With`. Code that only wrong programs run works on
/// such types, or on parameters that are deduced: then reading it is parsing it, and operators, calls and conversions
/// are looked up where somebody needs them. (A call that depends on no parameter instantiates what it calls, on clang
/// even in a template.)
template <class T, class... With>
using later_t = typename detail::later<T, With...>::type;

/// Text under construction; what exceeds the capacity is dropped.
struct phrase {
  static constexpr size_t capacity = 1536;
  char characters[capacity]{};
  size_t length = 0;

  constexpr phrase& operator<<(label text) {
    for (size_t i = 0; i < text.length && length < capacity; ++i) characters[length++] = text.first[i];
    return *this;
  }
  constexpr phrase& operator<<(const char* text) {
    while (*text && length < capacity) characters[length++] = *text++;
    return *this;
  }
  constexpr phrase& operator<<(size_t number) {
    char digits[20]{};
    size_t n = 0;
    do digits[n++] = static_cast<char>('0' + number % 10);
    while (number /= 10);
    while (n) *this << label{&digits[--n], 1};
    return *this;
  }
  constexpr phrase& quoted(label text) { return *this << "'" << text << "'"; }
  /// 1st, 2nd, 3rd, 4th … 11th …
  constexpr phrase& ordinal(size_t number) {
    const size_t tens = number / 10 % 10, ones = number % 10;
    *this << number;
    if (tens != 1 && ones == 1) return *this << "st";
    if (tens != 1 && ones == 2) return *this << "nd";
    if (tens != 1 && ones == 3) return *this << "rd";
    return *this << "th";
  }
  constexpr operator label() const { return {characters, length}; }
};

#if defined(__clang__)
template <fixed_string Text>
inline constexpr bool said = false;
#endif
template <fixed_string Text>
struct sentence {
#if defined(__clang__)
#  pragma clang diagnostic push
#  pragma clang diagnostic ignored "-Wc++26-extensions"
  static_assert(said<Text>, Text);  // a comparison would be quoted once more, with its values
#  pragma clang diagnostic pop
#endif
#if defined(__clang__)  // said already; g++ says that the sentence has no such member, be it asked for in a constraint
                        // or a body
  static constexpr bool accepted = false;
  static constexpr void accept() {}
#endif
};
struct agreement {
  static constexpr bool accepted = true;
  /// Asked in the body of a function, `answer_t<C>::accept()`: a constraint of a function makes compilers quote it, and
  /// list all others of its name.
  static constexpr void accept() {}
};

namespace detail {
template <class Check>
consteval auto exact() {
  constexpr phrase said = Check::say();
  fixed_string<said.length> text;
  for (size_t i = 0; i < said.length; ++i) text.characters[i] = said.characters[i];
  return text;
}
template <class Check>
struct tell {
  using type = agreement;
};
template <class Check>
  requires(!Check::ok)
struct tell<Check> {
  using type = sentence<exact<Check>()>;
};
}  // namespace detail

template <class Check>
using answer_t = typename detail::tell<Check>::type;

}  // namespace tenon::meta

/// Ends the declaration of a function that nobody may call: the compiler prints the sentence, and a soft question
/// (`requires { … }`, is_assignable) is answered with a plain no.
///
///     template <class T>
///     auto save(const std::string& path, const T&) TENON_REFUSED("tenon-E029: …");
#if defined(__clang__)
#  define TENON_REFUSED(sentence)                                                                       \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc++26-extensions\"")->void = \
        delete (sentence)_Pragma("clang diagnostic pop")
#else  // the type is quoted when the function is called
#  define TENON_REFUSED(text) ->::tenon::meta::sentence<text> = delete
#endif
