/// @file surgery: pipelines cut from others: edits, and the parts before and after a phase.
#pragma once

#include <tenon/judge/judged.hpp>
#include <tenon/judge/optional.hpp>

namespace tenon {

template <class... Passes>
  requires meta::answer_t<judged<ops<>, Passes...>>::accepted
class pipeline;
template <class Added, class... Passes>
  requires meta::answer_t<judged<Added, Passes...>>::accepted
class pipeline_with_ops;

/// Edits. `A` is a pass of the pipeline, or what an optional one makes optional; where it runs several times, each is
/// meant. What is put in may be a pipeline, or a pass_list of what is none by itself: all its passes then. (Ops that a
/// pipeline was judged with, `add_ops` names.)
template <class A, class New, class... More>
struct insert_before {};
template <class A, class New, class... More>
struct insert_after {};
template <class A, class New, class... More>
struct replace {};
template <class A, class... More>
struct without {};
template <class New, class... More>
struct append {};
template <class New, class... More>
struct prepend {};
/// The pipeline is for modules that hold these ops too, as `with_ops` says it; judged with the other edits, at the end.
template <class... Op>
struct add_ops {};

namespace detail {
using meta::detail::box;

/// What an edit puts in, as a list: a pass, or the passes of a pipeline or list.
template <class New>
struct put_in {
  using type = pass_list<New>;
};
template <class New>
  requires requires { typename New::passes; }
struct put_in<New> {
  using type = typename New::passes;
};
template <class... Ps>
struct put_in<pass_list<Ps...>> {
  using type = pass_list<Ps...>;
};
template <class... New>
using put_in_t = meta::concat_t<pass_list<>, typename put_in<New>::type...>;

/// Each pass of a list becomes a list, and these are joined.
template <class A, class Anchor, class List>
struct swap {
  using type = pass_list<A>;
};
template <class A, class List>
struct swap<A, A, List> {
  using type = List;
};

/// `A`, or where the list has it only as `optional<A, …>`, that.
template <class List, class A>
struct anchor_in;
template <class... Ps, class A>
struct anchor_in<pass_list<Ps...>, A> {
  static constexpr auto pick() {
    if constexpr (!meta::contains_v<A, pass_list<Ps...>> && (meta::same<bare_pass_t<Ps>, A> || ...))
      return box<meta::nth_t<0, meta::filter_t<pass_list<Ps...>, meta::same<bare_pass_t<Ps>, A>...>>>{};
    else return box<A>{};
  }
  using type = typename decltype(pick())::type;
};
template <class List, class A>
using anchor_t = typename anchor_in<List, A>::type;

struct an_edit {
  static constexpr bool is_edit = true;
};
template <class List, class Edit>
struct apply_edit {
  static constexpr bool is_edit = false, found = false;
  static constexpr label anchor = pass_name<Edit>();
  using type = List;
};
template <class... Ps, class A, class... New>
struct apply_edit<pass_list<Ps...>, insert_before<A, New...>> : an_edit {
  using at = anchor_t<pass_list<Ps...>, A>;
  static constexpr bool found = (meta::same<Ps, at> || ...);
  static constexpr label anchor = pass_name<A>();
  using type =
      meta::concat_t<pass_list<>, typename swap<Ps, at, meta::concat_t<put_in_t<New...>, pass_list<at>>>::type...>;
};
template <class... Ps, class A, class... New>
struct apply_edit<pass_list<Ps...>, insert_after<A, New...>> : an_edit {
  using at = anchor_t<pass_list<Ps...>, A>;
  static constexpr bool found = (meta::same<Ps, at> || ...);
  static constexpr label anchor = pass_name<A>();
  using type =
      meta::concat_t<pass_list<>, typename swap<Ps, at, meta::concat_t<pass_list<at>, put_in_t<New...>>>::type...>;
};
template <class... Ps, class A, class... New>
struct apply_edit<pass_list<Ps...>, replace<A, New...>> : an_edit {
  using at = anchor_t<pass_list<Ps...>, A>;
  static constexpr bool found = (meta::same<Ps, at> || ...);
  static constexpr label anchor = pass_name<A>();
  using type = meta::concat_t<pass_list<>, typename swap<Ps, at, put_in_t<New...>>::type...>;
};
template <class... Ps, class... A>
struct apply_edit<pass_list<Ps...>, without<A...>> : an_edit {
  static constexpr bool found = (meta::contains_v<anchor_t<pass_list<Ps...>, A>, pass_list<Ps...>> && ...);
  static constexpr label anchor = [] {
    label missing;
    ((meta::contains_v<anchor_t<pass_list<Ps...>, A>, pass_list<Ps...>> ? void() : void(missing = pass_name<A>())),
     ...);
    return missing;
  }();
  using type = meta::without_t<pass_list<Ps...>, pass_list<anchor_t<pass_list<Ps...>, A>...>>;
};
template <class... Ps, class... New>
struct apply_edit<pass_list<Ps...>, append<New...>> : an_edit {
  static constexpr bool found = true;
  static constexpr label anchor{};
  using type = meta::concat_t<pass_list<Ps...>, put_in_t<New...>>;
};
template <class... Ps, class... New>
struct apply_edit<pass_list<Ps...>, prepend<New...>> : an_edit {
  static constexpr bool found = true;
  static constexpr label anchor{};
  using type = meta::concat_t<put_in_t<New...>, pass_list<Ps...>>;
};

template <class... Ps, class... Op>
struct apply_edit<pass_list<Ps...>, add_ops<Op...>> : an_edit {
  static constexpr bool found = true;
  static constexpr label anchor{};
  using type = pass_list<Ps...>;
};
template <class Edit>
struct ops_added_by {
  using type = ops<>;
};
template <class... Op>
struct ops_added_by<add_ops<Op...>> {
  using type = ops<Op...>;
};
template <class Added, class... Edits>
struct all_added {
  using type = meta::unique_t<meta::concat_t<Added, typename ops_added_by<Edits>::type...>>;
};

/// All edits in their order; `missing` is the first anchor that is not there.
template <class List, class... Edits>
struct apply_edits {
  static constexpr bool found = true, are_edits = true;
  static constexpr label missing{};
  using type = List;
};
template <class List, class First, class... Rest>
struct apply_edits<List, First, Rest...> {
  using step = apply_edit<List, First>;
  using rest = apply_edits<typename step::type, Rest...>;
  static constexpr bool found = step::found && rest::found;
  static constexpr bool are_edits =
      step::is_edit && (!step::found || rest::are_edits);  // up to the first that is missing
  static constexpr label missing = step::found ? rest::missing : step::anchor;
  using type = typename rest::type;
};

template <class Added, class List>
struct judged_edit;
template <class Added, class... Ps>
struct judged_edit<Added, pass_list<Ps...>> : judged<Added, Ps...> {};

template <class Added, class List>
struct named_pipeline;
template <class... Ps>
struct named_pipeline<ops<>, pass_list<Ps...>> {
  using type = tenon::pipeline<Ps...>;
};
template <class Op, class... Ops, class... Ps>
struct named_pipeline<ops<Op, Ops...>, pass_list<Ps...>> {
  using type = pipeline_with_ops<ops<Op, Ops...>, Ps...>;
};

template <class Pipeline, class... Edits>
struct edit_check {
  using result = apply_edits<typename Pipeline::passes, Edits...>;
  using added_ops = typename all_added<typename Pipeline::added_ops, Edits...>::type;
  using judge = judged_edit<added_ops, typename result::type>;
  static constexpr bool ok = [] {
    if constexpr (result::found) return judge::ok;
    else return false;
  }();
  static consteval meta::phrase say() {
    if constexpr (result::found) {
      return judge::say();
    } else {
      meta::later_t<meta::phrase, Pipeline> s;
      if constexpr (!result::are_edits) {
        (s << "tenon-E023: ").quoted(result::missing);
        return s << " is no edit: write append, prepend, without, or with a pass of the pipeline insert_before, "
                    "insert_after, replace";
      }
      s << "tenon-E023: an edit names pass ";
      s.quoted(result::missing) << ", which is not in this pipeline: name a pass that is, or 'append' to it";
      return s;
    }
  }
};
}  // namespace detail

/// The check and the result of `pipeline::edit`. Its name is short, since g++ prints it in most lines of a message.
template <class Pipeline, class... Edits>
struct edited : detail::edit_check<Pipeline, Edits...> {
  using answer = meta::answer_t<detail::edit_check<Pipeline, Edits...>>;
};

template <class Pipeline, class... Edits>
using edited_t = typename detail::named_pipeline<typename edited<Pipeline, Edits...>::added_ops,
                                                 typename edited<Pipeline, Edits...>::result::type>::type;

namespace detail {
template <class Phase, class... Ps>
struct cut {
  /// The first pass that leaves `Phase` for good: not to a side phase.
  static constexpr size_t exit = [] {
    const bool leaves[] = {
        (pass_desc_of<Ps>.from->key == phase_desc_of<Phase>.key && pass_desc_of<Ps>.is_transition() &&
         pass_desc_of<Ps>.to->side_of != phase_desc_of<Phase>.key)...,
        true};
    size_t i = 0;
    while (!leaves[i]) ++i;
    return i;
  }();
  /// The first pass that runs in `Phase`.
  static constexpr size_t entry = [] {
    const bool inside[] = {(pass_desc_of<Ps>.from->key == phase_desc_of<Phase>.key)..., true};
    size_t i = 0;
    while (!inside[i]) ++i;
    return i;
  }();
  /// One past the first pass that enters `Phase`; 0 if none does.
  static constexpr size_t entered = [] {
    const bool enters[] = {
        (pass_desc_of<Ps>.to->key == phase_desc_of<Phase>.key && pass_desc_of<Ps>.is_transition())..., false};
    for (size_t i = 0; i < sizeof...(Ps); ++i)
      if (enters[i]) return i + 1;
    return size_t(0);
  }();
  template <size_t Begin, size_t End, size_t... I>
  static auto slice(meta::detail::indices<I...>) -> meta::filter_t<pass_list<Ps...>, (I >= Begin && I < End)...>;
  template <size_t Begin, size_t End>
  using slice_t = decltype(slice<Begin, End>(meta::detail::make_indices<sizeof...(Ps)>{}));
};
template <class Phase, class List>
struct cut_list;
template <class Phase, class... Ps>
struct cut_list<Phase, pass_list<Ps...>> : cut<Phase, Ps...> {
  using prefix = typename cut<Phase, Ps...>::template slice_t<0, cut<Phase, Ps...>::exit>;
  using suffix = typename cut<Phase, Ps...>::template slice_t<cut<Phase, Ps...>::exit, sizeof...(Ps)>;
};
}  // namespace detail

/// The passes of a pipeline that run before the transition out of `Phase`: what `compile_to<Phase>` runs.
template <class Pipeline, class Phase>
using prefix_until = typename detail::cut_list<Phase, typename Pipeline::passes>::prefix;
/// The transition out of `Phase`, and all after it.
template <class Pipeline, class Phase>
using suffix_from = typename detail::cut_list<Phase, typename Pipeline::passes>::suffix;

}  // namespace tenon
