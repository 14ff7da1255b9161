// The laws of passes, stated once and held by every built-in pass: alone on graphs, and at each place of cpu's
// pipeline.
#include "laws.hpp"

#include <compile/external/library.hpp>
#include <text/same_module.hpp>

#include <tenon/compile/run.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/passes/bind_threads.hpp>
#include <tenon/passes/emit_c.hpp>
#include <tenon/passes/emit_opencl.hpp>
#include <tenon/passes/lower_external_calls.hpp>
#include <tenon/passes/tensorize.hpp>
#include <tenon/targets/cpu.hpp>

using namespace laws;

namespace {

/// Built-in passes that change what they have changed: their docstrings say why. All others are idempotent.
using changes_again = pass_list<passes::convert_layout>;

template <class P>
constexpr bool is_idempotent = meta::contains_v<P, meta::without_t<built_in_passes, changes_again>> &&
                               meta::same<phase_before_t<P>, phase_after_t<P>>;

template <class... Ps>
auto graph_passes_of(meta::detail::box<pass_list<Ps...>>)
    -> meta::filter_t<pass_list<Ps...>, (meta::same<phase_before_t<Ps>, phases::optimization> &&
                                         meta::same<phase_after_t<Ps>, phases::optimization>)...>;
using graph_passes = decltype(graph_passes_of(meta::detail::box<built_in_passes>{}));

static_assert(
    meta::size_v<meta::without_t<meta::without_t<built_in_passes, graph_passes>, targets::cpu::pipeline::passes>> == 0,
    "a built-in pass that does not run on graphs has a place in cpu's pipeline: there the laws hold it");

template <class... Ps>
auto facts_given(meta::detail::box<pass_list<Ps...>>) -> meta::unique_t<meta::concat_t<gives_of_t<Ps>...>>;
using built_in_facts = decltype(facts_given(meta::detail::box<built_in_passes>{}));

template <class... As>
void compute_all(const ir::module& m, meta::detail::box<facts<As...>>) {
  (m.analyses().compute(tenon::detail::analysis_info_of<As>, m), ...);
}
template <class P>
std::unique_ptr<ir::module> ran(const ir::module& m) {
  context cx;
  auto now = std::make_unique<ir::module>(m);
  compute_all(*now, meta::detail::box<all_built_in_analyses>{});
  now = tenon::detail::run_body(P{}, std::move(now), cx);
  const ir::analysis_info* const untrue = now->analyses().first_untrue(*now);
  CHECK_MESSAGE(!untrue, P::name << " keeps " << std::string_view(untrue->fact->name) << "\n" << print(*now));
  return now;
}

/// Does a pass promise that a fact outlives it?
template <class P, class Fact>
constexpr bool promises() {
  if constexpr (requires { typename Fact::absent_ops; }) {
    if constexpr (!requires { typename P::emits; }) return false;
    else
      return meta::size_v<meta::without_t<typename Fact::absent_ops, typename P::emits>> ==
             meta::size_v<typename Fact::absent_ops>;
  } else if constexpr (requires { typename P::breaks; }) {
    return !meta::contains_v<Fact, typename P::breaks>;
  } else if constexpr (requires { typename P::keeps; }) {
    if constexpr (meta::same<typename P::keeps, all_facts>) return true;
    else return meta::contains_v<Fact, typename P::keeps>;
  } else {
    return false;
  }
}

template <class P, class... Fs>
void gives_and_keeps(const ir::module& before, const ir::module& after, meta::detail::box<facts<Fs...>>) {
  const auto one = [&]<class F>(meta::detail::box<F>) {
    if constexpr (meta::contains_v<F, gives_of_t<P>>)
      CHECK_MESSAGE(holds<F>(after), P::name << " gives " << std::string_view(F::name) << "\n" << print(after));
    else if constexpr (promises<P, F>())
      if (holds<F>(before))
        CHECK_MESSAGE(holds<F>(after), P::name << " keeps " << std::string_view(F::name) << "\n" << print(after));
  };
  (one(meta::detail::box<Fs>{}), ...);
}

/// What a pass that names no effect leaves: every op that it neither eliminates nor emits, in the same order.
template <class P>
std::vector<std::string> untouched(const ir::module& m) {
  std::set<std::string> others = names_of<typename P::emits>();
  others.merge(names_of<eliminates_of_t<P>>());
  std::vector<std::string> names;
  for (function_id f : m.functions())
    if (m[f].phase.empty())
      ir::for_each_op(m, m[f].body, [&](op_id op) {
        if (!others.count(std::string(m.view(op).name())))
          names.push_back(m[f].name + ": " + std::string(m.view(op).name()));
      });
  return names;
}

template <class P>
std::unique_ptr<ir::module> law(const ir::module& before, const std::vector<tensor>& inputs,
                                const std::vector<tensor>& want, std::span<const eval_entry> more = {}) {
  const std::string input = print(before);
  INFO(std::string(std::string_view(P::name)), " of\n", input);
  std::unique_ptr<ir::module> after = ran<P>(before);
  CHECK(after->artifacts().missing_of(before.artifacts()) == nullptr);  // what another code generator made stays
  const std::string text = print(*after);
  CHECK(print(before) == input);                          // nothing is shared with the input
  CHECK(print(*ran<P>(before)) == text);                  // the same twice
  ir::verify<phase_after_t<P>>(*after);                   // well-formed, and in its phase
  CHECK(testing::difference(parse(text), *after) == "");  // what is printed can be read
  if constexpr (!meta::same<phase_after_t<P>, phases::built>)
    CHECK(difference(interpret(*after, "main", inputs,
                               interpret_options{.evaluations = more, .shuffle_parallel = 1, .find_races = true}),
                     want) == "");  // the same meaning
  if constexpr (!pass_desc_of<P>.more().touches_effects)
    CHECK(untouched<P>(before) == untouched<P>(*after));  // who deletes, merges or moves ops says so
  if constexpr (is_idempotent<P>) {
    std::unique_ptr<ir::module> again = ran<P>(*after);
    again->compact();
    ir::module compacted = *after;
    compacted.compact();
    CHECK(print(*again) == print(compacted));
  }
  const auto old = kinds_of(before), now = kinds_of(*after);
  if constexpr (requires { typename P::emits; }) {
    auto emits = names_of<typename P::emits>();
    if constexpr (!meta::same<phase_before_t<P>, phase_after_t<P>>)  // functions that were ahead are there now
      emits.merge(names_of<early_ops_t<phase_after_t<P>>>());
    for (const std::string& name : now)
      CHECK_MESSAGE((old.count(name) || emits.count(name)), name << " is not in emits");
    if constexpr (requires { typename P::eliminates; })
      for (const std::string& name : names_of<typename P::eliminates>())
        CHECK_MESSAGE((!now.count(name) || emits.count(name)), name << " is left");
  }
  gives_and_keeps<P>(before, *after, meta::detail::box<built_in_facts>{});
  return after;
}

template <class... Ps>
void through(const ir::module& m, u64 seed, meta::detail::box<pass_list<Ps...>>) {
  const std::vector<tensor> inputs = testing::random_inputs(m, seed), want = interpret(m, "main", inputs);
  auto now = std::make_unique<ir::module>(m);
  now->add_artifact({"listing", "paper", "made_before", {1, 2}, "law"});
  const auto step = [&]<class P>(meta::detail::box<P>) {
    if constexpr (!meta::same<P, passes::generate_code>) now = law<P>(*now, inputs, want);
  };
  (step(meta::detail::box<Ps>{}), ...);
}

/// Graph passes on graphs as they are imported, with the facts that they need and no other pass before them.
template <class P, class... Needs>
void alone(const ir::module& m, u64 seed, meta::detail::box<facts<Needs...>>) {
  auto now = ran<passes::infer_shapes>(*ran<passes::lift_lambdas>(m));
  if (!(holds<Needs>(*now) && ...)) return;
  now->add_artifact({"listing", "paper", "made_before", {1, 2}, "law"});
  const std::vector<tensor> inputs = testing::random_inputs(m, seed);
  law<P>(*now, inputs, interpret(m, "main", inputs));
}

template <class... Ps>
void each_alone(const ir::module& m, u64 seed, meta::detail::box<pass_list<Ps...>>) {
  (alone<Ps>(m, seed, meta::detail::box<typename Ps::needs>{}), ...);
}

/// An op with an effect, which the graph passes must leave where it is, and as often as it is.
struct draw {
  static constexpr fixed_string name = "draw";
  static constexpr op_traits traits{.effects = effect_bits::random, .max_operands = 0};
};

template <class P>
void leaves_effects() {
  ir::module m;
  const type_id t = m.intern(ir::type::tensor(dtype::f32, {3}));
  const function_id f = m.add_function("main", ir::function_kind::graph, {});
  m[f].entry = true;
  ir::builder<> b(m, m[f].body);
  const type_id types[] = {t};
  b.make_op(draw{}, {}, types);  // nobody uses it
  const value_id x = m.result(b.make_op(draw{}, {}, types)), y = m.result(b.make_op(draw{}, {}, types));
  const value_id dead = b.make(op::neg{}, {x});
  b.make(op::exp{}, {dead});
  b.make_op(op::return_{}, std::vector{b.make(op::sub{}, {x, y})}, {});
  m[f].result_types = {t};
  const auto after = ran<P>(m);
  int draws = 0;
  ir::for_each_op(*after, [&](op_id op) { draws += after->view(op).name() == "draw" ? 1 : 0; });
  CHECK_MESSAGE(draws == 3, std::string_view(P::name) << "\n" << print(*after));
}

}  // namespace

