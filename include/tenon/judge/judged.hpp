/// @file judged: the verdict on a pack of passes.
#pragma once

#include <tenon/judge/functions_left_ahead.hpp>
#include <tenon/judge/judge.hpp>
#include <tenon/judge/quick_walk.hpp>
#include <tenon/pass.hpp>

namespace tenon {

namespace detail {

template <bool Usual, class... Passes>
struct described_passes {
  static constexpr const pass_desc* data[] = {&described<Passes, plain_pass<Passes>>..., nullptr};
};
template <class... Passes>
struct described_passes<true, Passes...> {
  static constexpr const pass_desc* data[] = {&described<Passes, says_the_usual<Passes>>..., nullptr};
};
template <class... Passes>
using pass_array = described_passes<surely_usual<Passes...>, Passes...>;

template <class Pass, class... Op>
consteval u64 lowered_mask(meta::detail::box<ops<Op...>>) {
  // Positions are those of the sorted set, which the judge goes by.
  constexpr op_set sorted = op_set_of<ops<Op...>>;
  const u64 keys[] = {meta::type_key<Op>..., 0};
  const bool has[] = {has_lowering<Pass, Op>..., false};
  u64 mask = 0;
  for (size_t i = 0; i < sizeof...(Op); ++i)
    for (size_t k = 0; k < sorted.size; ++k)
      if (has[i] && sorted.data[k].key == keys[i]) mask |= u64(1) << k;
  return mask;
}
template <class Added, class... Passes>
struct lowered_array {
  static constexpr u64 data[] = {lowered_mask<Passes>(meta::detail::box<Added>{})..., 0};
};
template <class... Passes>
struct lowered_array<ops<>, Passes...> {
  static constexpr const u64* data = nullptr;
};

/// The phases that a list of passes leads to from `Phase` on: what functions may be ahead in, whoever calls them.
template <class Phase, class... Ps>
struct later_phases {
  static constexpr auto later = [] {
    struct {
      bool keep[sizeof...(Ps) + 1];
    } r{};
    const pass_desc* const* passes = pass_array<Ps...>::data;
    bool there = true;  // until it is entered, if it is entered at all
    for (size_t i = 0; i < sizeof...(Ps); ++i)
      if (passes[i]->is_transition() && passes[i]->to->key == phase_desc_of<Phase>.key) there = false;
    for (size_t i = 0; i < sizeof...(Ps); ++i) {
      r.keep[i] = there && passes[i]->is_transition() && passes[i]->to->key != phase_desc_of<Phase>.key;
      there = there || (passes[i]->is_transition() && passes[i]->to->key == phase_desc_of<Phase>.key);
    }
    return r;
  }();
  template <size_t... I>
  static auto pick(meta::detail::indices<I...>)
      -> meta::filter_t<phase_list<root_phase_t<phase_after_t<Ps>>...>, later.keep[I]...>;
  using type = decltype(pick(meta::detail::make_indices<sizeof...(Ps)>{}));
};
template <class Phase, class... Ps>
using phases_from = typename later_phases<root_phase_t<Phase>, Ps...>::type;

constexpr bool has_conditions(const judge_input& in) {
  for (size_t i = 0; i < in.total(); ++i)
    if (in.passes[i]->more().flag_key) return true;
  return false;
}

/// The judge for `Input::value`, a constexpr `judge_input`.
template <class Input>
struct judge_for {
  static constexpr judge_sizes sizes = measure(Input::value);
  // Rounded up, so that many orders share a numbering and a judge.
  static constexpr numbering<Input::value.total(), sizes.references | 31, sizes.ops | 63> numbered{Input::value};
  using type = order_judge<
      judge_size<Input::value.total(), numbered.fact_count / 64 + 1, numbered.op_count / 64 + 1, numbered.rows | 31>>;
};

/// Judges `Input::value`. Most orders are right: then no judge is instantiated, nor what explains and repairs.
template <class Input>
struct judgement {
  static constexpr const judge_input& input = Input::value;
  static constexpr bool conditional = has_conditions(Input::value);
  static consteval bool right() {
    if constexpr (is_surely_right(Input::value)) return true;
    else if constexpr (conditional)
      return typename judge_for<Input>::type(Input::value, judge_for<Input>::numbered).is_right_always();
    else return typename judge_for<Input>::type(Input::value, judge_for<Input>::numbered).is_right();
  }
  static constexpr verdict value = [] {
    if constexpr (right()) return verdict{};
    else return typename judge_for<Input>::type(Input::value, judge_for<Input>::numbered).judge();
  }();
};

/// Rules of ops that a pipeline adds, and those of its phases that ask about such.
template <class Added, class... Phases>
constexpr region_rules regions_among(meta::detail::box<phase_list<Phases...>>) {
  if constexpr (!(any_limits_region<Added> || ... || any_limits_region<typename Phases::op_list>)) {
    return {};
  } else {
    using all = meta::unique_t<meta::concat_t<Added, typename Phases::op_list...>>;
    return region_rules_of<all, all>;
  }
}
template <class Added, class... Passes>
constexpr region_rules regions_with() {
  if constexpr (meta::size_v<Added> == 0) return {};
  else
    return regions_among<Added>(
        meta::detail::box<meta::unique_t<phase_list<phase_before_t<Passes>..., phase_after_t<Passes>...>>>{});
}
template <class Added, size_t Candidates, class... Passes>
struct whole_input {
  static consteval judge_input made() {
    judge_input in;
    in.passes = pass_array<Passes...>::data;
    in.count = sizeof...(Passes) - Candidates;
    in.candidates = Candidates;
    in.added = op_set_of<Added>;
    in.lowered = lowered_array<Added, Passes...>::data;
    in.barred = barred_array<Added, Passes...>::data;
    in.regions = regions_with<Added, Passes...>();
    in.begin_there();
    return in;
  }
  static constexpr judge_input value = made();
};

/// Passes [Begin, End) of a list, judged from a module's phase and facts; `Watched`: facts that are asked about
/// besides.
template <class Added, class Phase, class Known, class Watched, size_t Begin, size_t End, class... Ps>
struct part_input {
  static consteval judge_input made() {
    judge_input in;
    in.passes = pass_array<Ps...>::data + Begin;
    in.count = End - Begin;
    in.start = &phase_desc_of<Phase>;
    in.known = fact_list_of<Known>;
    in.watched = fact_list_of<Watched>;
    in.added = op_set_of<Added>;
    in.regions = phase_desc_of<Phase>.regions;
    if constexpr (meta::size_v<Added> != 0)
      in.lowered = lowered_array<Added, Ps...>::data + Begin, in.barred = barred_array<Added, Ps...>::data + Begin;
    return in;
  }
  static constexpr judge_input value = made();
};

/// Those that are passes, and soundly declared.
template <class... Ps>
auto sound(meta::detail::box<pass_list<Ps...>>) -> meta::filter_t<pass_list<Ps...>, pass<Ps>...>;
template <class List>
using sound_of = decltype(sound(meta::detail::box<List>{}));

template <class F>
auto givers(int) -> meta::detail::box<typename givers_of<F>::type>;
template <class F>
auto givers(...) -> meta::detail::box<pass_list<>>;
template <class List>
struct known_givers;
template <class... Fs>
struct known_givers<facts<Fs...>> {
  using type = sound_of<meta::unique_t<meta::concat_t<pass_list<>, typename decltype(givers<Fs>(0))::type...>>>;
};

template <class Op>
auto eliminators(int) -> meta::detail::box<typename eliminators_of<Op>::type>;
template <class Op>
auto eliminators(...) -> meta::detail::box<pass_list<>>;
template <class List>
struct known_eliminators;
template <class... Op>
struct known_eliminators<ops<Op...>> {
  using type = sound_of<meta::unique_t<meta::concat_t<pass_list<>, typename decltype(eliminators<Op>(0))::type...>>>;
};

template <class Phase>
auto ways(int) -> sound_of<typename ways_into<Phase>::type>;
template <class Phase>
auto ways(...) -> pass_list<>;

/// Ops that no phase lists and that are there behind `P`, where those of `There` were: a transition may bring some.
template <class Added, class There, class P>
struct there_behind {
  static constexpr auto pick() {
    if constexpr (stays<P>) return meta::detail::box<There>{};
    else if constexpr (phase_desc_of<phase_after_t<P>>.open)
      return meta::detail::box<meta::unique_t<meta::concat_t<There, added_ops_t<phase_after_t<P>>>>>{};
    else return meta::detail::box<meta::unique_t<meta::concat_t<Added, added_ops_t<phase_after_t<P>>>>>{};
  }
  using type = typename decltype(pick())::type;
};
/// The first pass, `Index` or one behind it, that deletes, merges or moves ops without treating the effects of those.
template <bool Runs, size_t Index, class Added, class There, class First, class... Rest>
consteval verdict untreated_in_turn() {
  constexpr declaration_fault fault = untreated_of_added<Runs, First>(meta::detail::box<There>{});
  verdict v;
  if constexpr (fault.code != 0) {
    v.code = 16, v.pass = static_cast<int>(Index), v.pass_name = First::name, v.subject = fault.said;
    v.copies = pass_desc_of<First>.more().copies;
    for (size_t k = 0; k < fault.shown; ++k) v.add(fault.names[k]);
    return v.total = fault.total, v;
  } else if constexpr (sizeof...(Rest) == 0) {
    return v;
  } else {
    return untreated_in_turn<Runs, Index + 1, Added, typename there_behind<Added, There, First>::type, Rest...>();
  }
}
template <bool Runs, class Added, class... Passes>
consteval verdict untreated_effects() {
  constexpr bool asked = [] {
    bool any = meta::size_v<Added> != 0;
    for (size_t i = 0; i < sizeof...(Passes); ++i)
      any = any || pass_array<Passes...>::data[i]->to->added.size ||
            (i == 0 && pass_array<Passes...>::data[0]->from->added.size);
    return any;
  }();
  if constexpr (asked) {
    using first = phase_before_t<meta::nth_t<0, pass_list<Passes...>>>;
    return untreated_in_turn<Runs, 0, Added, meta::unique_t<meta::concat_t<Added, added_ops_t<first>>>, Passes...>();
  } else {
    return verdict{};
  }
}

/// The passes, judged once more with others that a repair may insert.
template <class Added, class... Passes, class... Cs>
consteval verdict judge_with(meta::detail::box<pass_list<Cs...>>) {
  return judgement<whole_input<Added, sizeof...(Cs), Passes..., Cs...>>::value;
}
template <class Added, class... Passes>
consteval auto judge_whole() {
  if constexpr (sizeof...(Passes) == 0) {
    return verdict{};
  } else if constexpr (constexpr verdict effects = untreated_effects<false, Added, Passes...>(); !effects.ok()) {
    return effects;
  } else if constexpr (constexpr verdict first = judgement<whole_input<Added, 0, Passes...>>::value;
                       (first.code == 2 || first.code == 3) && first.repair_count == 0) {
    using culprit = meta::nth_t<static_cast<size_t>(first.pass), pass_list<Passes...>>;
    return judge_with<Added, Passes...>(meta::detail::box<typename known_givers<typename culprit::needs>::type>{});
  } else if constexpr (first.code == 1 && (first.repair_count == 0 || first.repairs[0].kind == repair_kind::drop)) {
    using culprit = meta::nth_t<static_cast<size_t>(first.pass), pass_list<Passes...>>;
    return judge_with<Added, Passes...>(meta::detail::box<decltype(ways<root_phase_t<phase_before_t<culprit>>>(0))>{});
  } else if constexpr (first.code == 4 && first.repair_count == 0) {
    using culprit = meta::nth_t<static_cast<size_t>(first.pass), pass_list<Passes...>>;
    using present = meta::concat_t<typename phase_before_t<culprit>::op_list, Added>;
    return judge_with<Added, Passes...>(meta::detail::box<typename known_eliminators<present>::type>{});
  } else if constexpr (first.code == 9 && first.other.length == 0) {  // their names are alike: say what they are
    verdict v = first;
    v.pass_name = meta::unqualified_name<meta::nth_t<static_cast<size_t>(first.pass), pass_list<Passes...>>>();
    v.culprit_name = meta::unqualified_name<meta::nth_t<static_cast<size_t>(first.culprit), pass_list<Passes...>>>();
    return v;
  } else {
    return first;
  }
}

/// Plain passes are checked together, as data; the others one by one.
constexpr int first_faulty(auto passes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const auto& p = *passes[i];
    if (p.rare) continue;
    if (!sound_desc(p) && fault_of_desc(p).code) return static_cast<int>(i);
  }
  return -1;
}
/// The second question is not asked of a plain pass. (As a disjunction of constraints clang would ask the first one
/// anew wherever it stands alone.)
struct plainly_sound {
  static constexpr bool ok = true;
};
template <bool Plain>
struct soundness {
  template <class P>
  using of = form_check<P>;
};
template <>
struct soundness<true> {
  template <class P>
  using of = plainly_sound;
};

template <class... Passes>
consteval int first_unsound_apart() {
  constexpr bool sound[] = {soundness<plain_pass<Passes>>::template of<Passes>::ok..., true};
  return first_false(sound, sizeof...(Passes));
}
template <class... Passes>
consteval int first_unsound() {
  constexpr int misspelt = first_misspelt<pass_array<Passes...>::data, Passes...>();
  constexpr int unusual = first_unsound_apart<Passes...>();
  constexpr int faulty = unusual >= 0 ? unusual : first_faulty(pass_array<Passes...>::data, sizeof...(Passes));
  return misspelt >= 0 && (faulty < 0 || misspelt <= faulty) ? misspelt : faulty;
}
/// (A constexpr variable of the function that asks would be computed twice by clang: where it is declared, and when the
/// function runs.)
template <class... Passes>
inline constexpr quick_answer quick_verdict_on = quick_answer_to(whole_input<ops<>, 0, Passes...>::value);
/// Most pipelines: every pass sound, and the quick walk says yes.
template <class Added, class... Passes>
consteval bool is_right_at_once() {
  if constexpr (!meta::same<Added, ops<>>) return false;
  else if constexpr (quick_verdict_on<Passes...> == quick_answer::no) return false;
  else return surely_spelled_right<quick_verdict_on<Passes...> == quick_answer::right_each_once, Passes...>();
}
}  // namespace detail

