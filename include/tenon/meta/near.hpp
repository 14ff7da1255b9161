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

/// What derives from `S` and from `Members` finds each member of the latter without ambiguity exactly if `S` has none
/// of that name: one list of names is asked for, which costs one requirement, not many. The names are enumerators, the
/// cheapest ones.
template <class S, class Members>
struct probe : S, Members {};
template <class...>
struct types {};
}  // namespace detail

namespace near {
using detail::member_of;

constexpr size_t first_true(const bool* flags) {
  size_t at = 0;
  while (!flags[at]) ++at;
  return at;
}
constexpr size_t first_false(const bool* flags) {
  size_t at = 0;
  while (flags[at]) ++at;
  return at;
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
/// asked for once more by itself: a class, and a base, may be named so, and a member that holds data (`*&T::name` asks
/// for what is static).
template <class T, class Names>
constexpr misnomer misnomer_of() {
  if constexpr (requires {
                  sizeof(T);
                  requires __is_class(T);
                }) {
    if constexpr (__is_final(T)) {
      if (const size_t at = Names::template found_word<T>(); at < Names::words) return name_at(Names::meanings, at);
    } else if constexpr (!Names::template free<detail::probe<T, typename Names::names>>) {
      size_t at = Names::template found_word<T>();
      if (at == Names::words) at = Names::template found_slip<detail::probe<T, typename Names::names>>();
      if (at < Names::count) return name_at(Names::meanings, at);
    }
  }
  return {};
}
}  // namespace near

}  // namespace tenon
