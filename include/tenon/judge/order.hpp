/// @file order: the judge at run time: an order of passes as text, with the same verdict and the same sentence.
///
///     const order o = order::parse("lift_lambdas, infer_shapes, fuse{max_ops=8}", registry_of<pass_list<…>>);  // or
///     throws auto body = o.run(std::move(body), cx);
///
/// The passes that text may name come from a registry: a typelist, turned into data.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/compile/run.hpp>
#include <tenon/judge/judged.hpp>
#include <tenon/judge/optional.hpp>
#include <tenon/judge/order_text.hpp>

namespace tenon {

/// A pass that text can name.
struct registered_pass : detail::scheduled_pass {
  const bool* callers;  ///< if it makes functions ahead: may those where each pass of the registry leads to call them?
  std::span<const ir::attribute> (*attributes)();
  std::shared_ptr<void> (*make)();  ///< the pass with its default options; null where it has none to give
  void (*provide)(context&);        ///< says to the context how it lowers the registry's added ops
};
struct registered_fact {
  const fact_desc* desc;
  void (*check)(const ir::module&);                                  ///< null where nothing can prove it
  void (*check_function)(const ir::module&, function_id) = nullptr;  ///< of a fact of some functions
};

/// Passes by name, in the order in which a person should see them.
struct registry {
  const registered_pass* passes = nullptr;
  size_t pass_count = 0;
  const registered_fact* facts = nullptr;
  size_t fact_count = 0;
  op_set added = {};                          ///< ops that no phase lists, and that modules may hold
  const u64* lowered = nullptr;               ///< for each pass, which of them (bit by position) it has a lowering for
  const barred_ops* const* barred = nullptr;  ///< for each pass, which of them it may not find

  const registered_pass* begin() const { return passes; }
  const registered_pass* end() const { return passes + pass_count; }
  const registered_pass* find(std::string_view name) const;
  /// Those of the named facts that a module has, by their checkers: a file notes facts, and proves none.
  std::vector<std::string> proven(const ir::module& m, std::span<const std::string> facts) const;
};

namespace detail {
template <class Pass, class Added>
void provide_registered(context& cx) {
  provide_lowerings<bare_pass_t<Pass>>(cx, meta::detail::box<Added>{});
}
template <class Pass>
std::span<const ir::attribute> attributes_of_registered() {
  return ir::detail::attributes_of<bare_pass_t<Pass>>();
}
template <class Pass>
constexpr auto maker_of_registered() -> std::shared_ptr<void> (*)() {
  using pass = bare_pass_t<Pass>;
  if constexpr (requires(const pass& p) { p.list_attributes(); })
    return []() -> std::shared_ptr<void> { return std::make_shared<pass>(); };
  else return nullptr;
}
template <class Fact>
constexpr auto checker_of() -> void (*)(const ir::module&) {
  if constexpr (is_provable<Fact>) return &prove<Fact>;
  else return nullptr;
}
/// Text finds passes and facts by name: no two may have one.
template <class... Named>
constexpr bool named_apart() {
  const label names[] = {as_label(Named::name)..., {}};
  for (size_t i = 0; i < sizeof...(Named); ++i)
    for (size_t k = 0; k < i; ++k)
      if (names[i] == names[k]) return false;
  return true;
}
template <class Passes, class Facts, class Added>
struct registry_data;
template <class... Ps, class... Fs, class Added>
struct registry_data<pass_list<Ps...>, facts<Fs...>, Added> {
  static_assert((meta::answer_t<pass_check<Ps>>::accepted && ...),
                "tenon-E018: a pass of this registry is not sound; the note below says why");
  static_assert(
      named_apart<Ps...>(),
      "tenon-E009: two passes of a registry have one name, so that text finds the first only: rename one of them");
  static_assert(named_apart<Fs...>(),
                "tenon-E009: two facts that passes of a registry name have one name: rename one of them");
  using added =
      meta::unique_t<meta::concat_t<Added, added_ops_t<phase_after_t<Ps>>...>>;  // by passes of this registry too
  static constexpr registered_pass passes[] = {
      {detail::scheduled<Ps>(&verify_phase<phase_after_t<Ps>, added, phases_from<phase_after_t<Ps>, Ps...>>),
       callers_of_made<Ps, Ps...>(), &attributes_of_registered<Ps>, maker_of_registered<Ps>(),
       &provide_registered<Ps, Added>}...,
      {}};  // an array without elements is none in C++
  static constexpr registered_fact known[] = {{&fact_desc_of<Fs>, checker_of<Fs>(), function_checker_of<Fs>()}...,
                                              {nullptr, nullptr}};
  static constexpr registry value{passes,
                                  sizeof...(Ps),
                                  known,
                                  sizeof...(Fs),
                                  op_set_of<Added>,
                                  lowered_array<Added, Ps...>::data,
                                  barred_array<Added, Ps...>::data};
};
template <class List, class Added>
struct registry_for;
template <class... Ps, class Added>
struct registry_for<pass_list<Ps...>, Added>
    : registry_data<pass_list<Ps...>, meta::unique_t<meta::concat_t<facts<>, typename Ps::needs..., gives_of_t<Ps>...>>,
                    Added> {};
}  // namespace detail

/// The registry of a list of passes, each of which must be sound. `Added`: ops that no phase lists, and that modules
/// may hold.
template <class List, class Added = ops<>>
inline constexpr const registry& registry_of = detail::registry_for<List, Added>::value;

/// Judges passes at run time; `candidates` may be offered as repairs.
verdict judge_order(const std::vector<const pass_desc*>& passes, const std::vector<const pass_desc*>& candidates = {},
                    const phase_desc* start = nullptr);

/// Where a module in phase `start` goes on in a list of passes of which it has run some: at the latest pass of its
/// phase from which the rest can run with the facts that are known, by name; at the first one of the phase if none are.
/// As `build` does. The list's size if no pass begins in the phase.
size_t resume_at(const std::vector<const pass_desc*>& passes, const phase_desc& start,
                 std::span<const std::string> facts);

/// An order of passes that was judged.
class order {
 public:
  /// Names with options, separated by commas or blanks, and what is repeated (judge/order_text.hpp). Throws
  /// "pass.syntax", "pass.option" and "pass.value"; tenon-E026 for a name that the registry does not have, tenon-E039
  /// for what cannot be repeated, and the verdict's code and sentence for an order that cannot work. `start`: the phase
  /// that the module is in; `facts`: what is known of it, by name; `module`: where it is there, the ops that no phase
  /// lists and that it holds count.
  static order parse(std::string_view text, const registry& known, const phase_desc* start = nullptr,
                     std::span<const std::string> facts = {}, const ir::module* module = nullptr);

