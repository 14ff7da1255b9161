/// @file laws: what holds for every pass, op and target, as functions to call from your own tests.
///
///     laws::check_pass<mine::fold>(module, {.inputs = x});       // one pass on one module in its phase
///     laws::check_op(mine::leaky{.slope = 0.5}, {x});             // type rule, evaluation, text, loop nests agree
///     laws::check_target<mine::npu>(module, {.inputs = x});      // each pass of its pipeline, one after the other
///
/// A law that does not hold is thrown: a `tenon::error` whose code names it ("law.emits") and whose message names the
/// pass. Cost: that of printing, verifying and interpreting the module a few times.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/build.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/function_watch.hpp>
#include <tenon/ir/op_table.hpp>
#include <tenon/ir/op_watch.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/lowering_table.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::laws {

/// What a module is run with, before and after; without inputs its meaning is not compared.
struct trial {
  std::vector<tensor> inputs;
  std::string entry = "main";
  std::span<const eval_entry> evaluations = {};  ///< of ops that are not built in
  double tolerance = 1e-4;
};

/// Throws "law.functions".
void hold_to_functions(const ir::module& before, const ir::module& after, std::string_view pass,
                       const ir::function_claims& said);
/// Throws "law.emits", "law.eliminates" or "law.changes". O(ops).
void hold_to_ops(const ir::module& before, const ir::module& after, std::string_view pass, const ir::op_claims& said);
/// What a pass says of effects: those that it may delete, merge or move ops of. A pass that says nothing does none of
/// that.
struct effect_claims {
  std::string_view pass;
  effect_bits free;
  bool emits_any;
  op_set emits, eliminates;
};
/// Throws "law.effects" if ops whose effects are not free are not those that were there, in their order. O(ops).
void hold_to_effects(const ir::module& before, const ir::module& after, const effect_claims& said);
/// Throws "law.deterministic" if the texts differ.
void hold_to_text(const ir::module& once, const ir::module& twice, std::string_view pass);
/// Throws "law.meaning" if a result differs by more than the tolerance.
void hold_to_meaning(const ir::module& before, const ir::module& after, const trial& t, std::string_view pass);
/// Throws "law.text" if a module of the op does not print and parse to itself.
void hold_to_round_trip(const ir::module& m, std::span<const ir::op_info* const> known, std::string_view op);

namespace detail {
template <class F>
bool holds(const ir::module& m) {
  try {
    tenon::detail::prove<F>(m);
    return true;
  } catch (const error&) { return false; }
}
template <class P, class F>
void hold_to_fact(const ir::module& before, const ir::module& after) {
  const std::string fact(F::name.data(), F::name.size()), pass(P::name.data(), P::name.size());
  if constexpr (meta::contains_v<F, gives_of_t<P>>) {
    if (!holds<F>(after))
      throw error("law.gives", "pass '" + pass + "' says that it gives '" + fact + "', and it does not hold");
  } else if constexpr (!is_op_set_fact<F>) {
    if (pass_desc_of<P>.keeps_fact(&fact_desc_of<F>) && holds<F>(before) && !holds<F>(after))
      throw error("law.keeps", "pass '" + pass + "' says that it keeps '" + fact + "', and it does not hold any more");
  }
}
template <class P, class... Fs>
void hold_to_facts(const ir::module& before, const ir::module& after, meta::detail::box<facts<Fs...>>) {
  (hold_to_fact<P, Fs>(before, after), ...);
}
template <class P>
constexpr effect_bits free_effects() {
  effect_bits bits = effect_bits::none;
  const rare_parts& r = pass_desc_of<P>.more();
  if (!r.touches_effects) return bits;
  bits = effect_bits::other;  // of users, who answered by `treats`
  using free = meta::concat_t<typename tenon::detail::deletes_of<P>::type, typename tenon::detail::merges_of<P>::type,
                              typename tenon::detail::moves_of<P>::type>;
  return bits | static_cast<effect_bits>(tenon::detail::bits_of_effects<free>);
}
template <class T>
void configure(context& cx) {
  if constexpr (requires(const T& t) { t.configure(cx); }) T{}.configure(cx);
}
}  // namespace detail

