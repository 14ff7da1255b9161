/// @file op_set: sets of ops, as types for their users and as sorted constants for the judge.
///
/// An op may be only declared: the judge knows it by its qualified name. `ops<…>` is the typelist; `op_set_of<List>` is
/// its constant, made once per list, sorted by key.
#pragma once

#include <tenon/meta/list.hpp>
#include <tenon/meta/near_names.hpp>
#include <tenon/meta/sentence.hpp>

namespace tenon {

/// A list of ops: what a phase may hold, what a pass eliminates or emits.
template <class... Ops>
struct ops {
  static constexpr size_t size = sizeof...(Ops);
  template <class... More>
  using with = ops<Ops..., More...>;
  template <class... Less>
  using without = meta::without_t<ops, ops<Less...>>;
  template <class Op>
  static constexpr bool contains = meta::contains_v<Op, ops>;
};

/// Stands for every op: what a builder without a list may make.
struct any_ops {};

/// In `works_on`: ops of one pattern. The pass finds nothing where one of them cannot be left.
template <class Op, class... Others>
struct together {};

/// Stands for the functions of a module where a fact says what it is true of (fact.hpp).
struct any_functions {};

/// An op as the judge sees it.
struct op_key {
  u64 key = 0;
  label qualified;
  constexpr label name() const { return meta::unqualified(qualified); }
};

/// Ops sorted by key, each once.
struct op_set {
  const op_key* data = nullptr;
  size_t size = 0;

  constexpr const op_key* begin() const { return data; }
  constexpr const op_key* end() const { return data + size; }
  constexpr bool contains(u64 key) const {
    size_t low = 0, high = size;
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (data[middle].key < key) low = middle + 1;
      else high = middle;
    }
    return low < size && data[low].key == key;
  }
};

namespace detail {
/// Sorts; duplicates are dropped. Returns how many are left. The leading bits of a key tell nearly where it belongs, so
/// each is put there, behind smaller ones (sorting by linear probing): few steps, and no template, since lists are
/// long. `keys`, where 0 is free, and `which` are for at least 5 n / 2 + 1 items.
constexpr size_t sort_ops(op_key* items, const label* decorated, size_t n, u64* keys, size_t* which) {
  const size_t homes = n + n / 2;
  size_t left = n;
  for (size_t i = 0; i < n; ++i) {
    u64 key = meta::key_of({decorated[i].first + meta::decoration, decorated[i].length - meta::decoration - 1});
    size_t at = (key >> 32) * homes >> 32, item = i;
    while (keys[at] != 0 && keys[at] < key) ++at;
    if (keys[at] == key) {
      --left;
      continue;
    }
    for (; keys[at] != 0; ++at) {
      const u64 next_key = keys[at];
      const size_t next_item = which[at];
      keys[at] = key, which[at] = item;
      key = next_key, item = next_item;
    }
    keys[at] = key, which[at] = item;
  }
  size_t count = 0;
  for (size_t at = 0; count < left; ++at) {
    if (keys[at] == 0) continue;
    items[count].key = keys[at];
    items[count].qualified.first = decorated[which[at]].first + meta::decoration;
    items[count].qualified.length = decorated[which[at]].length - meta::decoration - 1;
    ++count;
  }
  return count;
}
template <size_t N>
struct op_storage {
  op_key items[N + 1]{};
  size_t count = 0;
  constexpr op_storage() = default;
  constexpr explicit op_storage(const label (&decorated)[N + 1]) {
    u64 keys[N * 5 / 2 + 1]{};
    size_t which[N * 5 / 2 + 1]{};
    count = sort_ops(items, decorated, N, keys, which);
  }
};
template <class List>
inline constexpr op_storage<0> op_storage_of{};
template <template <class...> class List, class... Ops>
inline constexpr op_storage<sizeof...(Ops)> op_storage_of<List<Ops...>>{{meta::decorated_name<Ops>()..., {}}};
}  // namespace detail

namespace detail { inline constexpr op_key no_ops[1]{}, all_functions[1]{}; }
/// What is no list says nothing, and is reported (`using emits = op::conv` for `ops<op::conv>`): it holds an op of no
/// phase.
template <class List>
inline constexpr op_set op_set_of{detail::no_ops, 1};
constexpr bool is_no_list(const op_set& set) { return set.data == detail::no_ops; }
template <class... Ops>
inline constexpr op_set op_set_of<ops<Ops...>>{detail::op_storage_of<ops<Ops...>>.items,
                                               detail::op_storage_of<ops<Ops...>>.count};
template <>
inline constexpr op_set op_set_of<any_ops>{};

namespace detail {
template <class Op>
inline constexpr bool is_together = false;
template <class... Op>
inline constexpr bool is_together<together<Op...>> = true;
template <class T>
inline constexpr bool is_op = true;
template <class... Op>
inline constexpr bool is_op<ops<Op...>> = false;
template <>
inline constexpr bool is_op<any_ops> = false;
/// A list of ops, none of which is a list itself.
template <class List>
inline constexpr bool is_ops = false;
template <class... Op>
inline constexpr bool is_ops<ops<Op...>> = (is_op<Op> && ...);
template <class List>
inline constexpr bool is_ops_or_any = is_ops<List> || __is_same(List, any_ops);

template <size_t>
struct as_constant {};
/// It has a name, not an empty one, that can be read at compile time (so it is `static constexpr`).
template <class T>
concept has_readable_name = requires {
  *&T::name;
  typename as_constant<label(T::name).length>;
  requires label(T::name).length != 0;
};
}  // namespace detail

