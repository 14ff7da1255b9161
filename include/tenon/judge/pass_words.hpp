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

namespace words {
template <class... Ts>
struct needs {
  enum : unsigned { word = 1u << 0 };
  struct said {
    using needs = typename detail::said_list<facts, Ts...>::type;
  };
};
template <class T>
struct runs_in {
  enum : unsigned { word = 1u << 1 };
  struct said {
    using runs_in = T;
  };
};
template <class T>
struct from {
  enum : unsigned { word = 1u << 2 };
  struct said {
    using from = T;
  };
};
template <class T>
struct to {
  enum : unsigned { word = 1u << 3 };
  struct said {
    using to = T;
  };
};
template <class... Ts>
struct gives {
  enum : unsigned { word = 1u << 4 };
  struct said {
    using gives = typename detail::said_list<facts, Ts...>::type;
  };
};
template <class... Ts>
struct keeps {
  enum : unsigned { word = 1u << 5 };
  struct said {
    using keeps = typename detail::said_list<facts, Ts...>::type;
  };
};
template <class... Ts>
struct breaks {
  enum : unsigned { word = 1u << 6 };
  struct said {
    using breaks = typename detail::said_list<facts, Ts...>::type;
  };
};
template <class... Ts>
struct emits {
  enum : unsigned { word = 1u << 7 };
  struct said {
    using emits = typename detail::said_list<ops, Ts...>::type;
  };
};
template <class... Ts>
struct eliminates {
  enum : unsigned { word = 1u << 8 };
  struct said {
    using eliminates = typename detail::said_list<ops, Ts...>::type;
  };
};
template <class... Ts>
struct handles {
  enum : unsigned { word = 1u << 9 };
  struct said {
    using handles = typename detail::said_list<ops, Ts...>::type;
  };
};
template <class... Ts>
struct deletes {
  enum : unsigned { word = 1u << 10 };
  struct said {
    using deletes = typename detail::said_list<effects, Ts...>::type;
  };
};
template <class... Ts>
struct merges {
  enum : unsigned { word = 1u << 11 };
  struct said {
    using merges = typename detail::said_list<effects, Ts...>::type;
  };
};
template <class... Ts>
struct moves {
  enum : unsigned { word = 1u << 12 };
  struct said {
    using moves = typename detail::said_list<effects, Ts...>::type;
  };
};
template <class... Ts>
struct leaves {
  enum : unsigned { word = 1u << 13 };
  struct said {
    using leaves = typename detail::said_list<effects, Ts...>::type;
  };
};
template <class... Ts>
struct duplicates {
  enum : unsigned { word = 1u << 14 };
  struct said {
    using duplicates = typename detail::said_list<effects, Ts...>::type;
  };
};
template <class... Ts>
struct recomputes {
  enum : unsigned { word = 1u << 15 };
  struct said {
    using recomputes = typename detail::said_list<effects, Ts...>::type;
  };
};
template <class T>
struct options {
  enum : unsigned { word = 1u << 16 };
  struct said {
    using options = T;
  };
};
template <class... Ts>
struct works_on {
  enum : unsigned { word = 1u << 17 };
  struct said {
    using works_on = typename detail::said_list<ops, Ts...>::type;
  };
};
template <class... Ts>
struct emits_outside {
  enum : unsigned { word = 1u << 18 };
  struct said {
    using emits_outside = typename detail::said_list<ops, Ts...>::type;
  };
};
template <class... Ts>
struct encloses {
  enum : unsigned { word = 1u << 19 };
  struct said {
    using encloses = typename detail::said_list<ops, Ts...>::type;
  };
};
template <class... Ts>
struct changes {
  enum : unsigned { word = 1u << 20 };
  struct said {
    using changes = typename detail::said_list<ops, Ts...>::type;
  };
};
template <class A, class B>
struct not_between {
  enum : unsigned { word = 1u << 21 };
  struct said {
    using not_between = window<A, B>;
  };
};
template <class T>
struct not_after {
  enum : unsigned { word = 1u << 22 };
  struct said {
    using not_after = T;
  };
};
template <class T>
struct immediately_after {
  enum : unsigned { word = 1u << 23 };
  struct said {
    using immediately_after = T;
  };
};
template <class T>
struct makes_functions_in {
  enum : unsigned { word = 1u << 24 };
  struct said {
    using makes_functions_in = T;
  };
};
template <class... Ts>
struct needs_of_device {
  enum : unsigned { word = 1u << 25 };
  struct said {
    using needs_of_device = typename detail::said_list<capabilities, Ts...>::type;
  };
};
template <class... Ts>
struct needs_of_runtime {
  enum : unsigned { word = 1u << 26 };
  struct said {
    using needs_of_runtime = typename detail::said_list<capabilities, Ts...>::type;
  };
};
template <int Number>
struct version {
  enum : unsigned { word = 1u << 27 };
  struct said {
    static constexpr int version = Number;
  };
};
struct at_most_once {
  enum : unsigned { word = 1u << 28 };
  struct said {
    static constexpr bool at_most_once = true;
  };
};
struct may_find_nothing {
  enum : unsigned { word = 1u << 29 };
  struct said {
    static constexpr bool may_find_nothing = true;
  };
};
}  // namespace words
}  // namespace tenon
