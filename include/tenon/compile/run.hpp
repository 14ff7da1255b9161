/// @file run: one pass by hand, judged as strictly as in a pipeline.
///
/// `run<pass>(std::move(m), cx)` takes a module of which the pass's needs are known, and returns one whose type says
/// what is known then. A pass object that carries data is given as an argument: `run(tile{.x = 4}, std::move(m), cx)`.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/judge/step.hpp>

namespace tenon {

/// The type of the module after `Pass` ran on a `Module`.
template <class Pass, class Module>
using after_t = typename detail::after<Pass, Module>::type;

/// Softly: may `Pass` run on a `Module`?
template <class Pass, class Module>
inline constexpr bool can_run = detail::step_check<Pass, Module>::ok;

/// Loudly.
template <class Pass, class Module>
concept runs_on = meta::accepted<meta::told_t<detail::step_check<Pass, Module>>>;

namespace detail {
template <class Pass>
constexpr auto phases_made() {
  if constexpr (requires { typename Pass::makes_functions_in; })
    return meta::detail::box<phase_list<typename Pass::makes_functions_in>>{};
  else return meta::detail::box<phase_list<>>{};
}
template <class Pass, class Module>
struct proofs_of;
template <class Pass, class P, class... Fs>
struct proofs_of<Pass, ir_module<P, Fs...>> {
  using made = typename decltype(phases_made<Pass>())::type;
  static constexpr proof list[] = {{label(P::name), &verify_phase<P, added_ops_t<P>, made>},
                                   {label(Fs::name), &prove<Fs>}...};
};

/// A pass, erased: what surrounds it when it runs is one function for all passes.
struct pass_call {
  std::string_view name, before, after;  ///< its name, and the phases
  void (*run)(const void* pass, std::unique_ptr<ir::module>& body, context& cx);
  const pass_desc* said;
};
/// Times the pass, proves what it claims if `verify_each` asks for it, and holds it to what no pass may do. Throws
/// "tenon-E028" if an artifact is lost, "tenon-E030" if a proof fails or a function that is ahead was changed.
std::unique_ptr<ir::module> run_erased(const pass_call& call, const void* pass, std::unique_ptr<ir::module> body,
                                       context& cx, const proof* proofs, size_t proof_count);

/// Proves what a module's phase begins with. Throws "fact" with what the checker says.
void prove_begun_fact(const ir::module& m, label phase, const proof& what);
template <class Phase, class... Fs>
void prove_begun(const ir::module& m, meta::detail::box<facts<Fs...>>) {
  (prove_begun_fact(m, Phase::name, {label(Fs::name), &prove<Fs>}), ...);
}

/// Says to the context which flags a list of passes has. Throws "flag.unknown" as `context::meet_flags` does.
void meet_flags(context& cx, const pass_desc* const* passes, size_t count);

template <class Pass>
void call_pass(const void* pass, std::unique_ptr<ir::module>& body, context& cx) {
  ir_module<phase_before_t<Pass>> plain = module_door::make<ir_module<phase_before_t<Pass>>>(std::move(body));
  if constexpr (stays<Pass>) {
    static_cast<const Pass*>(pass)->run(plain, cx);
    body = module_door::take(std::move(plain));
  } else {
    ir_module<phase_after_t<Pass>> after = static_cast<const Pass*>(pass)->run(std::move(plain), cx);
    body = module_door::take(std::move(after));
  }
}

/// Runs a pass on a module that was judged to suit it.
template <class Pass>
std::unique_ptr<ir::module> run_body(const Pass& pass, std::unique_ptr<ir::module> body, context& cx,
                                     const proof* proofs, size_t proof_count) {
  static_assert(
      runnable<Pass>,
      "tenon-E018: a pass has 'void run(ir_module<runs_in>&, context&) const', or, from one phase to another, "
      "'ir_module<to> run(ir_module<from>&&, context&) const'");
  static constexpr pass_call call{label(Pass::name), label(phase_before_t<Pass>::name),
                                  label(phase_after_t<Pass>::name), &call_pass<Pass>, &pass_desc_of<Pass>};
  return run_erased(call, &pass, std::move(body), cx, proofs, proof_count);
}

/// Lets `lower_with<Pass, Op>::provide(cx)` say how the pass handles an added op, where it has something to say.
template <class Pass, class Op>
void provide_lowering(context& cx) {
  if constexpr (requires { lower_with<Pass, Op>::provide(cx); }) lower_with<Pass, Op>::provide(cx);
}
template <class... Passes, class... Op>
void provide_lowerings(context& cx, meta::detail::box<ops<Op...>>) {
  const auto one = [&cx]<class Pass>(meta::detail::box<Pass>) { (provide_lowering<Pass, Op>(cx), ...); };
  (one(meta::detail::box<Passes>{}), ...);
}
template <class... Passes>
void provide_lowerings(context&, meta::detail::box<ops<>>) {}

template <class Pass, class Module>
auto run_pass(const Pass& pass, Module&& m, context& cx) {
  using result = after_t<Pass, Module>;
  using proofs = proofs_of<Pass, result>;
  provide_lowerings<Pass>(cx, meta::detail::box<added_ops_t<typename Module::phase>>{});
  return module_door::make<result>(
      run_body(pass, enter<added_ops_t<typename Module::phase>, typename proofs::made>(std::move(m)), cx, proofs::list,
               sizeof proofs::list / sizeof(proof)));
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
  requires meta::accepted<meta::told_t<detail::step_check<Pass, ir_module<Phase, Facts...>>>> &&
           meta::accepted<meta::told_t<detail::made_by_default<Pass>>>
[[nodiscard]] auto run(ir_module<Phase, Facts...>&& m, context& cx) {
  if (const Pass* given = cx.find<Pass>()) return detail::run_pass(*given, std::move(m), cx);
  return detail::run_pass(Pass{}, std::move(m), cx);
}

/// Runs the pass object that is given.
template <class Pass, class Phase, class... Facts>
  requires meta::accepted<meta::told_t<detail::step_check<Pass, ir_module<Phase, Facts...>>>>
[[nodiscard]] auto run(const Pass& pass, ir_module<Phase, Facts...>&& m, context& cx) {
  return detail::run_pass(pass, std::move(m), cx);
}

}  // namespace tenon
