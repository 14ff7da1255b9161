/// @file plan: finds an order of passes at compile time.
///
///     using pipeline = arrange<phases::ingestion, phases::build, fuse, to_lowering, infer_shapes, lift_lambdas, …>;
///     using known    = targets::cpu::pipeline::passes;
///     using shortest = minimal<phases::optimization, goal<phases::lowering, facts<…>>, known>;
///     using planned  = minimal<phases::ingestion, fact::memory_planned, known>;   // in whatever phase
///
/// `arrange` uses every pass once; passes keep the order in which they were given where the rules allow it. The search
/// tries what cannot hurt first, and backs up otherwise: O(passes²) in the usual case. `minimal` goes by length, leaves
/// out states that are no better than one it knows, and orders that differ in nothing that matters: what it finds is
/// the shortest. See search.hpp.
#pragma once

#include <tenon/judge/search_all.hpp>
#include <tenon/judge/search_shortest.hpp>
#include <tenon/pipeline.hpp>

namespace tenon {
namespace detail {

/// Where a goal is facts alone: whatever phase they hold in.
struct any_phase {
  static constexpr fixed_string name = "";
};

template <class From, class To, class Facts, class... Ps>
struct plan_input {
  static constexpr judge_input value = [] {
    judge_input in;
    in.passes = pass_array<Ps...>::data;
    in.count = sizeof...(Ps);
    in.start = &phase_desc_of<From>;
    if constexpr (!meta::same<To, any_phase>) in.goal_phase = &phase_desc_of<To>, in.goal_owner = To::name;
    in.goal = fact_list_of<Facts>;
    in.begin_there();
    return in;
  }();
};

template <bool All, class From, class To, class Facts, class... Ps>
struct planned {
  using input = plan_input<From, To, Facts, Ps...>;
  static constexpr int unsound = first_unsound<Ps...>();
  static constexpr auto value = [] {
    if constexpr (unsound >= 0) {
      return plan<sizeof...(Ps)>{};
    } else {
      using judge_type = typename judge_for<input>::type;
      const judge_type judge(input::value, judge_for<input>::numbered);
      using numbering_type = decltype(judge_for<input>::numbered);
      if constexpr (All)
        return search_all<judge_type, numbering_type, sizeof...(Ps)>(judge, judge_for<input>::numbered, input::value)
            .find();
      else
        return search_shortest<judge_type, numbering_type, sizeof...(Ps)>(judge, judge_for<input>::numbered,
                                                                          input::value)
            .find();
    }
  }();

  template <size_t... I>
  static auto ordered(meta::detail::indices<I...>) -> pass_list<meta::nth_t<value.order[I], pass_list<Ps...>>...>;
  using type = decltype(ordered(meta::detail::make_indices<value.count>{}));
  using judge = typename judged_list<type>::type;  // two passes of one name, and more flags than are tried
  static constexpr bool ok = [] {
    if constexpr (value.found) return judge::ok;
    else return false;
  }();

