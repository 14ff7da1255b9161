/// @file near_miss: members of a pass that mean nothing, and whose names are nearly those of members that do.
///
/// A pipeline asks for all names of all its passes at once (`first_misspelt`), since each name asked for costs the same
/// of one class as of many.
#pragma once

#include <tenon/judge/pass_desc.hpp>

namespace tenon::detail {

/// The first member of `P` that nobody reads; const, and no classes, are reported otherwise.
template <class P>
constexpr misnomer misspelling_of() {
  if constexpr (__is_same(P, const P) || meta::is_built_in<P>()) return {};
  else return near::misnomer_of<P, near::pass>();
}

constexpr label label_of(const char* text) {
  size_t n = 0;
  while (text[n]) ++n;
  return {text, n};
}
constexpr int first_false(const bool* flags, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!flags[i]) return static_cast<int>(i);
  return -1;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winaccessible-base"  // a pass may derive from another
template <class Names, class... Ps>
struct probe_at_once : Ps..., Names {};
#pragma GCC diagnostic pop
template <class Names, class... Ps>
auto probe_once(meta::detail::box<pass_list<Ps...>>) -> probe_at_once<Names, Ps...>;

/// Of these passes, by their descriptions: does each run once?
template <size_t N>
constexpr bool each_once(const pass_desc* const (&passes)[N]) {
  label names[N]{};
  for (size_t i = 0; i + 1 < N; ++i) names[i] = passes[i]->name;
  return each_once(names, N - 1);
}
/// Has surely none of the passes such a member? No class may derive from one twice, and pipelines run some twice:
/// `EachOnce` says that these do not.
template <bool EachOnce, class... Ps>
constexpr bool surely_spelled_right() {
  if constexpr (!derivable<Ps...>) {
    return false;
  } else if constexpr (EachOnce) {
    return near::pass::free<probe_at_once<near::pass::names, Ps...>>;
  } else {
    using each = meta::unique_t<pass_list<Ps...>>;
    using probe = decltype(probe_once<near::pass::names>(meta::detail::box<each>{}));
    return near::pass::free<probe>;
  }
}
/// The first pass that has such a member; -1: none. `Passes`: their descriptions; of two unsound ones nobody knows
/// whether they are the same.
template <const auto& Passes, class... Ps>
constexpr int first_misspelt() {
  if constexpr (surely_spelled_right<each_once(Passes), Ps...>()) {
    return -1;
  } else {
    const bool right[] = {misspelling_of<Ps>().said.length == 0 ..., true};
    return first_false(right, sizeof...(Ps));
  }
}

}  // namespace tenon::detail