/// The laws of passes on one module, which is in the pass's phase and meets its needs; returns what the pass makes of
/// it. `Facts`: those that it may break or keep, besides the ones that it names. `Added`: ops that users add to its
/// phases.
template <class P, class Facts = facts<>, class Added = ops<>>
std::unique_ptr<ir::module> check_pass(const ir::module& before, const trial& t = {}, context* given = nullptr) {
  static_assert(sound_pass<P>);
  context own;
  context& cx = given ? *given : own;
  const std::string_view name = label(P::name);
  const auto ran = [&] { return tenon::detail::run_body(P{}, std::make_unique<ir::module>(before), cx); };
  std::unique_ptr<ir::module> after = ran();
  hold_to_text(*after, *ran(), name);
  tenon::detail::verify_phase<phase_after_t<P>, Added>(*after);
  constexpr const pass_desc& d = pass_desc_of<P>;
  if constexpr (!d.is_transition())
    hold_to_functions(before, *after, name,
                      {d.more().adds_functions, d.more().removes_functions, d.more().changes_functions});
  hold_to_ops(
      before, *after, name,
      {d.emits_any(), d.emits, d.is_transition() ? d.to->early : op_set{}, d.eliminates, true, ~0u, d.more().changes});
  hold_to_effects(before, *after, {name, detail::free_effects<P>(), d.emits_any(), d.emits, d.eliminates});
  using known = meta::unique_t<meta::concat_t<Facts, typename P::needs, gives_of_t<P>>>;
  detail::hold_to_facts<P>(before, *after, meta::detail::box<known>{});
  if constexpr (!meta::same<phase_after_t<P>, phases::built>) hold_to_meaning(before, *after, t, name);
  return after;
}

/// The laws of passes at every place of a target's pipeline, for a module in the phase in which that begins.
template <class T>
void check_target(const ir::module& m, const trial& t = {}) {
  static_assert(sound_target<T>);
  using added = typename T::pipeline::added_ops;
  context cx;
  detail::configure<T>(cx);
  auto now = std::make_unique<ir::module>(m);
  const auto all = [&]<class... Ps>(meta::detail::box<pass_list<Ps...>>) {
    using named = meta::unique_t<meta::concat_t<facts<>, typename Ps::needs..., gives_of_t<Ps>...>>;
    tenon::detail::provide_lowerings<bare_pass_t<Ps>...>(cx, meta::detail::box<added>{});
    ((now = check_pass<bare_pass_t<Ps>, named, added>(*now, t, &cx)), ...);
  };
  all(meta::detail::box<pipeline_of<T>>{});
}

namespace detail {
template <class Op>
void check_sound_op(const Op& op, const std::vector<tensor>& operands, double tolerance) {
  using known = meta::unique_t<meta::concat_t<graph_ops, host_ops, call_ops, loop_ops, ops<Op>>>;
  ir::module m;
  std::vector<type_id> types;
  for (const tensor& x : operands)
    types.push_back(m.intern(ir::type::tensor(x.type(), {x.shape().begin(), x.shape().end()})));
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<> b(m, m[f].body);
  const std::vector<value_id> arguments = m[m[f].body].arguments;
  const op_id made = b.make_op(op, arguments);
  const std::vector<value_id> results = m.results(made);
  for (value_id r : results) m[f].result_types.push_back(m[r].type);
  b.make_op(op::return_{}, results, {});
  ir::verify(m);
  hold_to_round_trip(m, ir::op_table_of<known>(), Op::name);

  const auto evaluations = eval_table_of<ops<Op>>();
  static_cast<void>(
      interpret(m, "main", operands, evaluations));  // throws where a result is not of the type that the rule gives
  constexpr lowering_entry native = tenon::detail::lowering_of<Op>();
  if constexpr ((native.element != nullptr || native.lower != nullptr) && meta::size_v<effects_of_t<Op>> == 0) {
    context cx;
    native_form<Op>::provide(cx);
    auto typed = ir_module<phases::optimization>::adopt(m);
    passes::infer_shapes{}.run(typed, cx);
    passes::require_static_shapes{}.run(typed, cx);
    passes::legalize_ops{}.run(typed, cx);
    hold_to_meaning(m, typed.body(), {operands, "main", evaluations, tolerance}, Op::name);
  }
}
}  // namespace detail

/// The laws of ops: the type rule agrees with what evaluation makes, text reads back, and the loop nests of `element`
/// or `lower`, where the op has them, mean what evaluation means. An op that does nothing, or says of its effects what
/// nobody reads, does not compile.
template <class Op>
void check_op(const Op& op, const std::vector<tensor>& operands, double tolerance = 1e-4) {
  meta::answer_t<tenon::detail::op_check<Op>>::accept();
  if constexpr (tenon::detail::sound_op<Op>) detail::check_sound_op(op, operands, tolerance);
}

}  // namespace tenon::laws