  static consteval meta::phrase say() {
    if constexpr (unsound >= 0) return pass_check<meta::nth_t<static_cast<size_t>(unsound), pass_list<Ps...>>>::say();
    else if constexpr (value.found) return judge::say();
    else return say_none();
  }
  static consteval meta::phrase say_none() {
    const label names[] = {pass_name<Ps>()..., {}};
    meta::phrase s;
    s << "tenon-E027: no order of these passes ";
    if (value.gave_up) s << "was found, in as many steps as a compiler allows, that ";
    (s << "leads from phase ").quoted(From::name);
    if constexpr (meta::same<To, any_phase>) s << " to what is asked for";
    else (s << " to phase ").quoted(To::name);
    if constexpr (!meta::same<To, any_phase> && meta::size_v<Facts> != 0) s << " with what is asked for";
    if (value.gave_up) return s << ": write a part of the order down, and let the planner find the rest";
    for (const fact_desc* f : input::value.goal)
      if (!given(*f)) {
        (s << ": asked for is ").quoted(f->name);
        return s << ", and none of them gives it: add a pass that does";
      }
    s << (value.best_count == 0 ? ": at the start, " : ": after ");
    for (size_t i = 0; i < value.best_count; ++i) s.quoted(names[value.best[i]]) << ", ";
    if (value.stuck < 0)
      return s << "nothing is left to run, and the module is not there: add the pass that leads there";
    s << "pass ";
    s.quoted(names[value.stuck]);
    if (value.code == 1) return s << " still runs in another phase: add the pass that leads there";
    if (value.code == 4) return s << " would leave ops that its phase does not list: add a pass that eliminates them";
    if (value.code != 2)
      return s << " still cannot run: look at its 'at_most_once', 'not_between', 'not_after', 'immediately_after'";
    const fact_desc& fact = *judge_for<input>::numbered.facts[value.fact];
    (s << " still needs ").quoted(fact.name);
    s << (given(fact) ? ", and what gives it is broken or comes too late: look at 'breaks' and 'emits'"
                      : ", and none of them gives it: add a pass that does");
    return s;
  }
  static consteval bool given(const fact_desc& f) {
    for (size_t i = 0; i < sizeof...(Ps); ++i) {
      const pass_desc* const p = input::value.passes[i];
      if (p->gives().contains(&f)) return true;
      for (size_t k = 0; f.op_set_fact && k < f.absent.size; ++k)
        if (p->eliminates.contains(f.absent.data[k].key)) return true;
    }
    return f.op_set_fact && sizeof...(Ps) == 0;
  }
};

/// The place of a phase where nothing was written.
struct unwritten {};

/// What a plan begins with: two phases, and facts.
template <bool All, class From, class To, class Facts>
struct ends_check {
  using type = pass_list<>;
  static constexpr bool listed = fact_list_of<Facts>.is_list();
  static constexpr bool to = meta::same<To, any_phase> || phase_check<To>::ok;
  static constexpr bool ok = phase_check<From>::ok && to && listed && !is_flawed(fact_list_of<Facts>);
  static consteval meta::phrase say() {
    meta::phrase s;
    if constexpr (!phase_check<From>::ok) s = say_end<From>();
    else if constexpr (!to) s = say_end<To>();
    else if constexpr (!listed)
      (s << "tenon-E034: ").quoted(meta::unqualified_name<Facts>()) << " stands where a list of facts is meant";
    else s = say_fact(meta::detail::box<Facts>{});
    return s << (All ? ": write arrange<From, To, passes...>"
                     : ": write minimal<From, goal<Phase, facts<...>>, passes...>");
  }
  template <class T>
  static consteval meta::phrase say_end() {
    meta::phrase s;
    if constexpr (meta::same<T, unwritten>) return s << "tenon-E034: nothing stands where a phase is meant";
    else if constexpr (fact_list_of<T>.is_list())
      return s << "tenon-E034: a list of facts stands where a phase is meant";
    else return say_no_phase<T>();
  }
  template <class... Fs>
  static consteval meta::phrase say_fact(meta::detail::box<facts<Fs...>>) {
    const bool flawed[] = {fact_desc_of<Fs>.flawed()..., true};
    const label names[] = {meta::unqualified_name<Fs>()..., {}};
    const bool passes[] = {requires { typename Fs::runs_in; }..., false};
    size_t i = 0;
    while (!flawed[i]) ++i;
    meta::phrase s;
    (s << "tenon-E034: ").quoted(names[i]) << (passes[i] ? " is a pass" : " is not fully declared as a fact");
    return s << ", and stands where a fact is meant";
  }
};
/// Is a goal a fact? It proves itself, or a pass knows it, and it is nothing else.
template <class Goal, class... Ps>
constexpr bool is_lone_fact() {
  if constexpr (!__is_class(Goal) || !has_readable_name<Goal> || phase_type<Goal>) return false;
  else if constexpr (requires { typename Goal::needs; } || requires { typename Goal::passes; }) return false;
  else if constexpr (is_provable<Goal>) return true;
  else
    return (
        (pass_desc_of<Ps>.gives_fact(&fact_desc_of<Goal>) || pass_desc_of<Ps>.needs().contains(&fact_desc_of<Goal>)) ||
        ...);
}
template <class Goal, class List>
struct goal_parts;
template <class Goal, class... Ps>
struct goal_parts<Goal, pass_list<Ps...>> {
  static constexpr bool lone = is_lone_fact<Goal, Ps...>();
  using phase = typename decltype([] {
    if constexpr (lone) return meta::detail::box<any_phase>{};
    else return meta::detail::box<Goal>{};
  }())::type;
  using known = typename decltype([] {
    if constexpr (lone) return meta::detail::box<facts<Goal>>{};
    else return meta::detail::box<facts<>>{};
  }())::type;
};
template <class... Fs, class... Ps>
struct goal_parts<facts<Fs...>, pass_list<Ps...>> {
  using phase = any_phase;
  using known = facts<Fs...>;
};

/// A plan of passes, or of the passes of lists, such as `targets::cpu::pipeline::passes`.
template <bool All, class From, class To, class Facts, class List, bool Sound = ends_check<All, From, To, Facts>::ok>
struct planned_list {
  using type = ends_check<All, From, To, Facts>;
};
template <bool All, class From, class To, class Facts, class... Ps>
struct planned_list<All, From, To, Facts, pass_list<Ps...>, true> {
  using type = planned<All, From, To, Facts, Ps...>;
};
template <class P>
struct as_list {
  using type = pass_list<P>;
};
template <class... Ps>
struct as_list<pass_list<Ps...>> {
  using type = pass_list<Ps...>;
};
template <class... Ps>
struct as_list<tenon::pipeline<Ps...>> {
  using type = pass_list<Ps...>;
};
template <class... Ps>
using as_one_list = meta::concat_t<pass_list<>, typename as_list<Ps>::type...>;
template <class List>
struct bare_list;
template <class... Ps>
struct bare_list<pass_list<Ps...>> {
  using type = meta::unique_t<pass_list<bare_pass_t<Ps>...>>;  // the shortest order has a pass or has it not
};
template <class From, class To, class... Ps>
using arranged = typename planned_list<true, From, To, facts<>, as_one_list<Ps...>>::type;
template <class From, class Goal, class... Ps>
struct shortening {  // g++ quotes aliases in full
  using list = typename bare_list<as_one_list<Ps...>>::type;
  using parts = goal_parts<Goal, list>;
  using type = typename planned_list<false, From, typename parts::phase, typename parts::known, list>::type;
};
template <class From, class Goal, class... Ps>
using shortened = typename shortening<From, Goal, Ps...>::type;
}  // namespace detail

/// A goal: a phase, and facts that hold then. A phase alone may stand for itself; so may a fact, or `facts<…>`, in any
/// phase.
template <class Phase, class Facts = facts<>>
struct goal {
  using phase = Phase;
  using known = Facts;
};
namespace detail {
template <class Phase, class Facts, class... Ps>
struct goal_parts<goal<Phase, Facts>, pass_list<Ps...>> : goal<Phase, Facts> {};
}  // namespace detail

/// The pipeline of all these passes, in an order that works. Lists of passes, and pipelines, may stand among them.
template <class From = detail::unwritten, class To = detail::unwritten, class... Passes>
  requires meta::answer_t<detail::arranged<From, To, Passes...>>::accepted
using arrange = typename detail::named_pipeline<ops<>, typename detail::arranged<From, To, Passes...>::type>::type;

/// Softly: is there an order?
template <class From = detail::unwritten, class To = detail::unwritten, class... Passes>
inline constexpr bool can_arrange = detail::arranged<From, To, Passes...>::ok;

/// The shortest pipeline of some of these passes, each as often as it takes, that reaches the goal.
template <class From = detail::unwritten, class Goal = detail::unwritten, class... Passes>
  requires meta::answer_t<detail::shortened<From, Goal, Passes...>>::accepted
using minimal = typename detail::named_pipeline<ops<>, typename detail::shortened<From, Goal, Passes...>::type>::type;

/// Softly: can the goal be reached?
template <class From = detail::unwritten, class Goal = detail::unwritten, class... Passes>
inline constexpr bool can_reach = detail::shortened<From, Goal, Passes...>::ok;

}  // namespace tenon
