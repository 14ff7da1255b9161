/// @file ir_module: a module whose type says its phase, and what is known about it.
///
/// Invariant: what the type says is true. So it is move-only; with facts it is read-only, down to the elements of its
/// constants; facts are gained by running a pass or by `establish`, which proves them, and are lost by `edit()` and by
/// conversion from an rvalue. A reference to an editable body does not outlive that: running a pass moves the module
/// away. What was adopted, or could be edited, is verified as a module of its phase where it goes to passes; what
/// passes left is not verified again.
///
///     ir_module<phases::optimization, fact::shapes_known> m = run<infer_shapes>(std::move(plain), cx);
///     ir_module<phases::optimization> e = std::move(m).edit();    // editable: the facts are forgotten
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <memory>
#include <utility>

#include <tenon/fact.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/phase.hpp>

namespace tenon {
namespace detail {
struct module_door;
/// A target with its options as text; defined in targets/spec.hpp.
template <class Target>
struct target_text;
/// Does a fact hold where those of a list do?
template <class F, class Facts>
inline constexpr bool is_implied = false;
template <class F, class... Fs>
inline constexpr bool is_implied<F, meta::detail::box<facts<Fs...>>> = meta::contains_v<F, facts<Fs...>>;
template <class F, class... Fs>
inline constexpr bool is_implied<of_some<F>, meta::detail::box<facts<Fs...>>> =
    meta::contains_v<F, facts<Fs...>> || meta::contains_v<of_some<F>, facts<Fs...>>;
}  // namespace detail

template <class Phase, class... Facts>
class ir_module {
  static_assert(meta::answer_t<detail::phase_check<Phase>>::accepted,
                "tenon-E034: a module is in a phase, and this type is none; the note below says what it is");

 public:
  using phase = Phase;
  using known = facts<Facts...>;
  static constexpr label phase_name = Phase::name;
  template <class Fact>
  static constexpr bool knows = (meta::same<Fact, Facts> || ...);

  /// An empty module, of which nothing is known.
  ir_module()
    requires(sizeof...(Facts) == 0)
      : body_(std::make_unique<ir::module>()) {}
  ir_module(ir_module&&) noexcept = default;
  ir_module& operator=(ir_module&&) noexcept = default;

  /// Gives up facts.
  template <class... More>
    requires(!meta::same<ir_module<Phase, More...>, ir_module> &&
             (detail::is_implied<Facts, meta::detail::box<facts<More...>>> && ...))
  ir_module(ir_module<Phase, More...>&& other) noexcept : body_(std::move(other.body_)), sound_(other.sound_) {}

  /// Says that a module built by hand or by an importer is in this phase; it is held to that where it goes to passes.
  static ir_module adopt(ir::module body)
    requires(sizeof...(Facts) == 0)
  {
    for (function_id f : body.functions())  // those that were ahead are not any more
      if (body[f].phase == std::string_view(phase_name)) body[f].phase.clear();
    return ir_module(std::make_unique<ir::module>(std::move(body)));
  }

  const ir::module& body() const { return *body_; }
  ir::module& body()
    requires(sizeof...(Facts) == 0)
  {
    sound_ = false;
    return *body_;
  }

  /// The functions of the module's phase; others are ahead of it, and not to be touched by passes of this phase.
  std::vector<function_id> functions() const {
    std::vector<function_id> here;
    for (function_id f : body_->functions())
      if ((*body_)[f].phase.empty()) here.push_back(f);
    return here;
  }
  /// Says that a function is finished as far as `Ahead`, a phase that this one's functions may call into; if that is
  /// this phase, it is not ahead.
  template <class Ahead>
  void put_ahead(function_id f)
    requires(sizeof...(Facts) == 0)
  {
    meta::answer_t<detail::call_check<root_phase_t<Phase>, Ahead>>::accept();
    sound_ = false;
    (*body_)[f].phase = meta::same<root_phase_t<Ahead>, root_phase_t<Phase>> ? std::string_view()
                                                                             : std::string_view(label(Ahead::name));
  }

