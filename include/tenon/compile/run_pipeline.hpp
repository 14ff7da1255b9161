/// @file run_pipeline: runs a pipeline by itself, without a target.
///
///     using mine = pipeline<passes::infer_shapes, passes::simplify>;
///     auto simple = run_pipeline<mine>(std::move(m), cx);     // ir_module<phases::optimization, …>
///
/// Every pass runs, optional ones as the context's flags say. The order is judged again, from the phase of this module
/// and from what is known of it: a pipeline that is right may begin in another phase, or need what another module has.
/// A target's pipeline is run by `build` and `compile_to`, which also record the target, and resume where a module is.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/build.hpp>

namespace tenon {
namespace detail {

/// A pipeline in place of a target.
template <class Pipeline>
struct alone {
  static constexpr fixed_string name = "pipeline";
  using pipeline = Pipeline;
};

/// From the first pass to the last.
template <class Goal, class Pipeline, class Phase, class... Facts, class... Ps>
struct route<Goal, alone<Pipeline>, ir_module<Phase, Facts...>, pass_list<Ps...>> {
  using phase = Phase;
  using known = facts<Facts...>;
  using added = meta::unique_t<meta::concat_t<typename Pipeline::added_ops, added_ops_t<Phase>>>;
  static constexpr size_t begin = 0, end = sizeof...(Ps);
  template <size_t Begin, class Known = facts<Facts...>>
  using part = part_input<added, Phase, Known, named_facts<Ps...>, Begin, end, Ps...>;
  using proved = begun_facts_t<begin != end, route>;
  static constexpr verdict effects = effects_on_the_way<Phase, added, begin, end, Ps...>();
  static constexpr meta::later_t<verdict, Pipeline> value = [] {
    if constexpr (begin == end) return verdict{};
    else if constexpr (!effects.ok()) return effects;
    else return judged_part<part<begin, known_with<route>>>();
  }();
  static constexpr bool ok = value.ok();
  static consteval meta::phrase say() { return sentence_of(value); }
};

template <class Pipeline, class Module>
using whole_route = route<void, alone<Pipeline>, Module, typename Pipeline::passes>;
}  // namespace detail

/// Loudly: can this pipeline run on such a module?
template <class Pipeline, class Module>
concept pipeline_runs_on = meta::answer_t<detail::whole_route<Pipeline, Module>>::accepted;

template <class Pipeline, class Phase, class... Facts>
[[nodiscard]] auto run_pipeline(ir_module<Phase, Facts...>&& m, context& cx) {
  using module = ir_module<Phase, Facts...>;
  meta::answer_t<detail::whole_route<Pipeline, module>>::accept();
  if constexpr (!detail::whole_route<Pipeline, module>::ok) return std::move(m);
  else return detail::way_to<void, detail::alone<Pipeline>, module, typename Pipeline::passes>::run(std::move(m), cx);
}

}  // namespace tenon
