/// @file execute: the executor: whatever runs passes runs them here, as a list that was judged.
///
/// By hand, in a pipeline, a target's, one that came as text, inside of another pass and again and again: they differ
/// in who judges the list and in what is proved behind each pass; both are data. What surrounds a pass is one function
/// for all of them (`execute`): flags, the instruments, time, what no pass may do, and the proofs of `verify_each`.
#pragma once

#include <memory>
#include <string>

#include <tenon/compile/analysis.hpp>
#include <tenon/compile/context.hpp>
#include <tenon/ir/attribute.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/judge/optional.hpp>
#include <tenon/judge/step.hpp>

namespace tenon {

/// Proves one fact of a module; throws `tenon::error` if it does not hold.
struct proof {
  std::string_view name;
  void (*check)(const ir::module&);
  /// Of a fact of some functions: of one. It is asked of those that had it, when a pass says that it keeps it.
  void (*check_function)(const ir::module&, function_id) = nullptr;
};

namespace detail {

template <class F>
constexpr proof proof_of() {
  if constexpr (is_of_some<F>) return {label(F::name), nullptr, function_checker_of<F>()};
  else return {label(F::name), &prove<F>};
}

/// A pass of a list that was judged.
struct scheduled_pass {
  const pass_desc* desc;
  /// Runs `given`; without it the pass that the context holds, or a default one.
  void (*run)(const void* given, std::unique_ptr<ir::module>& body, context& cx);
  void (*verify)(const ir::module&) = nullptr;  ///< of the phase that it leaves the module in
  /// Its options that are not the initial ones, as text. Null: it has none.
  std::string (*options)(const void* given, const context& cx) = nullptr;
  const void* given = nullptr;  ///< the pass itself, where the list has it
};

/// A list of passes that was judged, and what is known on the way.
struct schedule {
  const scheduled_pass* passes = nullptr;
  size_t count = 0;
  const proof* facts = nullptr;  ///< the facts that rows speak of; a check may be null
  size_t fact_count = 0;
  const u64* rows = nullptr;  ///< a row of bits for each pass: the facts that are known behind it; null: all, always
  size_t row_words = 0;
  const label* begun = nullptr;  ///< the facts that are known in front of the first pass
  size_t begun_count = 0;

  bool knows(size_t behind, size_t fact) const {
    return rows == nullptr || (rows[behind * row_words + fact / 64] >> (fact % 64) & 1) != 0;
  }
};

/// Runs passes [from, to) of a list on a module that the passes before them left. Throws what they throw; "tenon-E028"
/// if an artifact is lost; "tenon-E030" if a proof fails or a function that is ahead was changed; "pass.skip" if an
/// instrument skips what cannot be skipped.
std::unique_ptr<ir::module> execute(const schedule& list, std::unique_ptr<ir::module> body, context& cx, size_t from,
                                    size_t to);
/// A list of one, for the pass that is given; null: as the context has it.
std::unique_ptr<ir::module> execute(schedule list, const void* given, std::unique_ptr<ir::module> body, context& cx);

/// Proves what a module's phase begins with. Throws "fact" with what the checker says.
void prove_begun_fact(const ir::module& m, label phase, const proof& what);
template <class Phase, class... Fs>
void prove_begun(const ir::module& m, meta::detail::box<facts<Fs...>>) {
  (prove_begun_fact(m, Phase::name, {label(Fs::name), &prove<Fs>}), ...);
}

/// Says to the context which flags a list of passes has. Throws "flag.unknown" as `context::meet_flags` does.
void meet_flags(context& cx, const pass_desc* const* passes, size_t count);

/// The options of a pass that differ from the initial ones, as "{max_ops=8}"; empty if none does.
std::string changed_options(std::span<const ir::attribute> list, const void* pass, const void* initial);

template <class Pass>
void call_pass(const void* given, std::unique_ptr<ir::module>& body, context& cx) {
  using bare = bare_pass_t<Pass>;
  meta::answer_t<callable_check<bare>>::accept();
  if constexpr (is_optional<Pass>) static_cast<void>(&flag_in_program<Pass::condition::flag>);  // it is asked for
  if (given == nullptr) given = cx.find<bare>();
  if constexpr (requires { bare{}; })
    if (given == nullptr) {
      const bare initial{};
      return call_pass<Pass>(&initial, body, cx);
    }
  const bare& pass = *static_cast<const bare*>(given);
  ir_module<phase_before_t<bare>> plain = module_door::make<ir_module<phase_before_t<bare>>>(std::move(body));
  if constexpr (stays<bare>) {
    pass.run(plain, cx);
    body = module_door::take(std::move(plain));
  } else {
    body = module_door::take(pass.run(std::move(plain), cx));
  }
}
/// Does a pass have options?
template <class Pass>
inline constexpr bool has_options = requires { Pass{}.list_attributes(); };

template <class Pass>
std::string options_text(const void* given, const context& cx) {
  const Pass initial{};
  if (given == nullptr) given = cx.find<Pass>();
  return given ? changed_options(ir::detail::attributes_of<Pass>(), given, &initial) : std::string();
}
template <class Pass>
constexpr scheduled_pass scheduled(void (*verify)(const ir::module&) = nullptr) {
  scheduled_pass p{&pass_desc_of<Pass>, &call_pass<Pass>, verify, nullptr};
  using bare = bare_pass_t<Pass>;
  if constexpr (has_options<bare>) p.options = &options_text<bare>;
  return p;
}

/// A pass alone, of which nothing is proved.
template <class Pass>
std::unique_ptr<ir::module> run_body(const Pass& pass, std::unique_ptr<ir::module> body, context& cx) {
  static constexpr scheduled_pass one = scheduled<Pass>();
  static constexpr schedule list{.passes = &one, .count = 1};
  return execute(list, &pass, std::move(body), cx);
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

}  // namespace detail
}  // namespace tenon
