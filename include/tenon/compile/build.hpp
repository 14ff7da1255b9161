/// @file build: runs a target's pipeline: whole, or up to a phase.
///
///     auto built = build<targets::cpu>(std::move(m), cx);                            // ir_module<phases::built>
///     auto mine  = build<targets::cpu>(std::move(m), {.threads = 2});                // with the target's options
///     auto graph = compile_to<phases::optimization, targets::cpu>(std::move(m), cx); // stops before the transition
///     out
///
/// A module of which something is known resumes as late as that allows: what gives a forgotten fact runs again. One of
/// which nothing is known runs every pass of its phase.
///
/// What a module was begun for is noted in it, with the target's options and what tunes passes (compile/settings.hpp),
/// and going on is for that: where the context says nothing it is configured so, and where it says something else the
/// error "build.target" names both. So another process can finish what one began:
///
///     save_module("half.tmod", compile_to<phases::build, targets::cpu>(std::move(m), cx));
///     auto built = build<targets::cpu>(establish<fact::loops_scheduled>(load<phases::build>("half.tmod")));
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/run.hpp>
#include <tenon/compile/settings.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/judge/fingerprint.hpp>
#include <tenon/target.hpp>
#include <tenon/targets/function_options.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon {
struct device_memory;  // targets/device.hpp
namespace detail {

/// Tells the passes what memories the device has; `Memory` is complete where a device lists some.
template <class Device, class Memory = device_memory>
void say_memory(context& cx) {
  if constexpr (requires { Device::spaces[0].capacity; })
    cx.set(Memory{{std::begin(Device::spaces), std::end(Device::spaces)}});
}

/// What is noted of a module that goes through a target's passes while the context does not say more. One that is the
/// beginning of another's says by `on_the_way_to` which that is.
template <class Target>
target_spec begun_spec() {
  const auto plain = [](label l) { return target_spec{{}, std::string(l.data(), l.length), {}, {}}; };
  if constexpr (requires { label(Target::on_the_way_to); }) return plain(Target::on_the_way_to);
  else if constexpr (requires { Target::spec(Target{}); }) return spec_of(Target{});
  else return plain(Target::name);
}
template <class Target>
void configure_begun(const target_spec& begun, context& cx) {
  if constexpr (requires(const Target& t) { t.configure(cx); }) target_from<Target>(begun).configure(cx);
}
template <class Target>
void go_on(const std::string& begun, context& cx) {
  if (!begun.empty()) agree(begun, begun_spec<Target>(), cx, &configure_begun<Target>);
}
/// What a context does not say is as the target says by itself.
template <class Target>
context assumed_options(const context& cx) {
  context initial;
  if constexpr (requires(const Target& t) { t.configure(initial); })
    if (!cx.target) Target{}.configure(initial);  // else it was configured
  return initial;
}

/// Every fact that passes give or need.
template <class... Ps>
using named_facts = meta::unique_t<meta::concat_t<facts<>, gives_of_t<Ps>..., typename Ps::needs...>>;

/// The verdict on passes that are about to run. What is known behind each of them is worked out anyway, and with it,
/// whether two facts have one name: of op-set facts, an order that is found right without a judge does not say so.
template <class Input>
consteval verdict judged_part() {
  if constexpr (judge_for<Input>::numbered.same_fact[0] >= 0)
    return typename judge_for<Input>::type(Input::value, judge_for<Input>::numbered).judge();
  else return judgement<Input>::value;
}
/// The first of passes [begin, end) that nobody answered for, of the effects of ops that the pipeline or the module's
/// phase adds. The pipeline was asked where it was named; some of its ops may have been only declared there.
template <class Phase, class Added, size_t Begin, size_t End, class... Ps>
consteval verdict effects_on_the_way() {
  verdict v;
  if constexpr (!meta::same<Added, ops<>> && Begin < End) {
    v = []<class... Run>(meta::detail::box<pass_list<Run...>>) {
      return untreated_effects<true, Added, Run...>();
    }(meta::detail::box<typename cut<Phase, Ps...>::template slice_t<Begin, End>>{});
    if (!v.ok()) v.pass += static_cast<int>(Begin);
    if (!v.ok() && !meta::same<added_ops_t<Phase>, ops<>>) v.other = phase_desc_of<Phase>.name;
  }
  return v;
}

/// What is to be proved of a module where it begins: what its phase begins with, where the passes of `Way` cannot run
/// with what its type says alone.
template <bool AtEntry, class Way>
struct begun_facts {
  static constexpr auto pick() {
    using begun = meta::without_t<begins_of_t<typename Way::phase>, typename Way::known>;
    if constexpr (!AtEntry || meta::size_v<begun> == 0) return meta::detail::box<facts<>>{};
    else if constexpr (judgement<typename Way::template part<Way::begin>>::value.ok())
      return meta::detail::box<facts<>>{};
    else return meta::detail::box<begun>{};
  }
  using type = typename decltype(pick())::type;
};
template <bool AtEntry, class Way>
using begun_facts_t = typename begun_facts<AtEntry, Way>::type;
template <class Way>
using known_with = meta::concat_t<typename Way::known, typename Way::proved>;

/// The added ops of a pipeline that are still there behind its first passes: of calls of external code that are lowered
/// in a phase, later ones know nothing.
template <size_t Count, class Added, class List>
struct added_behind;
template <size_t Count, class... Op, class... Ps>
struct added_behind<Count, ops<Op...>, pass_list<Ps...>> {
  static constexpr bool is_there(u64 op) {
    bool there = true;
    for (size_t i = 0; i < Count; ++i) {
      const pass_desc& p = *pass_array<Ps...>::data[i];
      there = (there && !p.eliminates.contains(op)) || p.emits.contains(op);
    }
    return there;
  }
  using type = meta::filter_t<ops<Op...>, is_there(meta::type_key<Op>)...>;
};
template <size_t Count, class... Ps>
struct added_behind<Count, ops<>, pass_list<Ps...>> {
  using type = ops<>;
};

/// What `compile_to` runs: where it begins and ends, and what is known then.
template <class Goal, class Target, class Module, class List>
struct route;
template <class Goal, class Target, class Phase, class... Facts, class... Ps>
struct route<Goal, Target, ir_module<Phase, Facts...>, pass_list<Ps...>> {
  using phase = Phase;
  using known = facts<Facts...>;
  static constexpr size_t entry = cut<Phase, Ps...>::entry, exit = cut<Phase, Ps...>::exit;
  using added = meta::unique_t<meta::concat_t<
      typename added_behind<entry, typename Target::pipeline::added_ops, pass_list<Ps...>>::type, added_ops_t<Phase>>>;
  static constexpr bool at_goal = phase_desc_of<Phase>.key == phase_desc_of<Goal>.key;
  static constexpr size_t end = meta::same<Goal, phases::built> ? sizeof...(Ps) : cut<Goal, Ps...>::exit;

