/// @file usual_pass: which passes say only what most passes say, asked as cheaply as compilers can.
///
/// Invariant: a usual pass says nothing that its short description (`described<P, true>`) leaves out; who is not usual
/// here is described in full, which is more expensive, and asked for every fault (pass.hpp).
#pragma once

#include <tenon/fact.hpp>
#include <tenon/phase.hpp>

namespace tenon::detail {

// Names that few passes have, types and flags, whichever a pass says them as.
// clang-format off
#define TENON_UNUSUAL_NAMES(X)                                                                              \
  X(from) X(to) X(eliminates) X(handles) X(deletes) X(merges) X(moves) X(leaves) X(duplicates)              \
  X(recomputes) X(not_between) X(not_after) X(not_before) X(immediately_after) X(makes_functions_in)        \
  X(condition) X(works_on) X(emits_outside) X(encloses) X(changes) X(keeps_inside) X(at_most_once)          \
  X(version) X(looks_through) X(may_find_nothing) X(adds_functions) X(removes_functions) X(changes_functions)
// clang-format on
#define TENON_UNUSUAL_VALUE(name) name,
#define TENON_ASKED_VALUE(name) Probe::name;
struct unusual_members {
  enum : unsigned char { TENON_UNUSUAL_NAMES(TENON_UNUSUAL_VALUE) };
};
template <class Probe>
inline constexpr bool no_unusual_members = requires { TENON_UNUSUAL_NAMES(TENON_ASKED_VALUE) };
#undef TENON_UNUSUAL_NAMES
#undef TENON_UNUSUAL_VALUE
#undef TENON_ASKED_VALUE
template <class P>
inline constexpr bool is_phase = phase_type<P>;

/// What a pass must say to be one that stays in a phase.
template <class P>
concept says_the_usual = requires {
  (&P::name)->characters;
  typename P::needs;
  requires is_phase<typename P::runs_in>;
};
/// Of a class that one may derive from: is it such a pass, and says nothing else but gives, keeps or breaks, and emits?
template <class P>
concept usual_form = says_the_usual<P> && no_unusual_members<probe<P, unusual_members>>;
/// A sound form of this kind.
template <class P>
concept plain_pass = requires {
  sizeof(P);
  requires __is_class(P) && !__is_final(P) && !__is_same(P, const P);
} && usual_form<P>;

template <class... Ps>
concept all_complete = requires { requires((sizeof(Ps) != 0) && ...); };
/// Of what a class may derive beside others: each of these. What is not complete is asked for nothing else.
template <class... Ps>
concept derivable = all_complete<Ps...> && requires {
  requires((__is_class(Ps) && !__is_final(Ps) && !__is_polymorphic(Ps) && !__is_same(Ps, const Ps)) && ...);
};
/// Of these passes: does each run once? Where their names stand says which they are. (No: or nobody knows. Written
/// without calls, each of which costs a compiler more than all else here.)
constexpr bool each_once(const label* names, size_t count) {
  if (count > 400) return false;  // of 512 slots
  const char* slot[512]{};
  for (const label *at = names, *const end = names + count; at != end; ++at) {
    const char* const first = at->first;
    size_t h = at->length < 2 ? at->length
                              : at->length * 191 + size_t(first[at->length - 1]) + size_t(first[at->length - 2]) * 11;
    for (h %= 512; slot[h] != nullptr; h = (h + 1) % 512)
      if (slot[h] == first) return false;
    slot[h] = first;
  }
  return true;
}

template <bool Asked>
struct asked_of {
  template <class P>
  using type = P;
};
template <class P>
struct not_asked {
  static constexpr fixed_string name = "";
};
template <>
struct asked_of<false> {
  template <class P>
  using type = not_asked<P>;
};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winaccessible-base"  // a pass may derive from another
#if __has_builtin(__builtin_dedup_pack)
template <class... Ps>
struct probe_of_usual : __builtin_dedup_pack<Ps...>..., unusual_members {};
template <class... Ps>
concept each_derived_once = true;
#else
template <class... Ps>
struct probe_of_usual : Ps..., unusual_members {};
template <class... Ps>
consteval bool none_twice() {
  const label names[] = {{Ps::name.characters, sizeof(Ps::name.characters) - 1}..., {}};
  return each_once(names, sizeof...(Ps));
}
template <class... Ps>
concept each_derived_once = none_twice<Ps...>();
#endif
#pragma GCC diagnostic pop
template <class... Ps>
concept usual_together = each_derived_once<Ps...> && no_unusual_members<probe_of_usual<Ps...>>;
/// Softly: is each of these passes that stay in a phase a usual one? All of them are asked at once, unless one comes
/// twice, which no class may derive from, and which only clang can drop. (No: some may be, ask each.)
template <class... Ps>
concept surely_usual = derivable<Ps...> && usual_together<typename asked_of<says_the_usual<Ps>>::template type<Ps>...>;

}  // namespace tenon::detail
