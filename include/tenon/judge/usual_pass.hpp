/// @file usual_pass: which passes say only what most passes say, asked as cheaply as compilers can.
///
/// Invariant: a usual pass says nothing that its short description (`described<P, true>`) leaves out; who is not usual
/// here is described in full, which is dearer, and asked for every fault (pass.hpp).
#pragma once

#include <tenon/fact.hpp>
#include <tenon/phase.hpp>

namespace tenon::detail {

/// Names that few passes have.
struct unusual_members {
  using from = unsaid_member;
  using to = unsaid_member;
  using eliminates = unsaid_member;
  using handles = unsaid_member;
  using deletes = unsaid_member;
  using merges = unsaid_member;
  using moves = unsaid_member;
  using leaves = unsaid_member;
  using duplicates = unsaid_member;
  using recomputes = unsaid_member;
  using not_between = unsaid_member;
  using not_after = unsaid_member;
  using not_before = unsaid_member;
  using immediately_after = unsaid_member;
  using makes_functions_in = unsaid_member;
  using condition = unsaid_member;
  using works_on = unsaid_member;
  using emits_outside = unsaid_member;
  using encloses = unsaid_member;
  using changes = unsaid_member;
  using keeps_inside = unsaid_member;
  static constexpr int at_most_once = 0, version = 0, may_find_nothing = 0, adds_functions = 0, removes_functions = 0;
};
template <class Probe>
using no_unusual_members =
    types<typename Probe::from, typename Probe::to, typename Probe::eliminates, typename Probe::handles,
          typename Probe::deletes, typename Probe::merges, typename Probe::moves, typename Probe::leaves,
          typename Probe::duplicates, typename Probe::recomputes, typename Probe::not_between,
          typename Probe::not_after, typename Probe::not_before, typename Probe::immediately_after,
          typename Probe::makes_functions_in, typename Probe::condition, typename Probe::works_on,
          typename Probe::emits_outside, typename Probe::encloses, typename Probe::changes,
          typename Probe::keeps_inside, decltype(Probe::at_most_once), decltype(Probe::version),
          decltype(Probe::may_find_nothing), decltype(Probe::adds_functions), decltype(Probe::removes_functions)>;
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
concept usual_form = says_the_usual<P> && requires { typename no_unusual_members<probe<P, unusual_members>>; };
/// A sound form of this kind.
template <class P>
concept plain_pass = requires {
  sizeof(P);
  requires __is_class(P) && !__is_final(P) && !__is_same(P, const P);
} && usual_form<P>;

/// Softly: is each of these passes that stay in a phase a usual one? All of them are asked at once where the compiler
/// can drop those that come twice, which no class may derive from. (No: some may be, ask each.)
#if __has_builtin(__builtin_dedup_pack)
template <bool Asked>
struct asked_of {
  template <class P>
  using type = P;
};
template <>
struct asked_of<false> {
  struct nobody {};
  template <class P>
  using type = nobody;
};
#  pragma clang diagnostic push
#  pragma clang diagnostic ignored "-Winaccessible-base"  // a pass may derive from another
template <class... Ps>
struct probe_of_all : __builtin_dedup_pack<typename asked_of<says_the_usual<Ps>>::template type<Ps>...>...,
                      unusual_members {};
#  pragma clang diagnostic pop
template <class... Ps>
concept surely_usual = requires {
  requires((sizeof(Ps) != 0 && __is_class(Ps) && !__is_final(Ps) && !__is_polymorphic(Ps) && !__is_const(Ps)) && ...);
  typename no_unusual_members<probe_of_all<Ps...>>;
};
#else
template <class... Ps>
concept surely_usual = false;
#endif

}  // namespace tenon::detail
