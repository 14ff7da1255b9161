/// @file list: what one does with a pack of types, without recursion: join, filter, ask.
///
/// Any template of types is a list (`ops<…>`, `facts<…>`, `pass_list<…>`).
#pragma once

#include <tenon/meta/type_name.hpp>

namespace tenon::meta {

template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;

template <class T, class List>
inline constexpr bool contains_v = false;
template <class T, template <class...> class List, class... Ts>
inline constexpr bool contains_v<T, List<Ts...>> = (same<T, Ts> || ...);

template <class List>
inline constexpr size_t size_v = 0;
template <template <class...> class List, class... Ts>
inline constexpr size_t size_v<List<Ts...>> = sizeof...(Ts);

namespace detail {
template <class T>
struct box {
  using type = T;
};

/// Joins eight lists a step.
template <class List, class... Lists>
struct join {
  using type = List;
};
template <template <class...> class L, class... A, class... B>
struct join<L<A...>, L<B...>> {
  using type = L<A..., B...>;
};
template <template <class...> class L, class... A, class... B, class... C>
struct join<L<A...>, L<B...>, L<C...>> {
  using type = L<A..., B..., C...>;
};
template <template <class...> class L, class... A, class... B, class... C, class... D, class... Rest>
struct join<L<A...>, L<B...>, L<C...>, L<D...>, Rest...> : join<L<A..., B..., C..., D...>, Rest...> {};
template <template <class...> class L, class... A, class... B, class... C, class... D, class... E, class... F,
          class... G, class... H, class... Rest>
struct join<L<A...>, L<B...>, L<C...>, L<D...>, L<E...>, L<F...>, L<G...>, L<H...>, Rest...>
    : join<L<A..., B..., C..., D..., E..., F..., G..., H...>, Rest...> {};

template <size_t... I>
struct indices {};
template <class T, T... I>
struct sequence {
  using type = indices<I...>;
};
template <size_t N>
using make_indices =
#if defined(__clang__)
    typename __make_integer_seq<sequence, size_t, N>::type;
#else
    indices<__integer_pack(N)...>;
#endif

template <size_t I, class T>
struct indexed {};
template <class Indices, class... Ts>
struct index_map;
template <size_t... I, class... Ts>
struct index_map<indices<I...>, Ts...> : indexed<I, Ts>... {};
template <size_t I, class T>
box<T> at(indexed<I, T>*);

template <template <class...> class List, class T, bool Keep>
struct kept {
  using type = List<T>;
};
template <template <class...> class List, class T>
struct kept<List, T, false> {
  using type = List<>;
};
template <class List, bool... Keep>
struct filter;
template <template <class...> class List, class... Ts, bool... Keep>
struct filter<List<Ts...>, Keep...> : join<List<>, typename kept<List, Ts, Keep>::type...> {};

template <class List, class Others>
struct without;
template <template <class...> class List, class... Ts, class Others>
struct without<List<Ts...>, Others> : filter<List<Ts...>, !contains_v<Ts, Others>...> {};
template <template <class...> class List, class... Ts>
struct without<List<Ts...>, List<Ts...>> {  // a list without itself: common, and needs no comparison
  using type = List<>;
};

template <class First, class... Rest>
struct unique;
template <template <class...> class List, class... Ts>
struct unique<List<Ts...>> {
  template <size_t... I>
  static consteval auto firsts(indices<I...>) {
    struct {
      bool keep[sizeof...(Ts) + 1];
    } r{};
    const u64 keys[] = {type_key<Ts>..., 0};
    for (size_t i = 0; i < sizeof...(Ts); ++i) {
      r.keep[i] = true;
      for (size_t j = 0; j < i && r.keep[i]; ++j) r.keep[i] = keys[j] != keys[i];
    }
    return r;
  }
  static constexpr auto first = firsts(make_indices<sizeof...(Ts)>{});
  template <size_t... I>
  static auto pick(indices<I...>) -> typename filter<List<Ts...>, first.keep[I]...>::type;
  using type = decltype(pick(make_indices<sizeof...(Ts)>{}));
};
}  // namespace detail

/// The type at a position.
template <size_t I, class List>
struct nth;
template <size_t I, template <class...> class List, class... Ts>
struct nth<I, List<Ts...>> {
  using type = typename decltype(detail::at<I>(
      static_cast<detail::index_map<detail::make_indices<sizeof...(Ts)>, Ts...>*>(nullptr)))::type;
};
template <size_t I, class List>
using nth_t = typename nth<I, List>::type;

/// The lists, one after the other.
template <class... Lists>
using concat_t = typename detail::join<Lists...>::type;
/// The types of `List` whose flag is set.
template <class List, bool... Keep>
using filter_t = typename detail::filter<List, Keep...>::type;
/// `List` less the types that `Others` has.
template <class List, class Others>
using without_t = typename detail::without<List, Others>::type;
/// Each type once, where it came first.
template <class List>
using unique_t = typename detail::unique<List>::type;

}  // namespace tenon::meta
