/// @file plan: finds an order of passes at compile time.
///
///     using pipeline = arrange<phases::ingestion, phases::build, fuse, to_lowering, infer_shapes, lift_lambdas, …>;
///     using shortest = minimal<phases::optimization, goal<phases::lowering, facts<…>>, known passes…>;
///
/// `arrange` uses every pass once; passes keep the order in which they were given where the rules allow it. The search
/// tries what cannot hurt first, and backs up otherwise: O(passes²) in the usual case; it gives up after 20,000 steps.
/// Both are judged like any pipeline.
#pragma once

#include <tenon/pipeline/surgery.hpp>

namespace tenon {
namespace detail {

template <size_t N>
struct plan {
  u16 order[N + 1]{};
  size_t count = 0;
  bool found = false;
  // If not: how far the best attempt came, which pass could not run then, and what it missed.
  u16 best[N + 1]{};
  size_t best_count = 0;
  int stuck = -1, fact = -1;
  int code = 0;
  int weight = 0;
  bool noted = false;
};

template <class Court, size_t N>
struct planner {
  const Court& court;
  plan<N> result{};
  size_t budget = 20000;
  bool all;          ///< every pass, once
  size_t limit = N;  ///< of passes

  constexpr bool search(const typename Court::state& s, typename Court::order_type& order, bool (&used)[N + 1]) {
    if (budget == 0) return false;
    --budget;
    if (order.count > result.best_count || !result.noted) note(s, order, used);
    if (finished(s, order)) {
      for (size_t i = 0; i < order.count; ++i) result.order[i] = order.pass[i];
      result.count = order.count, result.found = true;
      return true;
    }
    if (order.count == limit) return false;
    bool waits = false;  // a pass of this phase is still to run: the transition out of it must wait
    for (size_t p = 0; p < N; ++p) waits = waits || (!used[p] && court.stays_in(p, s.phase));
    for (int hurting = 0; hurting < 2; ++hurting)
      for (size_t p = 0; p < N; ++p) {
        if (used[p] || (all && waits && court.leaves(p))) continue;
        order.pass[order.count] = static_cast<u16>(p);
        if (court.check_last(s, order).code || court.hurts(s, p, used) != (hurting == 1)) continue;
        typename Court::state next = s;
        court.apply_last(next, p);
        used[p] = true, ++order.count;
        if (search(next, order, used)) return true;
        used[p] = false, --order.count;
      }
    return false;
  }
  constexpr bool finished(const typename Court::state& s, const typename Court::order_type& order) const {
    return (!all || order.count == N) && court.at_goal(s);
  }
  constexpr void note(const typename Court::state& s, typename Court::order_type& order, const bool (&used)[N + 1]) {
    result.noted = true, result.best_count = order.count;
    result.stuck = -1, result.fact = -1, result.code = 0, result.weight = 0;
    for (size_t i = 0; i < order.count; ++i) result.best[i] = order.pass[i];
    for (size_t p = 0; p < N; ++p) {
      if (used[p]) continue;
      order.pass[order.count] = static_cast<u16>(p);
      const auto f = court.check_last(s, order);
      if (f.code == 0) continue;
      // What says most: a fact that nobody gives, another fact, another rule, another phase.
      const int weight = f.code == 1 ? 1 : f.code != 2 ? 2 : court.given_by_any(f.fact) ? 3 : 4;
      if (weight <= result.weight) continue;
      result.weight = weight, result.stuck = static_cast<int>(p), result.fact = f.fact, result.code = f.code;
    }
  }
};

template <class From, class To, class Facts, class... Ps>
struct plan_input {
  static constexpr judge_input value = [] {
    judge_input in;
    in.passes = pass_array<Ps...>::data;
    in.count = sizeof...(Ps);
    in.start = &phase_desc_of<From>;
    in.goal_phase = &phase_desc_of<To>;
    in.goal = fact_list_of<Facts>;
    in.goal_owner = To::name;
    return in;
  }();
};

template <bool All, class From, class To, class Facts, class... Ps>
struct planned {
  using input = plan_input<From, To, Facts, Ps...>;
  using court_type = typename courtroom<input>::type;
  static constexpr court_type court{input::value, courtroom<input>::numbered};
  static constexpr plan<sizeof...(Ps)> value = [] {
    plan<sizeof...(Ps)> result;
    // The shortest: ever longer plans; all: one length.
    for (size_t limit = All ? sizeof...(Ps) : 0; limit <= sizeof...(Ps) && !result.found; ++limit) {
      planner<court_type, sizeof...(Ps)> p{court, {}, 20000, All, limit};
      typename court_type::order_type order;
      bool used[sizeof...(Ps) + 1]{};
      p.search(court.beginning(), order, used);
      result = p.result;
    }
    return result;
  }();
  static constexpr bool ok = value.found;

  template <size_t... I>
  static auto ordered(meta::detail::indices<I...>) -> pass_list<meta::nth_t<value.order[I], pass_list<Ps...>>...>;
  using type = decltype(ordered(meta::detail::make_indices<value.count>{}));

  static consteval meta::phrase say() {
    const label names[] = {pass_name<Ps>()..., {}};
    meta::phrase s;
    s << "tenon-E027: no order of these passes leads from phase ";
    (s.quoted(From::name) << " to phase ").quoted(To::name);
    if constexpr (meta::size_v<Facts> != 0) s << " with what is asked for";
    s << (value.best_count == 0 ? ": at the start, " : ": after ");
    for (size_t i = 0; i < value.best_count; ++i) s.quoted(names[value.best[i]]) << ", ";
    if (value.stuck < 0)
      return s << "nothing is left to run, and the module is not there: add the pass that leads there";
    s << "pass ";
    s.quoted(names[value.stuck]);
    if (value.code == 1) return s << " still runs in another phase: add the pass that leads there";
    if (value.code == 4) return s << " would leave ops that its phase does not list: add a pass that eliminates them";
    if (value.code != 2) return s << " still cannot run: look at its 'at_most_once', 'not_between', 'immediately_after'";
    (s << " still needs ").quoted(courtroom<input>::numbered.facts[value.fact]->name);
    s << (court.given_by_any(value.fact) ? ", and what gives it is broken or comes too late: look at 'breaks' and 'emits'"
                                         : ", and none of them gives it: add a pass that does");
    return s;
  }
};
}  // namespace detail

/// A goal: a phase, and facts that hold then.
template <class Phase, class Facts = facts<>>
struct goal {
  using phase = Phase;
  using known = Facts;
};

/// The pipeline of all these passes, in an order that works.
template <class From, class To, class... Passes>
  requires meta::accepted<meta::told_t<detail::planned<true, From, To, facts<>, Passes...>>>
using arrange =
    typename detail::named_pipeline<ops<>, typename detail::planned<true, From, To, facts<>, Passes...>::type>::type;

/// Softly: is there an order?
template <class From, class To, class... Passes>
inline constexpr bool can_arrange = detail::planned<true, From, To, facts<>, Passes...>::ok;

/// The shortest pipeline of some of these passes that reaches the goal.
template <class From, class Goal, class... Passes>
  requires meta::accepted<meta::told_t<detail::planned<false, From, typename Goal::phase, typename Goal::known, Passes...>>>
using minimal = typename detail::named_pipeline<
    ops<>, typename detail::planned<false, From, typename Goal::phase, typename Goal::known, Passes...>::type>::type;

}  // namespace tenon