  /// A module of which no more is known than its phase begins with is at its beginning.
  static constexpr bool at_beginning = meta::size_v<meta::without_t<facts<Facts...>, begins_of_t<Phase>>> == 0;
  template <size_t Begin, class Known = facts<Facts...>>
  using part = part_input<added, Phase, Known, named_facts<Ps...>, Begin, end, Ps...>;
  /// The latest beginning, no later than the phase's end, from which the rest can run.
  template <size_t Begin>
  static consteval size_t latest() {
    if constexpr (Begin <= entry || at_beginning) return entry;
    else if constexpr (Begin < end && judgement<part<Begin>>::value.ok()) return Begin;
    else return latest<Begin - 1>();
  }
  /// A phase and its side phases are neighbours: what leads from one to the other may come early.
  static constexpr bool beside = phase_desc_of<Phase>.detours_to(phase_desc_of<Goal>);
  static constexpr bool reachable = entry <= end && (at_goal || cut<Goal, Ps...>::entered > (beside ? entry : exit) ||
                                                     phase_desc_of<Phase>.side_of == phase_desc_of<Goal>.key);
  static constexpr size_t begin = reachable ? latest<(exit < end ? exit : end)>() : 0;
  using proved = begun_facts_t<begin == entry && begin != end, route>;
  static constexpr verdict effects = effects_on_the_way<Phase, added, begin, end, Ps...>();
  static constexpr meta::later_t<verdict, Goal> value = [] {
    verdict v;
    if constexpr (!reachable) {
      v.code = 24, v.pass_name = Target::name, v.subject = phase_desc_of<Goal>.name,
      v.other = phase_desc_of<Phase>.name;
      return v;
    } else if constexpr (!effects.ok()) {
      return effects;
    } else if constexpr (begin == end) {
      return v;
    } else {
      return judged_part<part<begin, known_with<route>>>();
    }
  }();
  static constexpr bool ok = value.ok();
  static consteval meta::phrase say() { return sentence_of(value); }
};

template <class Added, class List>
struct brought_by;
template <class Added, class... Run>
struct brought_by<Added, pass_list<Run...>> {
  using type = meta::unique_t<meta::concat_t<Added, added_ops_t<phase_after_t<Run>>...>>;
};

/// Passes that run, as the executor takes them. `Added`: ops that may be there on the way; the whole list says in which
/// phases functions may be ahead.
template <class Run, class Added, class All>
struct scheduled_passes;
template <class... Run, class Added, class... Ps>
struct scheduled_passes<pass_list<Run...>, Added, pass_list<Ps...>> {
  static constexpr scheduled_pass data[] = {
      scheduled<Run>(&verify_phase<phase_after_t<Run>, Added, phases_from<phase_after_t<Run>, Ps...>>)..., {}};
};
template <class... Fs>
constexpr auto labels_of(meta::detail::box<facts<Fs...>>) {
  struct {
    label name[sizeof...(Fs) + 1];
  } r{{label(Fs::name)..., {}}};
  return r;
}

template <class Goal, class Target, class Module, class List>
struct way_to;
template <class Goal, class Target, class Phase, class... Known, class... Ps>
struct way_to<Goal, Target, ir_module<Phase, Known...>, pass_list<Ps...>> {
  using way = route<Goal, Target, ir_module<Phase, Known...>, pass_list<Ps...>>;
  using named = meta::unique_t<meta::concat_t<facts<Known...>, named_facts<Ps...>>>;
  using part = typename way::template part<way::begin, known_with<way>>;
  static constexpr auto trail = [] {
    if constexpr (way::begin == way::end) return 0;
    else
      return typename judge_for<part>::type(part::value, judge_for<part>::numbered)
          .template follow<judgement<part>::conditional>();
  }();

