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

/// What a pass says, as data: the law is compiled once, not for each pass.
struct said_of_fact {
  std::string_view name;
  bool (*holds)(const ir::module&);
  bool given, kept;
};
struct said_by_pass {
  named_pass pass;
  void (*verify)(const ir::module&);  ///< well-formed, and in its phase
  bool interpreted, touches_effects, idempotent, says_emits;
  std::set<std::string> emits, eliminates;
  std::set<std::string> new_names;  ///< those of functions that were ahead before
  std::vector<said_of_fact> facts;
};
template <class P, class... Fs>
std::vector<said_of_fact> said_of_facts(meta::detail::box<facts<Fs...>>) {
  return {{std::string_view(Fs::name), &holds<Fs>, meta::contains_v<Fs, gives_of_t<P>>, promises<P, Fs>()}...};
}
template <class P>
const said_by_pass& said_by() {
  using after = phase_after_t<P>;
  static const said_by_pass all = [] {
    said_by_pass s{{std::string_view(P::name), &run_pass<P>},
                   [](const ir::module& m) { ir::verify<after>(m); },
                   !meta::same<after, phases::built>,
                   pass_desc_of<P>.more().touches_effects,
                   is_idempotent<P>,
                   requires { typename P::emits; },
                   {},
                   names_of<eliminates_of_t<P>>(),
                   {},
                   said_of_facts<P>(meta::detail::box<built_in_facts>{})};
    if constexpr (requires { typename P::emits; }) s.emits = names_of<typename P::emits>();
    if constexpr (!meta::same<phase_before_t<P>, after>) s.new_names = names_of<early_ops_t<after>>();
    return s;
  }();
  return all;
}

template <class... As>
void compute_all(const ir::module& m, meta::detail::box<facts<As...>>) {
  (m.analyses().compute(tenon::detail::analysis_info_of<As>, m), ...);
}
std::unique_ptr<ir::module> ran(const named_pass& p, const ir::module& m) {
  context cx;
  auto now = std::make_unique<ir::module>(m);
  compute_all(*now, meta::detail::box<all_built_in_analyses>{});
  now = p.run(std::move(now), cx);
  const ir::analysis_info* const untrue = now->analyses().first_untrue(*now);
  CHECK_MESSAGE(!untrue, p.name << " keeps " << std::string_view(untrue->fact->name) << "\n" << print(*now));
  return now;
}
template <class P>
std::unique_ptr<ir::module> ran(const ir::module& m) {
  return ran({std::string_view(P::name), &run_pass<P>}, m);
}

void gives_and_keeps(const said_by_pass& p, const ir::module& before, const ir::module& after) {
  for (const said_of_fact& f : p.facts) {
    if (f.given) CHECK_MESSAGE(f.holds(after), p.pass.name << " gives " << f.name << "\n" << print(after));
    else if (f.kept && f.holds(before))
      CHECK_MESSAGE(f.holds(after), p.pass.name << " keeps " << f.name << "\n" << print(after));
  }
}

/// What a pass that names no effect leaves: every op that it neither eliminates nor emits, in the same order.
std::vector<std::string> untouched(const said_by_pass& p, const ir::module& m) {
  std::vector<std::string> names;
  for (function_id f : m.functions())
    if (m[f].phase.empty())
      ir::for_each_op(m, m[f].body, [&](op_id op) {
        const std::string name(m.view(op).name());
        if (!p.emits.contains(name) && !p.eliminates.contains(name)) names.push_back(m[f].name + ": " + name);
      });
  return names;
}

