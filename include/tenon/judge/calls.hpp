/// @file calls: functions that are ahead of their module: which phases they may be in, and who may call whom.
///
/// A module is in the phase of its least advanced function. Others may be ahead of it, as the kernels that a graph
/// calls are finished before the graph is. Phases say so, and a table that is a type says who may call whom:
///
///     struct optimization {
///       using calls_into = phase_list<lowering, build>;   // its functions may call those that are there already
///     };
///     struct lowering {
///       using early_ops = ops<loop::for_loop, …>;         // what a function may hold that is there before its module
///     };
///     template <> inline constexpr bool tenon::callable_across<my_phase, phases::lowering> = true;  // not your phases
///
/// A call against the table is refused where types are known (`makes_functions_in` of a pass, `ir_module::put_ahead`),
/// and by the verifier of each phase, with the same code.
#pragma once

#include <tenon/judge/op_set.hpp>

namespace tenon {

/// Phases, which may be only declared.
template <class... Phases>
struct phase_list {};

namespace detail {
template <class>
using there = void;
template <class P, class = void>
struct calls_into_of : meta::detail::box<phase_list<>> {};
template <class P>
struct calls_into_of<P, there<typename P::calls_into>> : meta::detail::box<typename P::calls_into> {};
template <class P, class = void>
struct early_ops_of : meta::detail::box<ops<>> {};
template <class P>
struct early_ops_of<P, there<typename P::early_ops>> : meta::detail::box<typename P::early_ops> {};

/// Does a phase say whom its functions call without a list? Then it would say nothing.
template <class List>
inline constexpr bool is_phases = false;
template <class... Ps>
inline constexpr bool is_phases<phase_list<Ps...>> = true;

template <class P>
constexpr label phase_name() {
  if constexpr (requires { label(P::name); }) return P::name;
  else return meta::unqualified_name<P>();
}
}  // namespace detail

/// May a function of phase `Caller` call one of phase `Callee`? What the phase says of itself; specialize it to `true`
/// for phases that are not yours.
template <class Caller, class Callee>
inline constexpr bool callable_across =
    meta::same<Caller, Callee> || meta::contains_v<Callee, typename detail::calls_into_of<Caller>::type>;

/// The ops that a function of `Phase` may hold when its module is not there yet; none: no function is ahead in it.
template <class Phase>
using early_ops_t = typename detail::early_ops_of<Phase>::type;

namespace detail {
template <class Phrase>
constexpr Phrase& say_table(Phrase& s, label caller, label callee, const char* add = ": add ") {
  (s << add).quoted(callee) << " to the 'calls_into' of ";
  return s.quoted(caller) << ", or specialize tenon::callable_across<" << caller << ", " << callee << ">";
}

template <class Phrase>
constexpr Phrase& say_foreign(Phrase& s, label phase, const label* names, size_t shown, size_t total) {
  say_ops((s << "functions that are in phase ").quoted(phase) << " before their module may hold ", names, shown, total);
  return s << ", which the phase does not list: leave " << (total > 1 ? "them" : "it")
           << " out of its 'early_ops', or add " << (total > 1 ? "them" : "it") << " to its 'op_list'";
}

template <class Caller, class Callee>
struct call_check {
  static constexpr bool listed = is_phases<typename calls_into_of<Caller>::type>;
  static constexpr bool early = meta::same<Caller, Callee> || meta::size_v<early_ops_t<Callee>> != 0;
  /// Ops of functions that are there early, and that the phase itself has not.
  static constexpr auto foreign = [] {
    struct {
      label names[4]{};
      size_t shown = 0, total = 0;
    } f;
    if constexpr (requires { typename Callee::op_list; })
      for (const op_key& op : op_set_of<early_ops_t<Callee>>)
        if (!op_set_of<typename Callee::op_list>.contains(op.key)) add_sorted(f.names, f.shown, f.total, op.name());
    return f;
  }();
  static constexpr bool ok = listed && early && foreign.total == 0 && callable_across<Caller, Callee>;
  static consteval meta::phrase say() {
    meta::later_t<meta::phrase, Caller> s;
    if constexpr (!listed) {
      (s << "tenon-E008: phase ").quoted(phase_name<Caller>());
      return s << " says whom its functions call without a list: write 'using calls_into = tenon::phase_list<...>'";
    } else if constexpr (!early) {
      s << "tenon-E033: no function of a module in phase ";
      (s.quoted(phase_name<Caller>()) << " may be in phase ").quoted(phase_name<Callee>());
      return s << ", which does not say 'early_ops': the ops of functions that are there before their module";
    } else if constexpr (foreign.total != 0) {
      return say_foreign(s << "tenon-E033: ", phase_name<Callee>(), foreign.names, foreign.shown, foreign.total);
    } else {
      s << "tenon-E032: a function of phase ";
      (s.quoted(phase_name<Caller>()) << " may not call a function of phase ").quoted(phase_name<Callee>());
      return say_table(s, phase_name<Caller>(), phase_name<Callee>());
    }
  }
};

// Every phase that functions of a module in `First` may be in: what it calls into, and what that calls into.
template <class Done, class Todo>
struct reach {
  using type = Done;
};
template <class... Done, class First, class... Rest>
struct reach<phase_list<Done...>, phase_list<First, Rest...>> {
  static constexpr auto next() {
    if constexpr (meta::contains_v<First, phase_list<Done...>>)
      return reach<phase_list<Done...>, phase_list<Rest...>>{};
    else
      return reach<phase_list<Done..., First>,
                   meta::concat_t<phase_list<Rest...>, typename calls_into_of<First>::type>>{};
  }
  using type = typename decltype(next())::type;
};
}  // namespace detail

/// Softly: may a module in `Phase` have functions in `Ahead`, and may the others call them? (`put_ahead` says why not.)
template <class Phase, class Ahead>
inline constexpr bool can_call = detail::call_check<Phase, Ahead>::ok;

/// `Phase`, and the phases that other functions of its modules may be in; `More` are those that its pipeline leads to.
template <class Phase, class More = phase_list<>>
using phases_within =
    typename detail::reach<phase_list<>,
                           meta::concat_t<phase_list<Phase>, typename detail::calls_into_of<Phase>::type, More>>::type;

}  // namespace tenon
