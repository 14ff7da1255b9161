/// @file step: one pass on one module type: may it run, and what is known then. The judge says it, of the order of that
/// pass alone; the sentences speak of a module.
#pragma once

#include <tenon/judge/judged.hpp>

namespace tenon::detail {

/// Ops of the extension `Added` that `Pass` has a lowering for, and that are gone after it.
template <class Pass, class Added>
struct lowered;
template <class Pass, class... Op>
struct lowered<Pass, ops<Op...>> {
  using left = meta::filter_t<ops<Op...>, !has_lowering<Pass, Op>...>;
};

template <class P, class Added>
struct extended {
  using type = P;
};
template <class P, class First, class... Rest>
struct extended<P, ops<First, Rest...>> {
  using type = extend<P, First, Rest...>;
};

template <class Pass, class Phase>
struct phase_after {
  using added = typename lowered<Pass, added_ops_t<Phase>>::left;
  using to = phase_after_t<Pass>;
  static constexpr auto pick() {
    if constexpr (stays<Pass>) return meta::detail::box<Phase>{};
    else if constexpr (phase_desc_of<to>.open)
      return meta::detail::box<typename extended<to, meta::without_t<added, added_ops_t<to>>>::type>{};
    else return meta::detail::box<to>{};
  }
  using type = typename decltype(pick())::type;
};

/// Facts of some functions that a pass says it keeps: they may hold where those of all functions do not any more.
template <class... Fs>
auto some_among(meta::detail::box<facts<Fs...>>) -> meta::filter_t<facts<Fs...>, is_of_some<Fs>...>;
template <class Other>
auto some_among(Other) -> facts<>;
template <class Pass>
using some_kept_t =
    decltype(some_among(meta::detail::box<typename said<requires { typename Pass::keeps; }>::template keeps<Pass>>{}));

/// One pass as an order, which begins where the module is; `candidates` may be known behind it.
template <class Pass, class Phase, class... Facts>
struct step_input {
  using candidates = meta::unique_t<meta::concat_t<facts<Facts...>, gives_of_t<Pass>, some_kept_t<Pass>>>;
  static consteval judge_input made() {
    judge_input in = part_input<added_ops_t<Phase>, Phase, facts<Facts...>, candidates, 0, 1, Pass>::made();
    in.by_hand = true;
    return in;
  }
  static constexpr judge_input value = made();
};
/// What the judge says of that order: is it right, and which of the candidates are known behind it?
template <class Input>
struct step_judgement {
  static constexpr size_t count = meta::size_v<typename Input::candidates>;
  struct outcome {
    bool right = false;
    bool known[count + 1]{};
  };
  static consteval outcome walked() {
    outcome o;
    o.right = is_surely_right(Input::value, o.known);
    return o;
  }
  static constexpr outcome plain = walked();
  static consteval outcome judged() {
    if constexpr (plain.right) {
      return plain;
    } else {
      const typename judge_for<Input>::type one(Input::value, judge_for<Input>::numbered);
      const auto trail = one.template follow<false>();
      outcome o;
      o.right = one.is_right();
      for (size_t k = 0; k < count; ++k) o.known[k] = trail.holds(Input::value.watched.data[k], 0);
      return o;
    }
  }
  static constexpr outcome value = judged();
};

template <class Pass, class Module>
struct after;
template <class Pass, class Phase, class... Facts>
struct after<Pass, ir_module<Phase, Facts...>> {
  using phase = typename phase_after<Pass, Phase>::type;
  using input = step_input<Pass, Phase, Facts...>;
  template <class... Cs, size_t... I>
  static auto pick(meta::detail::box<facts<Cs...>>, meta::detail::indices<I...>)
      -> meta::filter_t<facts<Cs...>, step_judgement<input>::value.known[I]...>;
  template <class... Fs>
  static auto make(meta::detail::box<facts<Fs...>>) -> meta::detail::box<ir_module<phase, Fs...>>;
  using known = decltype(pick(meta::detail::box<typename input::candidates>{},
                              meta::detail::make_indices<step_judgement<input>::count>{}));
  using type = typename decltype(make(meta::detail::box<known>{}))::type;
};

/// What keeps a pass from running on a module: of what is asked by other names than of an order, by those.
template <class Pass, class Phase, class... Facts>
consteval verdict step_verdict() {
  using input = step_input<Pass, Phase, Facts...>;
  constexpr const rare_parts& more = pass_desc_of<Pass>.more();
  if constexpr (more.flag_key != 0) {
    verdict v;
    return v.code = 18, v.subject = more.flag, v;
  } else if constexpr (step_judgement<input>::value.right) {
    return untreated_effects<true, added_ops_t<Phase>, Pass>();
  } else {
    verdict v = judgement<input>::value;
    if (v.code == 1) v.code = 13;
    if (v.code == 2) v.code = 14, v.also.add(v.subject);
    return v;
  }
}

constexpr meta::phrase say_step(auto s, const auto& pass, const auto& v) {
  s << "tenon-E0" << (v.code < 10 ? "0" : "") << static_cast<size_t>(v.code) << ": pass ";
  s.quoted(pass.name);
  const bool many = v.total > 1;
  const char* const them = many ? "them" : "it";
  switch (v.code) {
    case 18:
      return s << " is optional under '" << v.subject
               << "', which pipelines ask: by hand, run the pass itself where cx.flag(\"" << v.subject << "\") is "
               << (pass.more().flag_on ? "on" : "off");
    case 13:
      (s << " runs in phase ").quoted(v.subject);
      if (v.total) say_ops(s << " extended with ", v.names, v.shown, v.total);
      return (s << ", and this module is in ").quoted(v.other)
             << ": run the passes that lead from there to here first, or another pass";
    case 14: {
      const bool several = v.also.total > 1;
      say_ops(s << " needs ", v.also.names, v.also.shown, v.also.total);
      return s << ", which " << (several ? "are" : "is") << " not known of this module: run a pass that gives "
               << (several ? "them" : "it") << ", or tenon::establish<...>, and do not edit() in between";
    }
    case 42:
      if (v.takes_in) {
        say_ops(s << " may take ", v.names, v.shown, v.total) << " into a region of ";
        return s.quoted(v.subject) << ", which does not allow " << them
                                   << ", and this module may have some: say 'using encloses = tenon::ops<...>', what "
                                      "its regions take in, or run a pass that eliminates "
                                   << them << " first";
      }
      say_ops(s << " may emit ", v.names, v.shown, v.total) << ", which a region of ";
      return s.quoted(v.subject) << " does not allow, and this module may have one: say 'using emits_outside = "
                                    "tenon::ops<...>' if it never puts "
                                 << them << " there, or run a pass that eliminates '" << v.subject << "' first";
    case 43:
    case 45:
    case 46:
      say_bar(s, v.bar, v.subject, v.names, v.shown, v.total)
          << ", and this module may have " << (many ? "some" : "it");
      return say_bar_answer(s << ": ", v.bar, v.subject) << ", or run a pass that eliminates " << them << " first";
    case 38:
      say_ops(s << (v.other.length ? " matches patterns of " : " works on "), v.names, v.shown, v.total);
      if (v.other.length) (s << ", and this module has no ").quoted(v.other);
      else s << ", and this module has none of " << (many ? "these" : "it");
      return s << ": leave the pass out, or say 'static constexpr bool may_find_nothing = true'";
    case 16:
      return say_untreated(s, pass.name, v.names, v.shown, v.total, v.subject, "module's phase", pass.more().copies);
    default:
      say_ops((s << " enters phase ").quoted(v.subject) << ", which does not list ", v.names, v.shown, v.total);
      return s << ", and " << (many ? "they" : "it") << " may still be in this module: run a pass that eliminates "
               << them << " first";
  }
}

/// Can its body be called as `run` calls it?
template <class Pass>
concept runnable =
    (stays<Pass> && requires(const Pass& pass, ir_module<phase_before_t<Pass>>& m, context& cx) { pass.run(m, cx); }) ||
    (!stays<Pass> && requires(const Pass& pass, ir_module<phase_before_t<Pass>>&& m, context& cx,
                              void (*take)(ir_module<phase_after_t<Pass>>&&)) {
      take(pass.run(static_cast<ir_module<phase_before_t<Pass>>&&>(m), cx));
    });

template <class Pass>
struct callable_check {
  static constexpr bool ok = runnable<Pass>;
  static consteval meta::phrase say() {
    meta::later_t<meta::phrase, Pass> s;
    (s << "tenon-E018: pass ").quoted(Pass::name);
    return s << " cannot be called: it has 'void run(ir_module<runs_in>&, context&) const', or, from one phase to "
                "another, 'ir_module<to> run(ir_module<from>&&, context&) const'";
  }
};

template <class Pass, class Module>
struct step_check;
template <class Pass, class Phase, class... Facts>
struct step_check<Pass, ir_module<Phase, Facts...>> {
  static constexpr bool sound = pass_check<Pass>::ok;
  static consteval auto found() {
    if constexpr (!sound) return pass_check<Pass>::fault;
    else return step_verdict<Pass, Phase, Facts...>();
  }
  static constexpr auto fault = found();
  static constexpr bool ok = [] {
    if constexpr (fault.code != 0) return false;
    else return runnable<Pass>;
  }();
  static consteval meta::phrase say() {
    if constexpr (!sound) return pass_check<Pass>::say();
    else if constexpr (fault.code == 0) return callable_check<Pass>::say();
    else return say_step(meta::phrase{}, pass_desc_of<Pass>, fault);
  }
};

}  // namespace tenon::detail
