/// @file effect: what an op does besides computing its results, as types that passes answer for.
///
/// A phase lists the effects that its ops may have; an op that a user adds brings its own (`Op::effects`, or the bits of
/// `Op::traits`). A pass that deletes, merges or moves ops says of each of them how it treats it.
#pragma once

#include <tenon/meta/list.hpp>

namespace tenon {

template <class... Es>
struct effects {};

namespace effect {
struct reads { static constexpr fixed_string name = "reads"; };          ///< of memory that others may write
struct writes { static constexpr fixed_string name = "writes"; };        ///< to memory that others may read
struct allocates { static constexpr fixed_string name = "allocates"; };
struct random { static constexpr fixed_string name = "random"; };        ///< draws from random state
struct io { static constexpr fixed_string name = "io"; };
struct sync { static constexpr fixed_string name = "sync"; };            ///< waits for, or signals, another thread or device
}  // namespace effect

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
template <class Op>
constexpr auto effects_of() {
  if constexpr (requires { typename Op::effects; }) return meta::detail::box<typename Op::effects>{};
  else if constexpr (requires { Op::traits.effects; })
    return meta::detail::box<effects_of_bits<static_cast<unsigned>(Op::traits.effects)>>{};
  else return meta::detail::box<effects<>>{};
}
}  // namespace detail

/// The effects of a complete op; none if it says nothing.
template <class Op>
using effects_of_t = typename decltype(detail::effects_of<Op>())::type;

}  // namespace tenon