namespace detail {
/// The first of the ops that a pipeline adds which says of its effects what means nothing; `void`: none. Those that are
/// only declared here are asked where they are made.
template <class... Op>
constexpr auto first_idle(meta::detail::box<ops<Op...>>) {
  using idle = meta::filter_t<ops<Op...>, !sound_op<Op>...>;
  if constexpr (idle::size == 0) return meta::detail::box<void>{};
  else return meta::detail::box<meta::nth_t<0, idle>>{};
}
}  // namespace detail

/// The passes, judged as a whole, for modules that hold the ops of `Added` besides those of the phases.
template <class Added, class... Passes>
struct judged {
  static constexpr bool at_once = detail::is_right_at_once<Added, Passes...>();
  using odd_op = typename decltype(detail::first_idle(meta::detail::box<Added>{}))::type;
  static constexpr bool has_odd_op = !meta::same<odd_op, void>;
  static consteval int find_unsound() {
    if constexpr (at_once || has_odd_op) return -1;
    else return detail::first_unsound<Passes...>();
  }
  static constexpr int unsound = find_unsound();
  static consteval verdict found() {
    if constexpr (at_once) {
      return verdict{};
    } else if constexpr (has_odd_op) {
      verdict v;
      return v.code = detail::op_check<odd_op>::idle ? 37 : 8, v.subject = detail::effect_name<odd_op>(), v;
    } else if constexpr (unsound >= 0) {
      using culprit = meta::nth_t<static_cast<size_t>(unsound), pass_list<Passes...>>;
      verdict v;
      v.code = pass_check<culprit>::fault.code;
      v.pass = unsound, v.pass_name = detail::pass_name<culprit>();
      return v;
    } else {
      constexpr verdict order = detail::judge_whole<Added, Passes...>();
      if constexpr (!order.ok() || detail::meets_made_functions(detail::pass_array<Passes...>::data, sizeof...(Passes)))
        return order;
      else return detail::functions_left_ahead<Passes...>::value;
    }
  }
  static constexpr meta::later_t<verdict, Passes...> value = found();
  static constexpr bool ok = value.ok();
  static consteval meta::phrase say() {
    if constexpr (has_odd_op) return detail::op_check<odd_op>::say();
    else if constexpr (unsound >= 0)
      return pass_check<meta::nth_t<static_cast<size_t>(unsound), pass_list<Passes...>>>::say();
    else return sentence_of(value);
  }
};

namespace detail {
template <class List>
struct judged_list : judged_list<typename List::passes> {};  // a pipeline, or what has one's members
template <class... Passes>
struct judged_list<pass_list<Passes...>> {
  using type = judged<ops<>, Passes...>;
};
}  // namespace detail

/// Softly: can these passes run in this order? Never an error.
template <class List>
inline constexpr bool is_valid = detail::judged_list<List>::type::ok;

/// The verdict, as a value for your own static_asserts.
template <class... Passes>
inline constexpr verdict verdict_of = judged<ops<>, Passes...>::value;

}  // namespace tenon