/// A visible way out where a list of handled ops is asked for: every op is handled alike, and the reason says how.
template <fixed_string Reason>
struct handled_by_default {
  static constexpr fixed_string reason = Reason;
};

/// The same for one op in one table (`loop_nests`, `reference_evaluation`, `text_form`, or a code generator of yours):
///
///     template <> struct tenon::handles_op<tenon::text_form, mine::handle> : tenon::handled_by_default<"it is never
///     printed"> {};
template <class Table, class Op>
struct handles_op {};
struct loop_nests {};
struct reference_evaluation {};
struct text_form {};

/// Keeps the four names that come first in the alphabet, and counts them all.
constexpr void add_sorted(label (&names)[4], size_t& shown, size_t& total, label name) {
  const auto less = [](label a, label b) {
    for (size_t i = 0; i < a.length && i < b.length; ++i)
      if (a[i] != b[i]) return a[i] < b[i];
    return a.length < b.length;
  };
  ++total;
  size_t at = 0;
  while (at < shown && !less(name, names[at])) ++at;
  if (at == 4) return;
  if (shown < 4) ++shown;
  for (size_t i = shown; i-- > at + 1;) names[i] = names[i - 1];
  names[at] = name;
}

/// Names ops in a sentence: at most `shown` of them, then how many more there are.
template <class Phrase>
constexpr Phrase& say_ops(Phrase& to, const label* names, size_t count, size_t total) {
  for (size_t i = 0; i < count; ++i) {
    if (i) to << (i + 1 == count && count == total ? " and " : ", ");
    to.quoted(names[i]);
  }
  if (total > count) to << " and " << total - count << " more";
  return to;
}

namespace detail {
/// Which ops of a list a table has nothing for, all named in one sentence. `Has<Op>::value` says whether it has
/// something.
template <fixed_string Who, fixed_string WayOut, class Table, class List, template <class> class Has>
struct coverage;
template <fixed_string Who, fixed_string WayOut, class Table, class... Op, template <class> class Has>
struct coverage<Who, WayOut, Table, ops<Op...>, Has> {
  static constexpr bool ok = ((Has<Op>::value || requires { handles_op<Table, Op>::reason; }) && ...);
  static consteval meta::phrase say() {
    const bool has[] = {(Has<Op>::value || requires { handles_op<Table, Op>::reason; })..., true};
    const label all[] = {meta::unqualified_name<Op>()..., {}};
    label names[4]{};
    size_t shown = 0, total = 0;
    for (size_t i = 0; i < sizeof...(Op); ++i)
      if (!has[i]) add_sorted(names, shown, total, all[i]);
    meta::later_t<meta::phrase, Table> s;
    say_ops(s << "tenon-E006: " << label(Who) << " has nothing for ", names, shown, total);
    return s << ": " << label(WayOut) << ", or specialize tenon::handles_op<" << meta::unqualified_name<Table>() << ", "
             << names[0] << "> : tenon::handled_by_default<...>";
  }
};
}  // namespace detail

namespace detail {
/// What a builder is for: a list of ops, or a pass, which says what it emits.
template <class T>
concept says_what_it_emits = requires {
  typename T::emits;
  typename T::needs;
};
template <class T>
struct emitted_by {
  using type = T;
};
template <says_what_it_emits T>
struct emitted_by<T> {
  using type = typename T::emits;
};
template <class Op, class For>
struct emission {
  using list = typename emitted_by<For>::type;
  static constexpr bool ok = meta::same<list, any_ops> || meta::contains_v<Op, list>;
  static consteval meta::phrase say() {
    meta::later_t<meta::phrase, Op> s;
    s << "tenon-E010: ";
    constexpr bool of_pass = says_what_it_emits<For>;
    if constexpr (of_pass) (s << "pass ").quoted(label(For::name)) << " emits ";
    else s << "a builder that makes ";
    constexpr op_set set = op_set_of<list>;
    label names[4]{};
    const size_t shown = set.size < 4 ? set.size : 4;
    for (size_t i = 0; i < shown; ++i) names[i] = set.data[i].name();
    if (set.size) say_ops(s << "only ", names, shown, set.size);
    else s << "no op at all";
    s << (of_pass ? ", and its builder cannot make " : " cannot make ");
    s.quoted(meta::unqualified_name<Op>()) << ": add ";
    s.quoted(meta::unqualified_name<Op>());
    return s << (of_pass ? " to its 'emits'" : " to the 'emits' of the pass, or to the op list of the phase");
  }
};
}  // namespace detail

/// Softly: may a builder for `List` make `Op`?
template <class Op, class List>
inline constexpr bool can_emit = detail::emission<Op, List>::ok;

/// Loudly, in the body of what makes `Op`, as `builder<List>::make<Op>` does: `may_emit<Op, List>::accept()`.
template <class Op, class List>
using may_emit = meta::answer_t<detail::emission<Op, List>>;

}  // namespace tenon
