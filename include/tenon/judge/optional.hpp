/// @file optional: passes that run when a flag is on, or off; every combination of flags is judged.
///
///     using pipeline = tenon::pipeline<infer_shapes, optional<to_normal_form, when<"normal_form">>, plan_memory>;
///     cx.set_flag("normal_form", false);
///
/// A flag that is not set is on; one that is set, and that nothing in the program asks for, is an error where a
/// pipeline runs
/// (`context::meet_flags`). A transition may be optional too, where what follows is in its phase all the same: there is
/// another one for the other case, or all that runs in a side phase is under the same flag.
#pragma once

#include <tenon/pass.hpp>

namespace tenon {

template <fixed_string Flag>
struct when {
  static constexpr fixed_string flag = Flag;
  static constexpr bool on = true;
};
template <fixed_string Flag>
struct unless {
  static constexpr fixed_string flag = Flag;
  static constexpr bool on = false;
};

namespace detail {
template <class P, class C>
struct optional_check;
}  // namespace detail

template <class Pass, class Condition>
  requires meta::answer_t<detail::optional_check<Pass, Condition>>::accepted
struct optional;
template <class P>
inline constexpr bool is_optional = false;
template <class P, class C>
inline constexpr bool is_optional<optional<P, C>> = true;

namespace detail {
template <class C>
inline constexpr bool is_condition = false;
template <fixed_string Flag>
inline constexpr bool is_condition<when<Flag>> = true;
template <fixed_string Flag>
inline constexpr bool is_condition<unless<Flag>> = true;

/// `optional` derives from the pass, and the judge tries each flag of an order: so it is defined, and under one flag.
template <class P, class C>
struct optional_check {
  static constexpr bool defined = requires {
    sizeof(P);
    requires __is_class(P);
  };
  static constexpr int fault = [] {
    if constexpr (!defined) return 1;
    else if constexpr (__is_final(P)) return 2;
    else if constexpr (is_optional<P>) return 3;
    else return is_condition<C> ? 0 : 4;
  }();
  static constexpr bool ok = fault == 0;
  static consteval meta::phrase say() {
    if constexpr (!defined) return pass_check<P>::say();
    meta::later_t<meta::phrase, P> s;
    (s << "tenon-E018: pass ").quoted(pass_name<P>());
    if (fault == 2) return s << " is final, and cannot be optional: leave 'final' out";
    if (fault == 3) return s << " is optional already: an optional pass depends on one flag";
    (s << " is optional under ").quoted(meta::unqualified_name<C>());
    return s << ", which is no condition: write tenon::when<\"flag\"> or tenon::unless<\"flag\">";
  }
};
}  // namespace detail

template <class Pass, class Condition>
  requires meta::answer_t<detail::optional_check<Pass, Condition>>::accepted
struct optional : Pass {
  using pass = Pass;
  using condition = Condition;  // no plain pass has it
};

namespace detail {
template <class P>
struct bare_pass {
  using type = P;
};
template <class P, class C>
struct bare_pass<optional<P, C>> {
  using type = P;
};
template <class P, class C>
inline constexpr rare_parts conditional_parts = [] {
  rare_parts parts = pass_desc_of<P>.more();
  parts.flag = C::flag, parts.flag_key = meta::hash_of(parts.flag), parts.flag_on = C::on;
  return parts;
}();
constexpr pass_desc with_condition(pass_desc d, const rare_parts* parts) {
  d.rare = parts;
  return d;
}
template <class P, class C>
inline constexpr pass_desc said_by<optional<P, C>, false> = with_condition(pass_desc_of<P>, &conditional_parts<P, C>);
}  // namespace detail

/// The pass itself, without a condition.
template <class P>
using bare_pass_t = typename detail::bare_pass<P>::type;

namespace detail {
template <class P, class C>
struct form_check<optional<P, C>> : form_check<P> {};
}  // namespace detail
template <class P, class C>
struct pass_check<optional<P, C>> : pass_check<P> {
  static constexpr bool ok = [] {
    if constexpr (detail::plain_pass<P>) return detail::sound_desc(pass_desc_of<P>) || pass_check<P>::ok;
    else return pass_check<P>::ok;
  }();
};
template <class P, class C, class Op>
inline constexpr bool has_lowering<optional<P, C>, Op> = has_lowering<P, Op>;
template <class P, class C, class Effect>
inline constexpr bool treats<optional<P, C>, Effect> = treats<P, Effect>;

}  // namespace tenon