  /// Does fact number `f` of `named` hold after pass `i` (of all)?
  static constexpr bool holds_after(const fact_desc* fact, size_t i) {
    if constexpr (way::begin == way::end) {
      return fact_list_of<facts<Known...>>.contains(fact);
    } else {
      return trail.holds(fact, i - way::begin);
    }
  }
  template <class... Fs>
  static auto known_at_end(meta::detail::box<facts<Fs...>>)
      -> meta::filter_t<facts<Fs...>, holds_after(&fact_desc_of<Fs>, way::end - 1)...>;
  template <class End, class... Fs>
  static auto module_of(meta::detail::box<facts<Fs...>>) -> meta::detail::box<ir_module<End, Fs...>>;
  using end_phase = typename decltype([] {
    if constexpr (way::begin == way::end) return meta::detail::box<Phase>{};
    else return meta::detail::box<phase_after_t<meta::nth_t<way::end - 1, pass_list<Ps...>>>>{};
  }())::type;
  /// Ops that no phase lists, and that may be there: added ones, and those that passes lead to a phase extended with.
  using brought = typename brought_by<typename way::added,
                                      typename cut<Phase, Ps...>::template slice_t<way::begin, way::end>>::type;
  using open_end = typename decltype([] {
    if constexpr (way::begin != way::end && phase_desc_of<end_phase>.open)
      return meta::detail::box<typename extended<root_phase_t<end_phase>, brought>::type>{};
    else return meta::detail::box<end_phase>{};
  }())::type;
  using result = typename decltype(module_of<open_end>(
      meta::detail::box<decltype(known_at_end(meta::detail::box<named>{}))>{}))::type;

