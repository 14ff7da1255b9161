/// @file member_ways: the way of each member of a composite: the passes before the split, then the rest of its own
/// pipeline.
///
/// The split hides that rest from the judge of the composite's own passes, which see one pass there. So what the rest
/// relies on is computed, and needed by the split; and where the composite's passes were edited, each member's way is
/// judged as a whole, with the facts, ops and intervals of all of it.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/target.hpp>

namespace tenon::detail {

/// Passes [Begin, End) of a list.
template <class List, size_t Begin, size_t End>
struct passes_between;
template <class... Ps, size_t Begin, size_t End>
struct passes_between<pass_list<Ps...>, Begin, End> {
  template <size_t... I>
  static auto pick(meta::detail::indices<I...>) -> meta::filter_t<pass_list<Ps...>, (I >= Begin && I < End)...>;
  using type = decltype(pick(meta::detail::make_indices<sizeof...(Ps)>{}));
};

/// Do passes, or what comes behind them, need a fact before they give it themselves?
constexpr bool rely_on(const fact_desc* fact, const pass_desc* const* passes, size_t count, const fact_list& required) {
  const auto gone = [&](u64 op, size_t until) {
    for (size_t k = 0; k < until; ++k) {
      const pass_desc& p = *passes[k];
      if (p.eliminates.contains(op) || (p.is_transition() && !p.to->ops.contains(op) && !p.to->added.contains(op)))
        return true;
    }
    return false;
  };
  for (size_t i = 0; i <= count; ++i) {
    if ((i < count ? passes[i]->needs() : required).contains(fact)) {
      if (!fact->op_set_fact) return true;
      for (const op_key& op : fact->absent)
        if (!gone(op.key, i)) return true;
      return false;
    }
    if (i < count && !fact->op_set_fact && passes[i]->gives().contains(fact) && !passes[i]->more().flag_key)
      return false;
  }
  return false;
}

/// The facts that a member relies on from `Begin` on.
template <class T, class Rest>
struct relied_facts;
template <class T, class... Ps>
struct relied_facts<T, pass_list<Ps...>> {
  using required = typename decltype(required_facts<T>(0))::type;
  template <class... Fs>
  static auto pick(meta::detail::box<facts<Fs...>>)
      -> meta::filter_t<facts<Fs...>,
                        rely_on(&fact_desc_of<Fs>, pass_array<Ps...>::data, sizeof...(Ps), fact_list_of<required>)...>;
  using type =
      decltype(pick(meta::detail::box<meta::unique_t<meta::concat_t<facts<>, typename Ps::needs..., required>>>{}));
};
template <class T, size_t Begin>
using rest_of = typename passes_between<pipeline_of<T>, Begin, meta::size_v<pipeline_of<T>>>::type;
template <class T, size_t Begin>
using relied_facts_t = typename relied_facts<T, rest_of<T, Begin>>::type;

/// A pipeline that nobody has judged yet.
template <class Added, class List>
struct unjudged {
  using passes = List;
  using added_ops = Added;
};

/// One member's way, where `Before` is what runs before the split, for modules that hold the ops of `Added` too.
template <class T, class Added, class List>
struct member_way;
template <class T, class Added, class... Ps>
struct member_way<T, Added, pass_list<Ps...>> {
  using order = judged<Added, Ps...>;
  using generator = typename T::code_generator;
  static constexpr meta::later_t<verdict, T> goal = [] {
    if constexpr (!order::ok) return order::value;
    else return judgement<goal_input<T, Ps...>>::value;
  }();
  /// A composite as a member: its members go on from there.
  template <class G>
  static constexpr auto inner(int) -> typename G::template behind<unjudged<Added, pass_list<Ps...>>>;
  template <class G>
  static constexpr auto inner(...) -> plainly_sound;
  static constexpr bool ok = [] {
    if constexpr (!goal.ok()) return false;
    else return decltype(inner<generator>(0))::ok;
  }();
  static consteval meta::phrase say() {
    if constexpr (!order::ok) return order::say();
    else if constexpr (!goal.ok()) return sentence_of(goal);
    else return decltype(inner<generator>(0))::say();
  }
};

/// Can all members go on behind the passes of `Pipeline`, up to the split by `Split`?
template <class Composite, class Split, class Pipeline, class Members>
struct member_ways;
template <class Composite, class Split, class Pipeline, template <class...> class List, class... Members>
struct member_ways<Composite, Split, Pipeline, List<Members...>> {
  template <class... Ps>
  static constexpr size_t split_at(meta::detail::box<pass_list<Ps...>>) {
    const bool is_split[] = {meta::same<Ps, Split>..., true};
    size_t i = 0;
    while (!is_split[i]) ++i;
    return i;
  }
  using before = typename passes_between<typename Pipeline::passes, 0,
                                         split_at(meta::detail::box<typename Pipeline::passes>{})>::type;
  using more_ops = meta::without_t<typename Pipeline::added_ops, typename Composite::pipeline::added_ops>;
  template <class M>
  using way = member_way<typename M::target, meta::concat_t<typename M::target::pipeline::added_ops, more_ops>,
                         meta::concat_t<before, rest_of<typename M::target, Composite::prefix>>>;
  static constexpr bool ok = (way<Members>::ok && ...);

  template <class M>
  static consteval void say_one(meta::phrase& s) {
    if constexpr (!way<M>::ok) {
      if (s.length != 0) return;
      constexpr meta::phrase why = way<M>::say();
      const label all = why;
      (s << "tenon-E071: member ").quoted(M::name)
          << " of a composite cannot go on behind the passes before the split, by ";
      s << label{all.first + 6, 4} << ": " << label{all.first + 12, all.length - 12};
    }
  }
  static consteval meta::phrase say() {
    meta::phrase s;
    (say_one<Members>(s), ...);
    return s;
  }
};

}  // namespace tenon::detail