  /// Runs the passes; throws what they throw.
  std::unique_ptr<ir::module> run(std::unique_ptr<ir::module> body, context& cx) const;

  size_t size() const { return steps_.size(); }
  const pass_desc& operator[](size_t i) const { return *steps_[i].desc; }
  /// The passes with the options that differ from their defaults, as `parse` takes them.
  std::string text() const;
  /// Of the passes and these options.
  u64 fingerprint() const;
  /// The facts that are known of a module behind the last pass, by name.
  const std::vector<std::string>& facts() const { return facts_; }
  /// The phase that it leaves a module in, or null if it has no pass.
  const phase_desc* end_phase() const { return steps_.empty() ? nullptr : steps_.back().desc->to; }

 private:
  struct step {
    const registered_pass* pass = nullptr;  ///< of what is repeated, the first one
    const pass_desc* desc = nullptr;
    std::vector<named_option> options;  ///< those that differ from the defaults
    std::vector<step> members;          ///< of what is repeated
    detail::scheduled_pass scheduled;
    std::shared_ptr<const void> owner;  ///< of what `scheduled` points to
  };
  static step step_of(const pass_text& said, const registry& known);
  static step repeated_step(const pass_text& said, const registry& known);
  static pass_text text_of(const step& s);
  void judge(const phase_desc* start, std::span<const std::string> held, const ir::module* module);

  const registry* known_ = nullptr;
  std::vector<step> steps_;
  std::vector<detail::scheduled_pass> passes_;
  std::vector<proof> proofs_;
  std::vector<u64> rows_;  ///< of the facts in `proofs_`, behind each pass
  size_t row_words_ = 0;
  std::vector<label> known_at_first_;
  std::vector<proof> begun_;  ///< of what its phase begins with, that it relies on
  label begun_in_;
  std::vector<std::string> facts_;
};

}  // namespace tenon
