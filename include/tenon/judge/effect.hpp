/// @file effect: what an op does besides computing its results, as types that passes answer for.
///
/// A phase lists the effects that its ops may have; an op that a user adds brings its own (`Op::effects`, or the bits
/// of `Op::traits`). A pass that deletes, merges or moves ops says of each of them how it treats it; so does one that
/// duplicates or recomputes them (duplication.hpp).
#pragma once

#include <tenon/judge/op_set.hpp>

namespace tenon {

template <class... Es>
struct effects {};
/// Whatever effects there are, and none: of a pass that does not ask (duplication.hpp), of a region from which nothing
/// is taken (barred.hpp).
struct any_effects {};

/// Which operands of an op, counted from 0: `using reads = operands<0>; using writes = operands<1>;` says that it reads
/// the memory that the first one is, and writes that of the second one. Its effects follow: they are not said again.
/// `using aliases = operands<0>`: the memory that its results are may be, in part or whole, that of the first one.
template <int... I>
struct operands {};

/// An effect may say what it allows: `duplicable`, that there are several of an op with it where there was one, of
/// which one runs for each time that the one ran; `recomputable`, that it runs again. Unsaid: it does not.
namespace effect {
struct reads {
  static constexpr fixed_string name = "reads";
  static constexpr bool duplicable = true;
};  ///< of memory that others may write
struct writes {
  static constexpr fixed_string name = "writes";
  static constexpr bool duplicable = true;
};  ///< to memory that others may read
struct allocates {
  static constexpr fixed_string name = "allocates";
  static constexpr bool duplicable = true;
};
struct random {
  static constexpr fixed_string name = "random";
  static constexpr bool duplicable = true;
};  ///< draws from random state
struct io {
  static constexpr fixed_string name = "io";
  static constexpr bool duplicable = true;
};
struct sync {
  static constexpr fixed_string name = "sync";
};  ///< waits for, or signals, another thread or device: all of them, at one place

/// The same of one resource, any type that is its name: `reads_of<struct kv_cache>`. An effect of yours is such a one
/// by a member `in`, too. Who speaks of `reads` speaks of it; who speaks of it alone says nothing of other resources.
/// What keeps the writes of a resource in a region, or forbids them there, keeps or forbids those that name none, too.
/// Passes that look at ops when they run see `reads`.
template <class Resource>
struct reads_of {
  using in = reads;
  static constexpr bool duplicable = true;
};
template <class Resource>
struct writes_of {
  using in = writes;
  static constexpr bool duplicable = true;
};
template <class Resource>
struct allocates_of {
  using in = allocates;
  static constexpr bool duplicable = true;
};
template <class Resource>
struct random_of {
  using in = random;
  static constexpr bool duplicable = true;
};
template <class Resource>
struct io_of {
  using in = io;
  static constexpr bool duplicable = true;
};
}  // namespace effect

/// All but `sync`: what most passes that delete, merge or move ops leave alone.
using side_effects = effects<effect::random, effect::reads, effect::writes, effect::allocates, effect::io>;

/// A user's answer for a pass that is not theirs; specialize it to `true` in your own file: the pass leaves ops of this
/// effect alone, or handles them right.
template <class Pass, class Effect>
inline constexpr bool treats = false;

namespace detail {
template <unsigned Bits>
using effects_of_bits =
    meta::filter_t<effects<effect::reads, effect::writes, effect::allocates, effect::random, effect::io, effect::sync>,
                   (Bits & 1) != 0, (Bits & 2) != 0, (Bits & 4) != 0, (Bits & 8) != 0, (Bits & 16) != 0,
                   (Bits & 32) != 0>;
/// An effect on one resource.
template <class E>
concept names_resource = requires { typename E::in; };
template <class E>
struct general_effect {
  using type = E;
};
template <names_resource E>
struct general_effect<E> {
  using type = typename E::in;
};
/// The effect that it is, whatever the resource.
template <class E>
using general_effect_t = typename general_effect<E>::type;
/// Is there an effect of which ops have both? Of one that names no resource, those of any.
template <class E, class F>
inline constexpr bool effects_meet =
    __is_same(E, F) || __is_same(general_effect_t<E>, F) || __is_same(E, general_effect_t<F>);

/// Does a pass say it of such an effect?
template <class E, class List>
inline constexpr bool speaks_of = __is_same(List, any_effects);
template <class E, class... Es>
inline constexpr bool speaks_of<E, effects<Es...>> = (__is_same(E, Es) || ...);
template <names_resource E, class... Es>
inline constexpr bool speaks_of<E, effects<Es...>> =
    (__is_same(E, Es) || ...) || (__is_same(typename E::in, Es) || ...);
/// Is it an item of a list?
template <class E, class List>
inline constexpr bool names_effect = false;
template <class E, class... Es>
inline constexpr bool names_effect<E, effects<Es...>> = (__is_same(E, Es) || ...);
/// Is there an effect in a list that such ops have?
template <class E, class List>
inline constexpr bool meets_any_of = __is_same(List, any_effects);
template <class E, class... Es>
inline constexpr bool meets_any_of<E, effects<Es...>> = (effects_meet<E, Es> || ...);

/// `effects_of_bits` the other way round. All effects of users are one bit, but those that say which one they are `in`.
template <class Effect>
inline constexpr unsigned effect_bit = 64;
template <names_resource Effect>
inline constexpr unsigned effect_bit<Effect> = effect_bit<typename Effect::in>;
template <>
inline constexpr unsigned effect_bit<effect::reads> = 1;
template <>
inline constexpr unsigned effect_bit<effect::writes> = 2;
template <>
inline constexpr unsigned effect_bit<effect::allocates> = 4;
template <>
inline constexpr unsigned effect_bit<effect::random> = 8;
template <>
inline constexpr unsigned effect_bit<effect::io> = 16;
template <>
inline constexpr unsigned effect_bit<effect::sync> = 32;
/// By its `name`, or as its type is called.
template <class E>
constexpr label effect_name() {
  if constexpr (requires { label(E::name); }) return E::name;
  else return meta::unqualified_name<E>();
}
template <class List>
inline constexpr bool is_effects = false;
template <class... Es>
inline constexpr bool is_effects<effects<Es...>> = true;
/// Of what an op says of its regions (region_rule.hpp), what is no list; "both", if it says two things; empty: nothing.
template <class Op>
constexpr const char* odd_region() {
  constexpr bool allows = requires { typename Op::region_allows; };
  if constexpr (requires {
                  requires !is_effects<typename Op::region_keeps>;
                  requires !__is_same(typename Op::region_keeps, any_effects);
                })
    return "region_keeps";
  if constexpr (requires { typename Op::region_forbids; }) {
    using list = typename Op::region_forbids;
    return allows ? "both" : is_ops<list> || is_effects<list> ? "" : "region_forbids";
  } else if constexpr (allows) {
    using list = typename Op::region_allows;
    return is_ops<list> || is_effects<list> ? "" : "region_allows";
  } else {
    return "";
  }
}
template <class Phrase>
constexpr Phrase& say_idle(Phrase& s, label op) {
  return s.quoted(op) << " has no results and no effects, and ends no region: it does nothing, and dead-code "
                         "elimination deletes it; "
                         "say what it does with 'using effects = tenon::effects<...>'";
}
/// Operands as bits; 0 for what is no list of them.
template <class List>
inline constexpr unsigned operand_bits = 0;
template <int... I>
inline constexpr unsigned operand_bits<operands<I...>> = (0u | ... | (I >= 0 && I < 32 ? 1u << I : 0u));
template <class List>
inline constexpr bool is_operands = false;
template <int... I>
inline constexpr bool is_operands<operands<I...>> = sizeof...(I) != 0 && ((I >= 0 && I < 32) && ...);
template <class Op>
constexpr unsigned operands_read() {
  if constexpr (requires { typename Op::reads; }) return operand_bits<typename Op::reads>;
  else return 0;
}
template <class Op>
constexpr unsigned operands_written() {
  if constexpr (requires { typename Op::writes; }) return operand_bits<typename Op::writes>;
  else return 0;
}
/// Whose memory its results may share, by `aliases` and `traits.view`.
template <class Op>
constexpr unsigned operands_aliased() {
  unsigned all = 0;
  if constexpr (requires { typename Op::aliases; }) all = operand_bits<typename Op::aliases>;
  if constexpr (requires { requires Op::traits.view; }) all |= 1;
  return all;
}
/// All effects that an op says, by `effects`, `reads` and `writes`: whoever asks for them asks here.
template <class Op>
constexpr auto effects_said() {
  using in =
      meta::filter_t<effects<effect::reads, effect::writes>, operands_read<Op>() != 0, operands_written<Op>() != 0>;
  if constexpr (requires { typename Op::effects; })
    return meta::detail::box<meta::unique_t<meta::concat_t<typename Op::effects, in>>>{};
  else return meta::detail::box<in>{};
}
/// An operand that an op says it reads, writes or aliases, and has not; -1: none.
template <class Op>
constexpr int operand_beyond() {
  const unsigned said = operands_read<Op>() | operands_written<Op>() | operands_aliased<Op>();
  if constexpr (requires { Op::traits.max_operands; })
    for (int i = Op::traits.max_operands; i >= 0 && i < 32; ++i)
      if (said >> i & 1) return i;
  return -1;
}
/// It has `traits` that nobody can read: a type, data of each object, no constant.
template <class Op>
concept odd_traits = requires { typename Op::traits; } || (requires { Op::traits; } && !requires {
  *&Op::traits;
  typename as_constant<static_cast<size_t>(Op::traits.results)>;
});
/// An op whose effects nobody reads would be taken for a pure one, and deleted; one that says that it has none, no
/// result either, and ends nothing, does nothing.
template <class Op>
struct op_check {
  static constexpr misnomer miss = [] {
    constexpr misnomer near_one = near::misnomer_of<Op, near::op>();
    if constexpr (near_one.said.length != 0 || meta::is_built_in<Op>()) return near_one;
    else if constexpr (odd_traits<Op>)
      return misnomer{{"traits", 6}, {"static constexpr tenon::op_traits traits{...}", 45}};
    else return near::value_for_type<Op>(near::op{});
  }();
  static constexpr bool unlisted = [] {
    if constexpr (requires { typename Op::effects; }) return !is_effects<typename Op::effects>;
    else return false;
  }();
  /// It reads, writes or aliases what is no list of operands.
  static constexpr const char* no_operands = [] {
    if constexpr (requires { typename Op::reads; })
      if (!is_operands<typename Op::reads>) return "reads";
    if constexpr (requires { typename Op::writes; })
      if (!is_operands<typename Op::writes>) return "writes";
    if constexpr (requires { typename Op::aliases; })
      if (!is_operands<typename Op::aliases>) return "aliases";
    return "";
  }();
  static constexpr const char* region = odd_region<Op>();
  static constexpr int beyond = [] {
    if constexpr (miss.said.length != 0 || unlisted || no_operands[0] != 0) return -1;
    else return operand_beyond<Op>();
  }();
  static constexpr bool idle = [] {
    if constexpr (miss.said.length != 0 || unlisted || no_operands[0] != 0) return false;
    else if constexpr (requires { Op::traits.results; }) {
      if (meta::size_v<typename decltype(effects_said<Op>())::type> != 0) return false;
      return Op::traits.results == 0 && !Op::traits.terminator && static_cast<unsigned>(Op::traits.effects) == 0;
    } else {
      return false;
    }
  }();
  static constexpr bool ok =
      miss.said.length == 0 && !unlisted && !idle && no_operands[0] == 0 && beyond < 0 && region[0] == 0;
  static consteval meta::phrase say() {
    meta::later_t<meta::phrase, Op> s;
    if (idle) return say_idle(s << "tenon-E037: op ", effect_name<Op>());
    if constexpr (beyond >= 0)
      return (s << "tenon-E037: op ").quoted(effect_name<Op>())
             << " says that it "
             << (operands_written<Op>() >> beyond & 1 ? "writes"
                 : operands_read<Op>() >> beyond & 1  ? "reads"
                                                      : "aliases")
             << " operand " << static_cast<size_t>(beyond) << ", counted from 0, and takes "
             << static_cast<size_t>(Op::traits.max_operands)
             << " at most: name operands that it has, or raise 'max_operands'";
    if (no_operands[0])
      return (s << "tenon-E008: op ").quoted(effect_name<Op>())
             << " says what it " << no_operands << " without a list of operands: write 'using " << no_operands
             << " = tenon::operands<0>'";
    (s << "tenon-E008: op ").quoted(effect_name<Op>());
    if (region[0] == 'b') return s << " says both 'region_allows' and 'region_forbids': say one of them";
    if (region[0])
      return s << " says '" << region << "' without a list: write 'using " << region
               << (region[7] == 'k' ? " = tenon::effects<...>'" : " = tenon::ops<...>', or tenon::effects<...>");
    if (unlisted) return s << " says its 'effects' without a list: write 'using effects = tenon::effects<...>'";
    (s << " has a member ").quoted(miss.said) << ", which means nothing: write '";
    if (miss.meant == label{"effects", 7}) return s << "using effects = tenon::effects<...>'";
    if (miss.meant == label{"reads", 5} || miss.meant == label{"writes", 6} || miss.meant == label{"aliases", 7})
      return s << "using " << miss.meant << " = tenon::operands<...>'";
    return s << miss.meant << "'";
  }
};
/// It says what its regions may hold, or keep, and by a list (region_rule.hpp).
template <class Op>
concept limits_region = (
    requires { typename Op::region_allows; } || requires { typename Op::region_forbids; } ||
    requires { typename Op::region_keeps; }) && odd_region<Op>()[0] == 0;
/// What there is to say of an op where it is listed. Of one that is only declared here nobody can tell.
enum class op_kind : unsigned char { usual, odd, limiting };
template <class Op>
inline constexpr op_kind kind_of_op = op_kind::usual;
template <class Op>
  requires(sizeof(Op) != 0 && __is_class(Op))
inline constexpr op_kind kind_of_op<Op> = !op_check<Op>::ok   ? op_kind::odd
                                          : limits_region<Op> ? op_kind::limiting
                                                              : op_kind::usual;
template <class Op>
inline constexpr bool sound_op = kind_of_op<Op> != op_kind::odd;
/// Is there one of each kind in a list? What is no list has none.
struct op_kinds {
  bool odd = false, limiting = false;
};
template <class List>
inline constexpr op_kinds kinds_in{};
// (No lambda: of those that are instantiated where nothing is wrong, each costs clang half a million instructions.)
constexpr op_kinds kinds_among(const op_kind* kinds, size_t count) {
  op_kinds k;
  for (size_t i = 0; i < count; ++i)
    if (kinds[i] != op_kind::usual) (kinds[i] == op_kind::odd ? k.odd : k.limiting) = true;
  return k;
}
template <class... Op>
inline constexpr op_kind kinds_listed[] = {kind_of_op<Op>...};
template <class First, class... Op>
inline constexpr op_kinds kinds_in<ops<First, Op...>> = kinds_among(kinds_listed<First, Op...>, 1 + sizeof...(Op));
/// What is wrong with an op, beginning with its name; empty: nothing.
template <class Op>
inline constexpr meta::phrase odd_said = op_check<Op>::say();
template <class Op>
constexpr label odd_text() {
  if constexpr (sound_op<Op>) return {};
  else return {odd_said<Op>.characters + 15, odd_said<Op>.length - 15};  // without "tenon-E037: op "
}
template <class Op>
constexpr bool says_effects_right() {
  static_assert(meta::answer_t<op_check<Op>>::accepted,
                "tenon-E008, tenon-E037: what this op says of its effects means nothing; the note below says why");
  return true;
}

template <class List>
inline constexpr unsigned bits_of_effects = 0;
template <class... Es>
inline constexpr unsigned bits_of_effects<effects<Es...>> = (0u | ... | effect_bit<Es>);
template <>
inline constexpr unsigned bits_of_effects<any_effects> = ~0u;

template <class Op>
constexpr auto effects_of() {
  static_assert(says_effects_right<Op>());
  using said = typename decltype(effects_said<Op>())::type;
  if constexpr (requires { Op::traits.effects; })
    return meta::detail::box<
        meta::unique_t<meta::concat_t<said, effects_of_bits<static_cast<unsigned>(Op::traits.effects)>>>>{};
  else return meta::detail::box<said>{};
}
}  // namespace detail

/// The effects of a complete op, by `effects` and by the bits of its `traits`; none if it says nothing.
template <class Op>
using effects_of_t = typename decltype(detail::effects_of<Op>())::type;

namespace detail {
/// Of all ops of a list; one may come several times.
template <class List>
struct effects_of_ops;
template <class... Ops>
struct effects_of_ops<ops<Ops...>> {
  using type = meta::concat_t<effects<>, effects_of_t<Ops>...>;
};
}  // namespace detail

}  // namespace tenon