TEST_CASE("each pass at its place in the pipeline") {
  u64 seed = 0;
  for (const ir::module& m : corpus(1000, 150)) through(m, seed++, meta::detail::box<targets::cpu::pipeline::passes>{});
}

TEST_CASE("each graph pass alone") {
  u64 seed = 0;
  for (const ir::module& m : corpus(2000, 150)) each_alone(m, seed++, meta::detail::box<graph_passes>{});
}

/// An instruction that could do any kernel, with one buffer of its own.
struct any_kernel {
  static constexpr fixed_string name = "any_kernel";
  static bool matches(const ir::module&, function_id) { return true; }
  static std::vector<ir::type> scratch(const ir::module&, function_id) { return {ir::type::buffer(dtype::f32, {8})}; }
};

// The passes that are in no other pipeline: of other targets, and those that users instantiate.
TEST_CASE("passes of other targets") {
  using external_test::library;
  const auto evaluations = external_evaluations<library>();
  u64 seed = 0;
  for (const ir::module& m : corpus(3000, 60)) {
    const std::vector<tensor> inputs = testing::random_inputs(m, seed++), want = interpret(m, "main", inputs);
    const auto here = ran<passes::infer_shapes>(*ran<passes::inline_calls>(*ran<passes::lift_lambdas>(m)));
    const auto parts = law<passes::partition_for<library>>(*here, inputs, want);
    bool has_code = true;  // the library says that it has no powers
    ir::for_each_op(*parts, [&](op_id op) { has_code = has_code && !parts->view(op).is<op::exp>(); });
    std::unique_ptr<ir::module> coded;
    if (has_code) coded = law<passes::run_external_codegen<library>>(*parts, inputs, want, evaluations);
    if (!holds<fact::static_shapes>(*here)) continue;
    if (coded) {  // natively: kernels that are artifacts, in each form of their calls
      const auto called = law<passes::lower_external_calls>(*coded, inputs, want, evaluations);
      const auto legal = law<passes::legalize_ops>(
          *ran<passes::require_static_shapes>(*ran<passes::fold_extents>(*called)), inputs, want, evaluations);
      const auto stored = law<passes::to_lowering>(*legal, inputs, want, evaluations);
      law<passes::lower_builtins>(*law<passes::plan_memory>(*stored, inputs, want, evaluations), inputs, want,
                                  evaluations);
    }
    const auto known = ran<passes::require_static_shapes>(*ran<passes::fold_extents>(*here));
    const auto kernels = ran<passes::to_lowering>(*ran<passes::legalize_ops>(*known));
    const auto scratch = law<passes::tensorize<any_kernel>>(*kernels, inputs, want);
    bool in_c = true;
    const auto built = ran<passes::lower_builtins>(*ran<passes::plan_memory>(*scratch));
    for (size_t v = 0; v < built->value_count(); ++v)
      in_c = in_c && passes::has_c_form(built->type_of(value_id(v)).elem);
    if (in_c) law<passes::emit_c>(*built, inputs, want);
    const auto bound = law<passes::bind_threads>(*ran<passes::plan_memory>(*kernels), inputs, want);
    CHECK(print(*ran<passes::bind_threads>(*bound)) == print(*bound));
    if (in_c) law<passes::emit_opencl>(*ran<passes::lower_builtins>(*bound), inputs, want);
  }
}

template <class... Ps>
void each_leaves_effects(meta::detail::box<pass_list<Ps...>>) {
  (leaves_effects<Ps>(), ...);
}
TEST_CASE("effects stay") {  // legalize_ops has no kernel for the op, and says so
  each_leaves_effects(meta::detail::box<meta::without_t<graph_passes, pass_list<passes::legalize_ops>>>{});
}
