/// @file pass: a step of compilation as a type: where it runs, what it relies on, what it leaves behind.
///
///     struct fold_batch_norm {
///       static constexpr fixed_string name = "fold_batch_norm";
///       using runs_in = phases::optimization;           // or `from` and `to`: a transition
///       using needs = facts<fact::shapes_known>;        // said even if it is facts<>
///       using keeps = all_facts;                        // or `breaks`; neither: every fact is broken
///       using emits = ops<op::conv>;                    // left out: any op of the phase that it leaves the module in
///       void run(ir_module<runs_in>&, context&) const;
///     };
///
/// A transition says `from` and `to` instead of `runs_in`, and `ir_module<to> run(ir_module<from>&&, context&) const`.
///
/// Also: `gives` (facts), `eliminates` (ops, none of which is left, also of such as the phase does not list but users
/// add; each must be handled: `handles`, `lower_with`; with `handles` alone every op of the phase must, as of a code
/// generator), `deletes`, `merges`, `moves`, `leaves` (effects), `keeps_inside` (effects; judge/barred.hpp),
/// `looks_through` (ops; judge/aliasing.hpp), `version` (an int, for fingerprints), `works_on` (ops, and `together<…>`
/// for patterns of several: refused where none of them can be left, unless `may_find_nothing`), `at_most_once`,
/// `emits_outside` and `encloses` (ops; judge/region_rule.hpp), `changes` (ops, where they stand), `not_between`,
/// `not_after`, `not_before` (judge/interval.hpp), `immediately_after`, `makes_functions_in` (a phase, of functions
/// that it finishes before the module is there; what they hold is not in `emits`), `adds_functions`,
/// `removes_functions`, `changes_functions` (flags: functions of its own phase, and what these take, return and say of
/// themselves; docs/facts.md). docs/how_to/pass.md asks which of these words a pass needs. A pass object may carry
/// data; a pipeline default-constructs it. What it lists of that in `TENON_ATTRIBUTES(max_ops)` are its options:
/// `fuse{max_ops=8}` in a text, `cx.set(fuse{.max_ops = 8})`; fingerprints have them. The same as a list of words, of
/// which one that does not exist does not compile: judge/pass_of.hpp.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/judge/declaration.hpp>

namespace tenon {

/// Is the declaration of `P` sound by itself? `pass_check<P>::say()` is the sentence if not.
template <class P>
struct pass_check {
  static constexpr meta::later_t<detail::declaration_fault, P> fault = [] {
    detail::declaration_fault f = detail::form_check<P>::fault;
    constexpr misnomer miss = detail::misspelling_of<P>();
    if constexpr (miss.said.length != 0)
      f = detail::declaration_fault{}, f.code = 8, f.said = miss.said, f.meant = miss.meant;  // the cause of the rest
    return f;
  }();
  static constexpr bool ok = fault.code == 0;
  static consteval meta::phrase say() { return detail::say_declaration(meta::phrase{}, detail::pass_name<P>(), fault); }
};

namespace detail {
template <class P>
constexpr const pass_desc& if_sound() {
  if constexpr (form_check<P>::ok) return said_by<P, false>;
  else return unsound_pass;
}
}  // namespace detail

/// Softly: is `T` a pass?
template <class T>
concept pass = pass_check<T>::ok;

/// Loudly: rejected with the sentence.
template <class T>
concept sound_pass = meta::answer_t<pass_check<T>>::accepted;

}  // namespace tenon
