/// @file run: one pass by hand, judged as strictly as in a pipeline.
///
/// `run<pass>(std::move(m), cx)` takes a module of which the pass's needs are known, and returns one whose type says
/// what is known then. A pass object that carries data is given as an argument: `run(tile{.x = 4}, std::move(m), cx)`.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/execute.hpp>

namespace tenon {

/// The type of the module after `Pass` ran on a `Module`.
template <class Pass, class Module>
using after_t = typename detail::after<Pass, Module>::type;

/// Softly: may `Pass` run on a `Module`?
template <class Pass, class Module>
inline constexpr bool can_run = detail::step_check<Pass, Module>::ok;

/// Loudly.
template <class Pass, class Module>
concept runs_on = meta::answer_t<detail::step_check<Pass, Module>>::accepted;

namespace detail {
template <class Pass>
constexpr auto phases_made() {
  if constexpr (requires { typename Pass::makes_functions_in; })
    return meta::detail::box<phase_list<typename Pass::makes_functions_in>>{};
  else return meta::detail::box<phase_list<>>{};
}
/// One pass between two modules, as a list.
template <class Pass, class Before, class After>
struct by_hand;
template <class Pass, class B, class... Known, class P, class... Fs>
struct by_hand<Pass, ir_module<B, Known...>, ir_module<P, Fs...>> {
  using made = typename decltype(phases_made<Pass>())::type;
  static constexpr scheduled_pass pass = scheduled<Pass>(&verify_phase<P, added_ops_t<P>, made>);
  static constexpr proof facts[] = {proof_of<Fs>()..., {}};
  static constexpr label begun[] = {label(Known::name)..., {}};
  static constexpr schedule list{&pass, 1, facts, sizeof...(Fs), nullptr, 0, begun, sizeof...(Known)};
};

template <class Pass, class Module>
auto run_pass(const Pass* pass, Module&& m, context& cx) {
  using result = after_t<Pass, Module>;
  using hand = by_hand<Pass, Module, result>;
  provide_lowerings<Pass>(cx, meta::detail::box<added_ops_t<typename Module::phase>>{});
  return module_door::make<result>(
      execute(hand::list, pass, enter<added_ops_t<typename Module::phase>, typename hand::made>(std::move(m)), cx));
}
}  // namespace detail

namespace detail {
template <class Pass>
struct made_by_default {
  static constexpr bool ok = requires { Pass{}; };
  static consteval meta::phrase say() {
    meta::phrase s;
    (s << "tenon-E018: pass ").quoted(pass_name<Pass>());
    return s << " cannot be made without arguments: give the object, 'tenon::run(pass, std::move(module), cx)'";
  }
};
}  // namespace detail

/// Runs a pass, with the options that the context holds for it (`cx.set(Pass{…})`), or with its default ones.
template <class Pass, class Phase, class... Facts>
[[nodiscard]] auto run(ir_module<Phase, Facts...>&& m, context& cx) {
  using step = detail::step_check<Pass, ir_module<Phase, Facts...>>;
  // Told in the body: a constraint makes compilers quote it, and list all other functions of this name.
  meta::answer_t<step>::accept();
  if constexpr (step::ok) meta::answer_t<detail::made_by_default<Pass>>::accept();
  if constexpr (step::ok && detail::made_by_default<Pass>::ok) return detail::run_pass<Pass>(nullptr, std::move(m), cx);
  else return std::move(m);  // it does not compile anyway; say no more
}

/// Runs the pass object that is given.
template <class Pass, class Phase, class... Facts>
[[nodiscard]] auto run(const Pass& pass, ir_module<Phase, Facts...>&& m, context& cx) {
  using step = detail::step_check<Pass, ir_module<Phase, Facts...>>;
  meta::answer_t<step>::accept();
  if constexpr (step::ok) return detail::run_pass(&pass, std::move(m), cx);
  else return std::move(m);
}

}  // namespace tenon