  /// The same module, editable; what was known about it is forgotten.
  ir_module<Phase> edit() && { return ir_module<Phase>(std::move(body_), sound_); }
  /// Constrains a function to a target: text (`cpu:threads=2`, or a member of a composite), or a target with options
  /// (include targets/spec.hpp). Joined to what it is constrained to already; "target.conflict" if that is another.
  void constrain(std::string_view function, std::string_view target)
    requires(sizeof...(Facts) == 0)
  {
    ir::constrain(*body_, function, target);
  }
  template <class Target>
    requires(sizeof...(Facts) == 0 && requires { typename Target::pipeline; })
  void constrain(std::string_view function, const Target& target) {
    ir::constrain(*body_, function, detail::target_text<Target>::of(target));
  }

  /// A copy, with what is known about it. Costs O(ops).
  ir_module clone() const { return ir_module(std::make_unique<ir::module>(*body_), sound_); }

 private:
  explicit ir_module(std::unique_ptr<ir::module> body, bool sound = false) : body_(std::move(body)), sound_(sound) {}
  template <class, class...>
  friend class ir_module;
  friend struct detail::module_door;

  std::unique_ptr<ir::module> body_;
  bool sound_ = false;  ///< it left a pass, or was verified, and nobody could edit it since
};

namespace detail {
/// The private door: only `run` and `establish` make modules that know facts.
struct module_door {
  /// The module moves to another place: who still refers to `body()` from when it was editable sees an empty module,
  /// and edits nothing behind a fact.
  template <class Module>
  static std::unique_ptr<ir::module> take(Module&& m) {
    return std::make_unique<ir::module>(std::move(*m.body_));
  }
  template <class Module>
  static Module make(std::unique_ptr<ir::module> body) {
    return Module(std::move(body), true);
  }
  template <class Module>
  static bool is_sound(const Module& m) {
    return m.sound_;
  }
};

/// What a fact's checker is nearly called; a fact whose checker nobody calls would never be proved.
template <class T>
struct checker_check {
  static constexpr misnomer miss = [] {
    constexpr bool called = is_provable<T> || is_of_some<T>;
    if constexpr (is_op_set_fact<T> || called) return misnomer{};
    else if constexpr (constexpr misnomer near_miss = near::misnomer_of<T, near::proof>(); near_miss.said.length != 0)
      return near_miss;
    else if constexpr (requires { &T::check; })
      return misnomer{{"check", 5}, {"static void check(const ir::module&)", 36}};
    else return misnomer{};
  }();
  static constexpr bool ok = miss.said.length == 0;
  static consteval meta::phrase say() {
    meta::phrase s;
    (s << "tenon-E008: fact ").quoted(label(T::name)) << " has a member ";
    return s.quoted(miss.said) << " that nobody calls: write '" << miss.meant << "'";
  }
};

/// Asks the checker of a fact about one function; throws what it throws, or "fact".
template <checks_functions T>
void prove_of(const ir::module& m, function_id f) {
  using answer = decltype(T::check(m, f));
  static_assert(meta::same<answer, bool> || meta::same<answer, void>,
                "tenon-E008: the 'check' of a fact throws, or returns bool: write 'static void check(const "
                "ir::module&, function_id)'");
  if constexpr (meta::same<answer, void>) T::check(m, f);
  else if (!T::check(m, f))
    throw error("fact", "'" + std::string(std::string_view(label(T::name))) + "' does not hold of function '" +
                            m[f].name + "'");
}
template <class T>
constexpr auto function_checker_of() -> void (*)(const ir::module&, function_id) {
  return nullptr;
}
template <class Some>
  requires is_of_some<Some>
constexpr auto function_checker_of() -> void (*)(const ir::module&, function_id) {
  return []<class F>(meta::detail::box<of_some<F>>) -> void (*)(const ir::module&, function_id) {
    if constexpr (checks_functions<F>) return &prove_of<F>;
    else return nullptr;
  }(meta::detail::box<Some>{});
}
template <class T>
void prove(const ir::module& m) {
  meta::answer_t<checker_check<T>>::accept();
  if constexpr (requires { T::check(m); }) {
    static_assert(
        meta::same<decltype(T::check(m)), bool> || meta::same<decltype(T::check(m)), void>,
        "tenon-E008: the 'check' of a fact throws, or returns bool: write 'static void check(const ir::module&)'");
    if constexpr (meta::same<decltype(T::check(m)), bool>) {
      if (!T::check(m)) throw error("fact", std::string("'") + label(T::name).data() + "' does not hold");
    } else {
      T::check(m);
    }
  } else if constexpr (checks_functions<T>) {
    for (function_id f : m.functions())
      if (m[f].phase.empty()) prove_of<T>(m, f);
  } else if constexpr (is_of_some<T>) {
    if (auto* const check = function_checker_of<T>(); check && ir::functions_where(m, check).empty())
      throw error("fact", "'" + std::string(std::string_view(label(T::name))) + "' does not hold: no function has it");
  } else if constexpr (is_op_set_fact<T>) {
    ir::verify_absent(m, std::string_view(T::name.data(), T::name.size()), op_set_of<typename T::absent_ops>);
  }
}
/// Is the module well-formed, are all its ops of the phase or of `added`, and does it hold what the phase itself asks?
/// Functions may be ahead in phases that it calls into, or in `More`.
template <class T, class More>
void verify_phase_with(const ir::module& m, const op_set& added) {
  ir::verify_rules rules = ir::rules_of<root_phase_t<T>, More>();
  rules.added = added;
  ir::verify(m, rules);
  if constexpr (requires { T::verify(m); }) T::verify(m);
}
template <class T, class Added = added_ops_t<T>, class More = phase_list<>>
void verify_phase(const ir::module& m) {
  verify_phase_with<T, More>(m, op_set_of<Added>);
}

/// The body of a module that passes are to run on: the one place where what was made by hand goes to them. It may hold
/// ops that these passes add (`added`), and functions ahead in their phases (`More`). Throws what the verifier throws.
/// Cost: O(ops), of what no pass left and nobody verified yet.
template <class More, class Phase, class... Facts>
std::unique_ptr<ir::module> enter_with(ir_module<Phase, Facts...>&& m, const op_set& added) {
  if (!module_door::is_sound(m)) {
    verify_phase_with<Phase, More>(std::as_const(m).body(), added);
    std::as_const(m).body().analyses().clear();  // of what it was before it was edited
  }
  return module_door::take(std::move(m));
}
template <class Added, class More, class Phase, class... Facts>
std::unique_ptr<ir::module> enter(ir_module<Phase, Facts...>&& m) {
  return enter_with<More>(std::move(m), op_set_of<Added>);
}
}  // namespace detail

namespace detail {
/// Can these facts be proved, and if not, what is the first that cannot?
template <class... Fs>
struct proof_check {
  static constexpr bool ok = true;
};
template <class F, class... Rest>
struct proof_check<F, Rest...> {
  static constexpr bool provable = is_provable<F>;
  static constexpr bool ok = [] {
    if constexpr (provable) return proof_check<Rest...>::ok;
    else return false;
  }();
  static consteval meta::phrase say() {
    if constexpr (provable) return proof_check<Rest...>::say();
    else if constexpr (!checker_check<F>::ok) return checker_check<F>::say();
    meta::phrase s;
    (s << "tenon-E031: fact ").quoted(label(F::name));
    return s << " can be established only if it has a checker: static void check(const ir::module&)";
  }
};
}  // namespace detail

/// The functions of the module's phase of which a fact holds: what a pass takes that needs `of_some<F>`. Its checker
/// decides, `static void check(const ir::module&, function_id)`. Cost: of the checker, each.
template <class F>
std::vector<function_id> functions_with(const ir::module& m) {
  static_assert(detail::checks_functions<F>,
                "tenon-E031: this fact is not asked of functions: give it 'static void check(const ir::module&, "
                "function_id)'");
  return ir::functions_where(m, &detail::prove_of<F>);
}

/// Proves facts by their checkers, and says them in the type. Throws if one does not hold. Cost: of the checkers.
template <class... New, class Phase, class... Old>
[[nodiscard]] auto establish(ir_module<Phase, Old...>&& m) {
  meta::answer_t<detail::proof_check<New...>>::accept();
  const ir::module& body = std::as_const(m).body();
  if (!detail::module_door::is_sound(m)) detail::verify_phase<Phase>(body);
  (detail::prove<New>(body), ...);
  using list = meta::unique_t<facts<Old..., New...>>;
  return [&]<class... Fs>(meta::detail::box<facts<Fs...>>) {
    return detail::module_door::make<ir_module<Phase, Fs...>>(detail::module_door::take(std::move(m)));
  }(meta::detail::box<list>{});
}

}  // namespace tenon
