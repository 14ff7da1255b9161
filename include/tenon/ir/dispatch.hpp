/// @file dispatch: what interpreters and code generators do for each op of a list, as an overload set.
///
///     const ir::forms form{[&](const loop::load&) { … }, [&](const loop::store& s) { … }};
///     if (!ir::dispatch<loop_ops, "my emitter", my_emitter>(v, form)) fail(v);
///
/// Invariant: every op of the list has an overload, or a `handles_op<my_emitter, Op>` that says why not; those that
/// have neither are named in one compile error. So an op that is added to a phase stops each of them compiling.
#pragma once

#include <tenon/ir/module.hpp>
#include <tenon/judge/op_set.hpp>

namespace tenon::ir {

/// Overloads from lambdas.
template <class... Fs>
struct forms : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
forms(Fs...) -> forms<Fs...>;

namespace detail {
template <class Forms>
struct formed {
  template <class Op>
  struct has {
    static constexpr bool value = requires(const Forms& f, const Op& op) { f(op); };
  };
};
template <class Op, class Forms>
bool try_form(const op_view& v, const Forms& f) {
  if constexpr (formed<Forms>::template has<Op>::value) {
    if (!v.is<Op>()) return false;
    f(v.as<Op>());
    return true;
  } else {
    return false;
  }
}
template <class Forms, class... Op>
bool try_forms(const op_view& v, const Forms& f, meta::detail::box<ops<Op...>>) {
  return (try_form<Op>(v, f) || ...);
}
}  // namespace detail

template <class List, fixed_string Who, class Table, class Forms>
using forms_check =
    tenon::detail::coverage<Who, "add an overload for each", Table, List, detail::formed<Forms>::template has>;

/// Calls the overload for an op of the list; false if it is none of them, or has none. Cost: one comparison an op of
/// the list.
template <class List, fixed_string Who, class Table, class Forms>
bool dispatch(const op_view& v, const Forms& f) {
  using check = forms_check<List, Who, Table, Forms>;
  meta::answer_t<check>::accept();
  if constexpr (check::ok) return detail::try_forms(v, f, meta::detail::box<List>{});
  else return false;
}

}  // namespace tenon::ir
