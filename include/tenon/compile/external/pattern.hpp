/// @file pattern: a part of a graph as a type: what external code generators take over, and who else asks for shapes of
/// graphs.
///
///     using clipped = pattern<op::minimum, pattern<op::maximum, pattern<op::conv, any, constant, maybe<any>>,
///     constant>, constant>;
///
/// `pattern<Op, Operands…>` is an op with a pattern for each operand; operands that it leaves out must be absent. The
/// operands of a commutative op are tried in both orders. The first match found counts: there is no further search.
///
///     any, constant                        a value; a value that is a constant of the module
///     one_of<op::add, op::sub>             in place of `Op`: any of these
///     maybe<any>, maybe<constant>          an operand that may be absent
///     maybe<pattern<Op, P, …>>             that op around P, or P alone
///     rest<P>                              at the end: any number of operands more (maybe<any>: some may be absent)
///     capture<"weights", P>                what P matches, by name
///     such_that<P, holds, "why not">       P, where `holds` is true of the op_view, or of module and op (`constant`:
///                                          of the tensor; for `any`: of the type); the text says why not, in reports
///     named<"conv_relu", P>                a name for the whole, in reports
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/judge/op_set.hpp>

namespace tenon {

struct any {};
struct constant {};
template <class... Ops>
struct one_of {};
template <class Op, class... Operands>
struct pattern {};
template <class P>
struct maybe {};
template <class P>
struct rest {};
template <fixed_string Name, class P>
struct capture {};
template <class P, auto Holds, fixed_string WhyNot = "">
struct such_that {};
template <fixed_string Name, class P>
struct named {};
/// Patterns in the order of their priority.
template <class... Patterns>
struct pattern_list {};

namespace detail {

/// What the compiler finds in a pattern.
struct pattern_survey {
  label names[4]{};  ///< ops that the phase has not
  size_t shown = 0, total = 0;
  label captures[16]{};
  size_t capture_count = 0;
  label twice, miscounted;
  size_t given = 0, least = 0, most = 0;
  bool misplaced = false;  ///< `rest` that is not last