  using run_list = typename cut<Phase, Ps...>::template slice_t<way::begin, way::end>;
  /// The checkers of the facts that the judge followed, in its order.
  template <class... Fs>
  static constexpr auto checkers(meta::detail::box<facts<Fs...>>) {
    struct {
      proof of[trail.fact_count + 1]{};
    } r;
    const fact_desc* const known[] = {&fact_desc_of<Fs>..., nullptr};
    const proof check[] = {proof_of<Fs>()..., {}};
    for (size_t f = 0; f < trail.fact_count; ++f) {
      r.of[f].name = trail.fact[f]->name, r.of[f].check = nullptr;
      for (size_t k = 0; k < sizeof...(Fs); ++k)
        if (known[k] == trail.fact[f]) r.of[f].check = check[k].check, r.of[f].check_function = check[k].check_function;
    }
    return r;
  }
  static constexpr auto proofs = [] {
    if constexpr (way::begin != way::end) return checkers(meta::detail::box<named>{});
    else return 0;
  }();
  static constexpr auto begun = labels_of(meta::detail::box<known_with<way>>{});
  static constexpr schedule list = [] {
    schedule l;
    if constexpr (way::begin != way::end) {
      l.passes = scheduled_passes<run_list, brought, pass_list<Ps...>>::data, l.count = way::end - way::begin;
      l.facts = proofs.of, l.fact_count = trail.fact_count;
      l.rows = &trail.held[0][0], l.row_words = sizeof trail.held[0] / sizeof(u64);
      l.begun = begun.name, l.begun_count = meta::size_v<known_with<way>>;
    }
    return l;
  }();
  static void record(ir::module& body, const context& cx) {
    body.build.fingerprint = fingerprint_text(fingerprint_of_list<pass_list<Ps...>>);
    body.build.target = to_text(cx.target ? *cx.target : begun_spec<Target>());
  }
  /// Says to the context what the passes ask of it.
  static void prepare(context& cx) {
    meet_flags_of<Target>(cx);
    provide_lowerings<bare_pass_t<Ps>...>(cx, meta::detail::box<typename way::added>{});
  }
  static result run(ir_module<Phase, Known...>&& m, context& cx) {
    constexpr bool for_target = requires { typename Target::device; };
    prepare(cx);
    if constexpr (for_target) {
      go_on<Target>(std::as_const(m).body().build.target, cx);
      check_function_options<Target>(std::as_const(m).body(), cx);
    }
    std::unique_ptr<ir::module> body = enter<typename way::added, phases_from<Phase, Ps...>>(std::move(m));
    if constexpr (for_target) settle(*body, cx, assumed_options<Target>(cx), passes_within<Target>::tuned(true));
    prove_begun<Phase>(*body, meta::detail::box<typename way::proved>{});
    if constexpr (requires { typename Target::runtime; } && !requires { Target::runtime::runs_variants; })
      ir::drop_variants(*body);
    if constexpr (for_target) say_memory<typename Target::device>(cx);
    if constexpr (for_target && sizeof...(Ps) != 0) record(*body, cx);
    return module_door::make<result>(execute(list, std::move(body), cx, 0, list.count));
  }
};
}  // namespace detail

/// Loudly: does the target's pipeline lead from this module to `Goal`? (What builds asks in its body: as constraints,
/// compilers would say it again for each overload that they try, and quote each.)
template <class Goal, class Target, class Module>
concept leads_to = meta::answer_t<detail::route<Goal, Target, Module, pipeline_of<Target>>>::accepted;

namespace detail {
template <class Target>
struct end_phase_of {
  using type = typename decltype(end_phase<Target>(0))::type;
};
template <class Goal>
struct stop_at {
  using type = Goal;
};
/// `Goal` names the phase as its `type`, once the target is known to be one.
template <class Goal, class Target, class Module>
auto lead(Module&& m, context& cx) {
  meta::answer_t<target_check<Target>>::accept();
  if constexpr (!target_check<Target>::ok) {
    return std::move(m);
  } else {
    using way = route<typename Goal::type, Target, Module, pipeline_of<Target>>;
    meta::answer_t<way>::accept();
    if constexpr (!way::ok) return std::move(m);
    else return way_to<typename Goal::type, Target, Module, pipeline_of<Target>>::run(std::move(m), cx);
  }
}
}  // namespace detail

/// Runs the target's pipeline up to `Goal`, stopping before the transition out of it.
template <class Goal, class Target, class Phase, class... Facts>
[[nodiscard]] auto compile_to(ir_module<Phase, Facts...>&& m, context& cx) {
  return detail::lead<detail::stop_at<Goal>, Target>(std::move(m), cx);
}
template <class Goal, class Target, class Phase, class... Facts>
[[nodiscard]] auto compile_to(ir_module<Phase, Facts...>&& m) {
  context cx;
  return detail::lead<detail::stop_at<Goal>, Target>(std::move(m), cx);
}

/// Runs the whole pipeline of the target, or what is left of it for a module that is on its way.
template <class Target, class Phase, class... Facts>
[[nodiscard]] auto build(ir_module<Phase, Facts...>&& m, context& cx) {
  return detail::lead<detail::end_phase_of<Target>, Target>(std::move(m), cx);
}
template <class Target, class Phase, class... Facts>
[[nodiscard]] auto build(ir_module<Phase, Facts...>&& m) {
  context cx;
  return detail::lead<detail::end_phase_of<Target>, Target>(std::move(m), cx);
}
/// The same for a target with options, which are noted in the module: `build<targets::cpu>(std::move(m), {.threads =
/// 2})`.
template <class Target, class Phase, class... Facts>
[[nodiscard]] auto build(ir_module<Phase, Facts...>&& m, const std::type_identity_t<Target>& options) {
  context cx;
  cx.target = spec_of(options);
  if constexpr (requires { options.configure(cx); }) options.configure(cx);
  return detail::lead<detail::end_phase_of<Target>, Target>(std::move(m), cx);
}

}  // namespace tenon
