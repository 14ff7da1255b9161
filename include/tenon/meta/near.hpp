/// @file near: members that nobody reads, and whose names are nearly those of members that mean something.
///
/// C++20 cannot list the members of a class; it can ask for names. near_names.hpp has those that people write by
/// mistake, for each kind of struct that the library reads: `near::pass`, `near::phase`, …; near_target_names.hpp those
/// of targets.
#pragma once

#include <tenon/meta/type_name.hpp>

namespace tenon {

/// A member of a user's struct whose name, or form, is nearly one that means something; nobody reads it.
struct misnomer {
  label said, meant;
};

namespace detail {
/// Is `T`, found in `S` by a name, a member? The name of a class, or of one of its bases, is found in it too.
template <class S, class T>
concept member_of = !__is_class(T) || !__is_base_of(T, S);
/// Is what `&S::name` points to static? Data of each object, and its functions, are what a struct has for itself.
template <class P>
inline constexpr bool is_static = true;
template <class M, class S>
inline constexpr bool is_static<M S::*> = false;

/// What derives from `S` and from `Members` finds each member of the latter without ambiguity exactly if `S` has none
/// of that name: one list of names is asked for, which costs one requirement, not many. The names are enumerators, the
/// cheapest ones.
template <class S, class Members>
struct probe : S, Members {};
template <class...>
struct types {};
}  // namespace detail

namespace near {
using detail::is_static;
using detail::member_of;

constexpr size_t first_false(const bool* flags, size_t from) {
  while (flags[from]) ++from;
  return from;
}

/// The `at`th name of `text`, which is ";gives:give,provides,;keeps:keep,", and what it means.
constexpr misnomer name_at(const char* text, size_t at) {
  misnomer m;
  for (;; ++text) {
    if (*text == ';') {
      m.meant = {++text, 0};
      while (*text != ':') ++text, ++m.meant.length;
      ++text;
    }
    m.said = {text, 0};
    while (*text != ',') ++text, ++m.said.length;
    if (at-- == 0) return m;
  }
}

/// The first member of `T`, of those that `Names` lists, that nobody reads; none: an empty `said`. A word of English is
/// asked for once more by itself: a class, and a base, may be named so, and a member that holds data.
template <class T, class Names>
constexpr misnomer misnomer_of() {
  if constexpr (requires {
                  sizeof(T);
                  requires __is_class(T);
                }) {
    constexpr size_t found = [] {
      if constexpr (__is_final(T)) return Names::template found_word<T>();
      else if constexpr (Names::template free<detail::probe<T, typename Names::names>>)
        return Names::count;  // all at once, and none of them is the usual answer
      else return Names::template found<detail::probe<T, typename Names::names>>(0);
    }();
    if constexpr (found == (__is_final(T) ? Names::words : Names::count)) {
      return {};
    } else {
      size_t at = Names::template found_word<T>();
      if constexpr (!__is_final(T))
        if (at == Names::words) at = Names::template found<detail::probe<T, typename Names::names>>(at);
      if (at < Names::count && !(__is_final(T) && at == Names::words)) return name_at(Names::meanings, at);
    }
  }
  return {};
}

// What is made of a list of names, TENON_NEAR_NAMES: enumerators, whether a struct has any of them, which one, and what
// it means.
#define TENON_NEAR_NOTHING(name)
#define TENON_NEAR_ENUMERATOR(name) name,
#define TENON_NEAR_FREE(name) Probe::name;
#define TENON_NEAR_FOUND(name) requires { Probe::name; },
#define TENON_NEAR_TYPE_WORD(name) \
  !requires { requires member_of<T, typename T::name>; } && !requires { requires is_static<decltype(&T::name)>; },
#define TENON_NEAR_VALUE_WORD(name) !requires { requires member_of<T, typename T::name>; } && !requires { &T::name; },
#define TENON_NEAR_MEANT(name) ";" #name ":"
#define TENON_NEAR_SAID(name) #name ","
#define TENON_NEAR_EACH(one) TENON_NEAR_NAMES(TENON_NEAR_NOTHING, one, one, one)
#define TENON_NEAR_MEMBERS(whose, word_count, name_count)                                                             \
  using names = whose##_names;                                                                                        \
  template <class Probe>                                                                                              \
  static constexpr size_t found(size_t from) {                                                                        \
    const bool free[] = {TENON_NEAR_EACH(TENON_NEAR_FOUND) false};                                                    \
    return first_false(free, from);                                                                                   \
  }                                                                                                                   \
  template <class T>                                                                                                  \
  static constexpr size_t found_word() {                                                                              \
    const bool free[] = {                                                                                             \
        TENON_NEAR_NAMES(TENON_NEAR_NOTHING, TENON_NEAR_TYPE_WORD, TENON_NEAR_VALUE_WORD, TENON_NEAR_NOTHING) false}; \
    return first_false(free, 0);                                                                                      \
  }                                                                                                                   \
  static constexpr size_t words = word_count, count = name_count;                                                     \
  static constexpr const char* meanings =                                                                             \
      TENON_NEAR_NAMES(TENON_NEAR_MEANT, TENON_NEAR_SAID, TENON_NEAR_SAID, TENON_NEAR_SAID);
#define TENON_NEAR(whose, words, count)                               \
  struct whose##_names {                                              \
    enum : unsigned short { TENON_NEAR_EACH(TENON_NEAR_ENUMERATOR) }; \
  };                                                                  \
  struct whose {                                                      \
    template <class>                                                  \
    static constexpr bool free = false;                               \
    TENON_NEAR_MEMBERS(whose, words, count)                           \
  };
/// Where a list is asked for as a whole first.
#define TENON_NEAR_AT_ONCE(whose, words, count)                                 \
  struct whose##_names {                                                        \
    enum : unsigned short { TENON_NEAR_EACH(TENON_NEAR_ENUMERATOR) };           \
  };                                                                            \
  struct whose {                                                                \
    template <class Probe>                                                      \
    static constexpr bool free = requires { TENON_NEAR_EACH(TENON_NEAR_FREE) }; \
    TENON_NEAR_MEMBERS(whose, words, count)                                     \
  };
}  // namespace near

}  // namespace tenon