  constexpr void capture(label name) {
    for (size_t i = 0; i < capture_count; ++i)
      if (captures[i] == name) twice = name;
    if (capture_count < 16) captures[capture_count++] = name;
  }
};

template <class Op>
constexpr void survey_op(pattern_survey& s, const op_set& phase, size_t least, size_t most) {
  if (!phase.contains(meta::type_key<Op>)) return add_sorted(s.names, s.shown, s.total, meta::unqualified_name<Op>());
  if constexpr (requires { Op::traits; }) {  // an op that is only declared is taken at its pattern's word
    const auto& t = Op::traits;
    if (least >= static_cast<size_t>(t.min_operands) &&
        (t.max_operands < 0 || most <= static_cast<size_t>(t.max_operands)))
      return;
    s.miscounted = meta::unqualified_name<Op>(), s.given = most;
    s.least = static_cast<size_t>(t.min_operands),
    s.most = t.max_operands < 0 ? 99 : static_cast<size_t>(t.max_operands);
  }
}

template <class P>
struct part_survey;
template <>
struct part_survey<any> {
  static constexpr bool is_op = false, may_be_absent = false, is_rest = false;
  static constexpr void look(pattern_survey&, const op_set&) {}
};
template <>
struct part_survey<constant> : part_survey<any> {};
template <class Op, class... Ps>
struct part_survey<pattern<Op, Ps...>> {
  static constexpr bool is_op = true, may_be_absent = false, is_rest = false;
  static constexpr size_t rests = (size_t(part_survey<Ps>::is_rest) + ... + 0);
  static constexpr size_t least = (size_t(!part_survey<Ps>::may_be_absent && !part_survey<Ps>::is_rest) + ... + 0);
  // With `rest`, an op may take any number of operands more.
  static constexpr size_t at_least = rests ? 99 : least, at_most = sizeof...(Ps) - rests;
  template <class... Ops>
  static constexpr void look_op(pattern_survey& s, const op_set& phase, one_of<Ops...>*) {
    (survey_op<Ops>(s, phase, at_least, at_most), ...);
  }
  template <class One>
  static constexpr void look_op(pattern_survey& s, const op_set& phase, One*) {
    survey_op<One>(s, phase, at_least, at_most);
  }
  static constexpr void look(pattern_survey& s, const op_set& phase) {
    look_op(s, phase, static_cast<Op*>(nullptr));
    const bool at_rest[] = {part_survey<Ps>::is_rest..., false};
    for (size_t i = 0; i + 1 < sizeof...(Ps); ++i) s.misplaced = s.misplaced || at_rest[i];
    (part_survey<Ps>::look(s, phase), ...);
  }
};
template <class P>
struct part_survey<maybe<P>> : part_survey<P> {
  static constexpr bool may_be_absent = !part_survey<P>::is_op;
};
template <class P>
struct part_survey<rest<P>> : part_survey<P> {
  static constexpr bool is_op = false, is_rest = true;
};
template <fixed_string Name, class P>
struct part_survey<capture<Name, P>> : part_survey<P> {
  static constexpr void look(pattern_survey& s, const op_set& phase) {
    s.capture(Name);
    part_survey<P>::look(s, phase);
  }
};
template <class P, auto Holds, fixed_string WhyNot>
struct part_survey<such_that<P, Holds, WhyNot>> : part_survey<P> {};
template <fixed_string Name, class P>
struct part_survey<named<Name, P>> : part_survey<P> {};

/// The name of a pattern in reports: the one that it was given, or that of its outermost op.
template <class P>
struct pattern_name {
  static constexpr label value{"any", 3};
};
template <class Op, class... Ps>
struct pattern_name<pattern<Op, Ps...>> {
  static constexpr label value = meta::unqualified_name<Op>();
};
template <class First, class... Ops, class... Ps>
struct pattern_name<pattern<one_of<First, Ops...>, Ps...>> {
  static constexpr label value = meta::unqualified_name<First>();
};
template <class P>
struct pattern_name<maybe<P>> : pattern_name<P> {};
template <fixed_string Name, class P>
struct pattern_name<capture<Name, P>> : pattern_name<P> {};
template <class P, auto Holds, fixed_string WhyNot>
struct pattern_name<such_that<P, Holds, WhyNot>> : pattern_name<P> {};
template <fixed_string Name, class P>
struct pattern_name<named<Name, P>> {
  static constexpr fixed_string text = Name;
  static constexpr label value = text;
};

/// A pattern's outermost op, or those that it may be, seen through what stands around it.
template <class P>
struct outermost {
  static constexpr bool is_op = false;
};
template <class Op, class... Ps>
struct outermost<pattern<Op, Ps...>> {
  static constexpr bool is_op = true;
  using type = ops<Op>;
};
template <class... Op, class... Ps>
struct outermost<pattern<one_of<Op...>, Ps...>> {
  static constexpr bool is_op = true;
  using type = ops<Op...>;
};
template <class P>
struct outermost<maybe<P>> : outermost<P> {};
template <fixed_string Name, class P>
struct outermost<capture<Name, P>> : outermost<P> {};
template <class P, auto Holds, fixed_string WhyNot>
struct outermost<such_that<P, Holds, WhyNot>> : outermost<P> {};
template <fixed_string Name, class P>
struct outermost<named<Name, P>> : outermost<P> {};

template <class P>
constexpr pattern_survey survey_of(const op_set& phase) {
  pattern_survey s;
  part_survey<P>::look(s, phase);
  return s;
}
}  // namespace detail

/// Can `P` match anything in a module of `Phase`? `say()` is the sentence if not.
template <class P, class Phase>
struct pattern_check {
  static constexpr detail::pattern_survey found = detail::survey_of<P>(op_set_of<typename Phase::op_list>);
  static constexpr bool has_op = detail::outermost<P>::is_op;
  static constexpr bool ok =
      has_op && found.total == 0 && found.twice.length == 0 && found.miscounted.length == 0 && !found.misplaced;
  static consteval meta::phrase say() {
    meta::phrase s;
    const auto begin = [&s](const char* code) -> meta::phrase& {
      return (s << code << ": pattern ").quoted(detail::pattern_name<P>::value);
    };
    const bool many = found.total > 1;
    if constexpr (!has_op)
      return begin("tenon-E053") << " would match any value: the outermost part of a pattern is 'pattern<op, ...>'";
    else if constexpr (found.total != 0) {
      say_ops(begin("tenon-E050") << " asks for " << (many ? "ops " : "op "), found.names, found.shown, found.total);
      return (s << ", which phase ").quoted(Phase::name)
             << " does not list, so that it can never match: name ops of that phase";
    } else if constexpr (found.twice.length != 0)
      return (begin("tenon-E051") << " captures ").quoted(found.twice) << " twice: give each capture a name of its own";
    else if constexpr (found.miscounted.length != 0) {
      (begin("tenon-E052") << " gives op ").quoted(found.miscounted)
          << " " << found.given << " operand" << (found.given == 1 ? "" : "s") << ", and it takes " << found.least;
      if (found.most == 99) s << " or more";
      else if (found.most != found.least) s << " to " << found.most;
      return s << ": 'maybe<any>' stands for an operand that may be absent, 'rest<any>' for any number more";
    } else return begin("tenon-E052") << " has operands behind 'rest': 'rest<...>' comes last";
  }
};

/// Softly.
template <class P, class Phase>
concept pattern_of = pattern_check<P, Phase>::ok;
/// Loudly.
template <class P, class Phase>
concept sound_pattern_of = meta::answer_t<pattern_check<P, Phase>>::accepted;

}  // namespace tenon
