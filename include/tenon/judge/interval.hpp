/// @file interval: places of an order where a pass says that it may not run.
///
///     using not_between = interval<A, B>;   // not after A while B is still to come
///     using not_after = A;                // not after A at all: an interval that no pass ends
///     using not_before = B;               // not while B is still to come: an interval that is open from the start
///
/// A and B are passes, and may be only declared; the one of them that is in no order says nothing. Passes that nobody
/// names are given by ops: `emitter_of` or `rewriter_of` for A, and for B of `not_before`.
#pragma once

namespace tenon {

template <class A, class B>
struct interval {};
/// For A: after any pass, a user's too, that names such an op in its `emits`, until one `eliminates` them all. Who may
/// emit any op, or does not say what it emits, names none. For B of `not_before`: while another pass that does, and
/// leaves the module in the same phase, is still to come.
template <class... Op>
struct emitter_of {};
/// For A: after any pass, a user's too, that turns some such ops into others: it `eliminates` one of these kinds, or
/// works on it and deletes or merges ops. What was taken does not come back, so no pass ends the interval.
template <class... Op>
struct rewriter_of {};
/// The end of what `not_after` says, and the beginning of what `not_before` says.
struct no_end {};
struct no_begin {};
template <class T>
inline constexpr bool is_interval = false;
template <class A, class B>
inline constexpr bool is_interval<interval<A, B>> = true;
template <class A, class... Op>
inline constexpr bool is_interval<interval<A, emitter_of<Op...>>> = false;  // a pass ends it
template <class A, class... Op>
inline constexpr bool is_interval<interval<A, rewriter_of<Op...>>> = false;
template <class... Op>
inline constexpr bool is_interval<interval<no_begin, emitter_of<Op...>>> = sizeof...(Op) != 0;
template <class... Op>
inline constexpr bool is_interval<interval<no_begin, rewriter_of<Op...>>> = sizeof...(Op) != 0;
template <class B>
inline constexpr bool is_interval<interval<emitter_of<>, B>> = false;
template <class B>
inline constexpr bool is_interval<interval<rewriter_of<>, B>> = false;

namespace detail {
/// Does an interval, or what a pass follows, name what is no pass? Of one that is only declared, nobody knows.
template <class A>
inline constexpr bool is_no_pass = requires { sizeof(A); } && !requires { typename A::needs; };
template <>
inline constexpr bool is_no_pass<no_begin> = false;
template <>
inline constexpr bool is_no_pass<no_end> = false;
template <class... Op>
inline constexpr bool is_no_pass<emitter_of<Op...>> = false;
template <class... Op>
inline constexpr bool is_no_pass<rewriter_of<Op...>> = false;
template <class Interval>
inline constexpr bool names_no_pass = false;
template <class A, class B>
inline constexpr bool names_no_pass<interval<A, B>> = is_no_pass<A> || is_no_pass<B>;
}  // namespace detail

}  // namespace tenon
