/// @file run_inside: passes that a pass runs in its own body, judged against what it says of itself.
///
///     struct clean_up {
///       static constexpr fixed_string name = "clean_up";
///       using runs_in = phases::optimization;
///       using needs = facts<fact::shapes_known>;               // what `simplify` needs
///       using keeps = passes::graph_facts;                     // no more than it keeps
///       using emits = passes::simplify::emits;                 // what it emits, …
///       using deletes = effects<>;
///       using leaves = passes::simplify::leaves;
///       using not_between = passes::simplify::not_between;
///       void run(ir_module<runs_in>& m, context& cx) const {
///         run_inside<passes::simplify, passes::eliminate_dead>(*this, m, cx);
///       }
///     };
///
/// A pipeline sees the pass around them only, so that must say what they need and do: else it does not compile
/// ("tenon-E036"), also on what they work. They are an order, which the judge of pipelines is asked about: it begins
/// behind what the pass around them may have done by then, and what that both needs and keeps is known there.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/run.hpp>
#include <tenon/judge/inside.hpp>

namespace tenon {
namespace detail {

/// Passes inside of another one, as a list: of each is proved what it gives, and no more.
template <class Gives, class... Inner>
struct inside_list;
template <class... Fs, class... Inner>
struct inside_list<facts<Fs...>, Inner...> {
  static constexpr scheduled_pass passes[] = {scheduled<Inner>()..., {}};
  static constexpr proof proofs[] = {proof_of<Fs>()..., {}};
  static constexpr size_t words = sizeof...(Fs) / 64 + 1;
  static constexpr auto given = [] {
    struct {
      u64 row[(sizeof...(Inner) + 1) * words]{};
    } r;
    const fact_desc* const all[] = {&fact_desc_of<Fs>..., nullptr};
    const pass_desc* const inner[] = {&pass_desc_of<Inner>..., nullptr};
    for (size_t i = 0; i < sizeof...(Inner); ++i)
      for (size_t f = 0; f < sizeof...(Fs); ++f)
        if (inner[i]->gives_fact(all[f])) r.row[i * words + f / 64] |= u64(1) << (f % 64);
    return r;
  }();
  static constexpr schedule value{passes, sizeof...(Inner), proofs, sizeof...(Fs), given.row, words};
};
template <class... Inner, class Phase>
void execute_inside(ir_module<Phase>& m, context& cx) {
  using list = inside_list<meta::unique_t<meta::concat_t<facts<>, gives_of_t<Inner>...>>, Inner...>;
  m = module_door::make<ir_module<Phase>>(
      execute(list::value, module_door::take(std::move(m)), cx, 0, sizeof...(Inner)));
}
}  // namespace detail

/// Softly: may `Outer` run these passes in its body, on a module of `Phase`?
template <class Outer, class Phase, class... Inner>
inline constexpr bool can_run_inside = detail::inside_check<Outer, Phase, Inner...>::ok;
/// Loudly.
template <class Outer, class Phase, class... Inner>
concept runs_inside = meta::answer_t<detail::inside_check<Outer, Phase, Inner...>>::accepted;

/// Runs passes, one after the other, in the body of another one: `run_inside<a, b>(*this, m, cx)`. They have the
/// options that the context holds for them, or default ones; under `verify_each` what they give is proved.
template <class... Inner, class Outer, class Phase>
void run_inside(const Outer&, ir_module<Phase>& m, context& cx) {
  using check = detail::inside_check<Outer, Phase, Inner...>;
  meta::answer_t<check>::accept();  // in the body, as `run` does
  if constexpr (check::ok) detail::execute_inside<Inner...>(m, cx);
}

}  // namespace tenon