std::unique_ptr<ir::module> law(const said_by_pass& p, const ir::module& before, const std::vector<tensor>& inputs,
                                const std::vector<tensor>& want, std::span<const eval_entry> more = {}) {
  const std::string input = print(before);
  INFO(p.pass.name, " of\n", input);
  std::unique_ptr<ir::module> after = ran(p.pass, before);
  CHECK(after->artifacts().missing_of(before.artifacts()) == nullptr);  // what another code generator made stays
  const std::string text = print(*after);
  CHECK(print(before) == input);                          // nothing is shared with the input
  CHECK(print(*ran(p.pass, before)) == text);             // the same twice
  p.verify(*after);                                       // well-formed, and in its phase
  CHECK(testing::difference(parse(text), *after) == "");  // what is printed can be read
  if (p.interpreted)
    CHECK(difference(interpret(*after, "main", inputs,
                               interpret_options{.evaluations = more, .shuffle_parallel = 1, .find_races = true}),
                     want) == "");                                              // the same meaning
  if (!p.touches_effects) CHECK(untouched(p, before) == untouched(p, *after));  // who deletes, merges or moves says so
  if (p.idempotent) {
    std::unique_ptr<ir::module> again = ran(p.pass, *after);
    again->compact();
    ir::module compacted = *after;
    compacted.compact();
    CHECK(print(*again) == print(compacted));
  }
  if (p.says_emits) {
    const auto old = kinds_of(before), now = kinds_of(*after);
    for (const std::string& name : now)
      CHECK_MESSAGE((old.count(name) || p.emits.count(name) || p.new_names.count(name)), name << " is not in emits");
    for (const std::string& name : p.eliminates)
      CHECK_MESSAGE((!now.count(name) || p.emits.count(name) || p.new_names.count(name)), name << " is left");
  }
  gives_and_keeps(p, before, *after);
  return after;
}
template <class P>
std::unique_ptr<ir::module> law(const ir::module& before, const std::vector<tensor>& inputs,
                                const std::vector<tensor>& want, std::span<const eval_entry> more = {}) {
  return law(said_by<P>(), before, inputs, want, more);
}

using laws_of_passes = std::vector<const said_by_pass*>;
template <class... Ps>
laws_of_passes laws_of(meta::detail::box<pass_list<Ps...>>) {
  return {&said_by<Ps>()...};
}

void through(const ir::module& m, u64 seed, const laws_of_passes& passes) {
  const std::vector<tensor> inputs = testing::random_inputs(m, seed), want = interpret(m, "main", inputs);
  auto now = std::make_unique<ir::module>(m);
  now->add_artifact({"listing", "paper", "made_before", {1, 2}, "law"});
  for (const said_by_pass* p : passes) now = law(*p, *now, inputs, want);
}

/// Graph passes on graphs as they are imported, with the facts that they need and no other pass before them.
struct pass_alone {
  const said_by_pass* pass;
  std::vector<bool (*)(const ir::module&)> needs;
};
template <class... Needs>
std::vector<bool (*)(const ir::module&)> checks_of(meta::detail::box<facts<Needs...>>) {
  return {&holds<Needs>...};
}
template <class... Ps>
std::vector<pass_alone> each_alone(meta::detail::box<pass_list<Ps...>>) {
  return {{&said_by<Ps>(), checks_of(meta::detail::box<typename Ps::needs>{})}...};
}
void alone(const ir::module& m, u64 seed, const pass_alone& p) {
  auto now = ran<passes::infer_shapes>(*ran<passes::lift_lambdas>(m));
  for (const auto holds : p.needs)
    if (!holds(*now)) return;
  now->add_artifact({"listing", "paper", "made_before", {1, 2}, "law"});
  const std::vector<tensor> inputs = testing::random_inputs(m, seed);
  law(*p.pass, *now, inputs, interpret(m, "main", inputs));
}

/// An op with an effect, which the graph passes must leave where it is, and as often as it is.
struct draw {
  static constexpr fixed_string name = "draw";
  static constexpr op_traits traits{.effects = effect_bits::random, .max_operands = 0};
};

void leaves_effects(const named_pass& p) {
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
  const auto after = ran(p, m);
  int draws = 0;
  ir::for_each_op(*after, [&](op_id op) { draws += after->view(op).name() == "draw" ? 1 : 0; });
  CHECK_MESSAGE(draws == 3, p.name << "\n" << print(*after));
}

}  // namespace

TEST_CASE("each pass at its place in the pipeline") {
  using before_code = meta::without_t<targets::cpu::pipeline::passes, pass_list<passes::generate_code>>;
  const laws_of_passes passes = laws_of(meta::detail::box<before_code>{});
  u64 seed = 0;
  for (const ir::module& m : corpus(1000, 150)) through(m, seed++, passes);
}

TEST_CASE("each graph pass alone") {
  const auto passes = each_alone(meta::detail::box<graph_passes>{});
  u64 seed = 0;
  for (const ir::module& m : corpus(2000, 150)) {
    for (const pass_alone& p : passes) alone(m, seed, p);
    ++seed;
  }
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

TEST_CASE("effects stay") {  // legalize_ops has no kernel for the op, and says so
  for (const named_pass& p :
       passes_before_code(meta::detail::box<meta::without_t<graph_passes, pass_list<passes::legalize_ops>>>{}))
    leaves_effects(p);
}
