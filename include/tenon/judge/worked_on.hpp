/// @file worked_on: what a pass says that it works on, as data: ops that it finds alone, and patterns of several.
#pragma once

#include <tenon/judge/op_set.hpp>
#include <tenon/judge/rare_parts.hpp>

namespace tenon::detail {

template <class... Lists>
struct op_patterns {};
/// What `works_on` lists: all ops, and which of them are patterns of several.
template <class Op>
struct worked_on {
  using all = ops<Op>;
  using alone = ops<Op>;
  using patterns = op_patterns<>;
};
template <class... Op>
struct worked_on<together<Op...>> {
  using all = ops<Op...>;
  using alone = ops<>;
  using patterns = op_patterns<ops<Op...>>;
};
template <class... Op>
struct worked_on<ops<Op...>> {
  using all = meta::unique_t<meta::concat_t<ops<>, typename worked_on<Op>::all...>>;
  using alone = meta::concat_t<ops<>, typename worked_on<Op>::alone...>;
  using patterns = meta::concat_t<op_patterns<>, typename worked_on<Op>::patterns...>;
};
template <class Alone, class... Pattern>
inline constexpr op_set pattern_sets[] = {op_set_of<Alone>, op_set_of<Pattern>...};
template <class Alone, class... Pattern>
constexpr const op_set* sets_of(meta::detail::box<op_patterns<Pattern...>>) {
  return pattern_sets<Alone, Pattern...>;
}
template <class List>
constexpr void describe_works_on(rare_parts& d, meta::detail::box<List>) {
  d.works_on = &op_set_of<List>;
}
template <class... Op>
  requires(is_together<Op> || ...)
constexpr void describe_works_on(rare_parts& d, meta::detail::box<ops<Op...>>) {
  using list = worked_on<ops<Op...>>;
  d.works_on = &op_set_of<typename list::all>;
  d.patterns = sets_of<typename list::alone>(meta::detail::box<typename list::patterns>{});
  d.pattern_count = meta::size_v<typename list::patterns>;
}

/// What a pass works on, and deletes or merges some; of passes that are repeated, what any of them does.
template <class P>
constexpr auto rewritten_by() {
  if constexpr (!requires { typename P::works_on; }) return meta::detail::box<ops<>>{};
  else if constexpr (requires { typename P::deletes; } || requires { typename P::merges; })
    return meta::detail::box<typename worked_on<typename P::works_on>::all>{};
  else return meta::detail::box<ops<>>{};
}
template <class P>
struct rewritten : decltype(rewritten_by<P>()) {};
template <class... Ps>
struct rewritten<repeat<Ps...>> : meta::detail::box<meta::concat_t<ops<>, typename rewritten<Ps>::type...>> {};

}  // namespace tenon::detail
