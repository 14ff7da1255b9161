/// @file pass_words: what a pass may say of itself, as types, for its closed form (judge/pass_of.hpp).
/// Made by cmake/pass_words.awk from the words of cmake/near_names.txt.
#pragma once

#include <tenon/judge/pass_desc.hpp>

namespace tenon {
template <class...>
struct capabilities;  // targets/capability.hpp

namespace detail {
/// A list of its items, or the list itself.
template <template <class...> class List, class... Ts>
struct said_list {
  using type = List<Ts...>;
};
template <template <class...> class List, class... Ts>
struct said_list<List, List<Ts...>> {
  using type = List<Ts...>;
};
template <>
struct said_list<facts, all_facts> {
  using type = all_facts;
};
template <>
struct said_list<ops, any_ops> {
  using type = any_ops;
};
template <>
struct said_list<effects, any_effects> {
  using type = any_effects;
};
template <fixed_string Reason>
struct said_list<ops, handled_by_default<Reason>> {
  using type = handled_by_default<Reason>;
};
}  // namespace detail

// clang-format off
// The place of a word, and what a pass says by it.
#define TENON_WORD(place, ...) \
  {                            \
    enum : unsigned long long { word = 1ull << place }; \
    struct said {              \
      __VA_ARGS__;             \
    };                         \
  };
namespace words {
template <class... Ts>
struct needs TENON_WORD(0, using needs = typename detail::said_list<facts, Ts...>::type)
template <class T>
struct runs_in TENON_WORD(1, using runs_in = T)
template <class T>
struct from TENON_WORD(2, using from = T)
template <class T>
struct to TENON_WORD(3, using to = T)
template <class... Ts>
struct gives TENON_WORD(4, using gives = typename detail::said_list<facts, Ts...>::type)
template <class... Ts>
struct keeps TENON_WORD(5, using keeps = typename detail::said_list<facts, Ts...>::type)
template <class... Ts>
struct breaks TENON_WORD(6, using breaks = typename detail::said_list<facts, Ts...>::type)
template <class... Ts>
struct emits TENON_WORD(7, using emits = typename detail::said_list<ops, Ts...>::type)
template <class... Ts>
struct eliminates TENON_WORD(8, using eliminates = typename detail::said_list<ops, Ts...>::type)
template <class... Ts>
struct handles TENON_WORD(9, using handles = typename detail::said_list<ops, Ts...>::type)
template <class... Ts>
struct deletes TENON_WORD(10, using deletes = typename detail::said_list<effects, Ts...>::type)
template <class... Ts>
struct merges TENON_WORD(11, using merges = typename detail::said_list<effects, Ts...>::type)
template <class... Ts>
struct moves TENON_WORD(12, using moves = typename detail::said_list<effects, Ts...>::type)
template <class... Ts>
struct leaves TENON_WORD(13, using leaves = typename detail::said_list<effects, Ts...>::type)
template <class... Ts>
struct keeps_inside TENON_WORD(14, using keeps_inside = typename detail::said_list<effects, Ts...>::type)
template <class... Ts>
struct duplicates TENON_WORD(15, using duplicates = typename detail::said_list<effects, Ts...>::type)
template <class... Ts>
struct recomputes TENON_WORD(16, using recomputes = typename detail::said_list<effects, Ts...>::type)
template <class... Ts>
struct works_on TENON_WORD(17, using works_on = typename detail::said_list<ops, Ts...>::type)
template <class... Ts>
struct emits_outside TENON_WORD(18, using emits_outside = typename detail::said_list<ops, Ts...>::type)
template <class... Ts>
struct encloses TENON_WORD(19, using encloses = typename detail::said_list<ops, Ts...>::type)
template <class... Ts>
struct changes TENON_WORD(20, using changes = typename detail::said_list<ops, Ts...>::type)
template <class... Ts>
struct looks_through TENON_WORD(21, using looks_through = typename detail::said_list<ops, Ts...>::type)
template <class A, class B>
struct not_between TENON_WORD(22, using not_between = interval<A, B>)
template <class T>
struct not_after TENON_WORD(23, using not_after = T)
template <class T>
struct not_before TENON_WORD(24, using not_before = T)
template <class T>
struct immediately_after TENON_WORD(25, using immediately_after = T)
template <class T>
struct makes_functions_in TENON_WORD(26, using makes_functions_in = T)
struct adds_functions TENON_WORD(27, static constexpr bool adds_functions = true)
struct removes_functions TENON_WORD(28, static constexpr bool removes_functions = true)
struct changes_functions TENON_WORD(29, static constexpr bool changes_functions = true)
template <class... Ts>
struct needs_of_device TENON_WORD(30, using needs_of_device = typename detail::said_list<capabilities, Ts...>::type)
template <class... Ts>
struct needs_of_runtime TENON_WORD(31, using needs_of_runtime = typename detail::said_list<capabilities, Ts...>::type)
template <int Number>
struct version TENON_WORD(32, static constexpr int version = Number)
struct at_most_once TENON_WORD(33, static constexpr bool at_most_once = true)
struct may_find_nothing TENON_WORD(34, static constexpr bool may_find_nothing = true)
}  // namespace words
// clang-format on
#undef TENON_WORD
}  // namespace tenon
