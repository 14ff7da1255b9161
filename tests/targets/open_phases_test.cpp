// needs: llvm
// A user's op and a user's effect, from one file outside of the library, through every built-in pipeline: cpu, C
// source, interpreter, xsimd, a host program, a composite, and an external code generator. What is missing is one
// sentence each.
#include <doctest/doctest.h>

#include <cmath>

#include <tenon/compile/external/runner.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/lowering_table.hpp>
#include <tenon/passes/outline_regions.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>
#include <tenon/targets/host_program.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/targets/xsimd.hpp>

namespace open {
using namespace tenon;

/// `%y = leaky(%x)`: x where it is positive, x / 4 elsewhere
struct leaky {
  static constexpr fixed_string name = "open.leaky";
  static constexpr op_traits traits{.elementwise = true, .min_operands = 1, .max_operands = 1};
};
void infer(const leaky&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
void evaluate(const leaky&, eval_context& cx) {
  tensor y = cx.operand(0).clone();
  for (i64 i = 0; i < y.size(); ++i) y.set_f64(i, y.at_f64(i) * (y.at_f64(i) > 0 ? 1 : 0.25));
  cx.result(y);
}
value_id element(const leaky&, element_context& cx, const index_list& at) {
  ir::loop_builder& b = cx.b();
  const dtype t = cx.result_type().elem;
  const value_id x = cx.operand(0, at), zero = b.real(t, 0);
  return b.add(b.max(x, zero), b.mul(b.real(t, 0.25), b.min(x, zero)));
}

/// The effect on what references point to, and an op that has it and no result.
struct mutates {
  static constexpr fixed_string name = "mutates";
};
struct ref_write {
  static constexpr fixed_string name = "open.ref_write";
  using effects = tenon::effects<mutates>;
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1, .results = 0};
};
inline std::vector<tensor> written;
void evaluate(const ref_write&, eval_context& cx) { written.push_back(cx.operand(0).clone()); }

/// For code that has no references: what main writes, in order, are its last results.
///
/// Before: ref_write(%a); return(%y)          After: return(%y, %a)
struct return_writes {
  static constexpr fixed_string name = "return_writes";
  using runs_in = extend<phases::optimization, ref_write>;
  using needs = facts<fact::calls_inlined>;
  using keeps = all_facts;
  using eliminates = ops<ref_write>;
  using handles = ops<ref_write>;
  using emits = ops<op::return_>;
  static constexpr bool changes_functions = true;  // they return more
  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    for (function_id f : m.functions()) {
      if (!m[f].here(ir::function_kind::graph)) continue;
      const op_id end = m.terminator(m[f].body);
      std::vector<value_id> results = m.operands(end);
      for (op_id op : std::vector<op_id>(m[m[f].body].ops)) {
        if (!m.view(op).is<ref_write>()) continue;
        results.push_back(m.operand(op, 0));
        m[f].result_types.push_back(m[results.back()].type);
        m[f].result_names.push_back("written_" + std::to_string(results.size()));
        m.erase(op);
      }
      ir::builder<emits> b(m, m[f].body);
      b.before(end);
      b.make_op(op::return_{}, results, {});
      m.erase(end);
    }
  }
};
}  // namespace open

// The answers. How `legalize_ops` makes kernels of the op; and that every pass leaves writes where they are.
template <>
struct tenon::lower_with<tenon::passes::legalize_ops, open::leaky> : tenon::native_form<open::leaky> {};
template <class Pass>
inline constexpr bool tenon::treats<Pass, open::mutates> = true;

namespace open {
struct unanswered_effect {
  static constexpr fixed_string name = "unanswered_effect";
};
struct unanswered_write {
  using effects = tenon::effects<unanswered_effect>;
};
struct unanswered {};

struct cpu : targets::cpu {
  static constexpr fixed_string name = "open_cpu";
  using pipeline = targets::cpu::pipeline::edit<insert_before<passes::fuse, return_writes>, add_ops<leaky, ref_write>>;
};
struct c_source : targets::c_source {
  static constexpr fixed_string name = "open_c_source";
  using pipeline =
      targets::c_source::pipeline::edit<insert_before<passes::fuse, return_writes>, add_ops<leaky, ref_write>>;
};
struct interpreter : targets::interpreter {
  static constexpr fixed_string name = "open_interpreter";
  using pipeline = targets::interpreter::pipeline::with_ops<leaky, ref_write>;
};
struct xsimd : targets::xsimd {
  static constexpr fixed_string name = "open_xsimd";
  using pipeline =
      targets::xsimd::pipeline::edit<insert_after<passes::inline_calls, return_writes>, add_ops<leaky, ref_write>>;
};
struct host_cpu : targets::host_cpu {
  static constexpr fixed_string name = "open_host";
  using pipeline = targets::host_cpu::pipeline::with_ops<leaky, ref_write>;
};
// Writes are results before the members part; each of them makes code for its own parts.
struct host_of_parts : targets::cpu {
  static constexpr fixed_string name = "open_parts";
  using pipeline =
      targets::cpu::pipeline::edit<insert_after<passes::inline_calls, return_writes>, add_ops<leaky, ref_write>>;
};
struct reference_part : targets::interpreter {
  static constexpr fixed_string name = "open_reference";
  using pipeline = targets::interpreter::pipeline::edit<insert_after<passes::inline_calls, return_writes>,
                                                        add_ops<leaky, ref_write>>;
};
using parts = composite<host<host_of_parts>, device<"reference", reference_part>>;

/// An external code generator that has the op: it interprets its parts.
struct paper {
  static constexpr fixed_string name = "open_paper";
};
struct library {
  static constexpr fixed_string name = "open_library";
  using patterns = pattern_list<pattern<leaky, any>>;
  using matches_in = extend<phases::optimization, leaky>;
  struct external_code_generator {
    using format = paper;
    static std::vector<char> compile(const external_function& part, context&) {
      return std::vector<char>(part.module[part.function].name.size(), 'x');
    }
    static std::unique_ptr<external_code> load(std::span<const char>) {
      struct code final : external_code {
        std::vector<tensor> run(std::span<const tensor> x, int) const override {
          tensor y = x[0].clone();
          for (i64 i = 0; i < y.size(); ++i) y.set_f64(i, y.at_f64(i) * (y.at_f64(i) > 0 ? 1 : 0.25));
          return {y};
        }
      };
      return std::make_unique<code>();
    }
  };
};
using external_order =
    pipeline<passes::lift_lambdas, passes::inline_calls, passes::infer_shapes, passes::partition_for<library>,
             passes::run_external_codegen<library>>::with_ops<leaky, ref_write, op::call_external>;
struct with_library : targets::interpreter {
  static constexpr fixed_string name = "open_external";
  using pipeline = external_order;
};
}  // namespace open

namespace {
using namespace tenon;
using open::leaky, open::ref_write;
using phase = extend<phases::ingestion, leaky, ref_write>;

const tensor x = tensor::from<float>({4}, {-2, -0.5, 0, 3});

/// main(x) = exp(leaky(-x)), and writes leaky(-x) * 2 behind a reference; a product that nobody needs
ir_module<phase> graph() {
  ir_module<phase> module;
  ir::module& m = module.body();
  const type_id t = m.intern(ir::type::tensor(dtype::f32, {4}));
  const function_id f = m.add_function("main", ir::function_kind::graph, {&t, 1});
  m[f].entry = true;
  m[f].argument_names = {"x"}, m[f].result_names = {"y"};
  ir::builder<phase::op_list> b(m, m[f].body);
  const value_id a = b.make(leaky{}, {b.make(op::neg{}, {m[m[f].body].arguments[0]})});
  b.make(op::mul{}, {a, a});
  b.make_op(ref_write{}, std::vector{b.make(op::add{}, {a, a})}, {});
  const value_id y = b.make(op::exp{}, {a});
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {t};
  return module;
}
const std::vector<double> returned{std::exp(2.0), std::exp(0.5), 1, std::exp(-0.75)}, stored{4, 1, 0, -1.5};

void check_close(const tensor& got, const std::vector<double>& want) {
  REQUIRE(got.size() == 4);
  for (i64 i = 0; i < 4; ++i) CHECK(got.at_f64(i) == doctest::Approx(want[static_cast<size_t>(i)]).epsilon(1e-5));
}
/// The results of code for a target: the writes are results too, or were made while it ran.
void check_run(const std::vector<tensor>& got) {
  REQUIRE(!got.empty());
  check_close(got[0], returned);
  if (got.size() > 1) {
    check_close(got[1], stored);
  } else {
    REQUIRE(open::written.size() == 1);
    check_close(open::written[0], stored);
  }
}
size_t writes_in(const ir::module& m) {
  size_t n = 0;
  ir::for_each_op(m, [&](op_id op) { n += m.view(op).is<ref_write>() ? 1 : 0; });
  return n;
}
template <class Target>
auto built(bool* kept = nullptr) {
  context cx;
  cx.verify_each = true;
  if constexpr (requires { Target{}.configure(cx); }) Target{}.configure(cx);
  open::written.clear();
  auto m = build<Target>(graph(), cx);
  if (kept) *kept = writes_in(m.body()) == 1;
  return m;
}
template <class Target>
void check_target() {
  INFO(std::string_view(label(Target::name)));
  register_evaluations(eval_table_of<ops<leaky, ref_write>>());
  const auto m = built<Target>();
  check_run(Target::runtime::load(m.body())->run({&x, 1}, 1));
}
}  // namespace

TEST_CASE("through the pipeline of each target") {
  check_target<open::cpu>();
  check_target<open::c_source>();
  check_target<open::interpreter>();
  check_target<open::xsimd>();
  check_target<open::parts>();
}

TEST_CASE("a write that nobody reads is kept: by what evaluates as an op, by cpu as a result") {
  bool kept = false;
  CHECK(writes_in(built<open::interpreter>(&kept).body()) == 1);
  CHECK(writes_in(built<open::host_cpu>(&kept).body()) == 1);
  // Dead code goes, the write stays, until a pass says what becomes of it.
  context cx;
  const auto stopped = compile_to<phases::optimization, open::interpreter>(graph(), cx);
  auto swept = run<passes::eliminate_dead>(stopped.clone(), cx);
  CHECK(writes_in(swept.body()) == 1);
  int products = 0;
  ir::for_each_op(swept.body(), [&](op_id op) { products += swept.body().view(op).is<op::mul>(); });
  CHECK(products == 0);
}

TEST_CASE("through a host program, and an external code generator") {
  register_evaluations(eval_table_of<ops<leaky, ref_write>>());
  auto split = built<open::host_cpu>();
  host_program program(std::move(std::move(split).edit().body()), nullptr);
  const std::vector<value> results = program.run(std::vector<value>{x});
  check_run({results[0].as_tensor()});

  context cx;
  cx.verify_each = true;
  open::written.clear();
  auto m = build<open::with_library>(graph(), cx);
  CHECK(m.body().artifacts().size() == 1);
  check_run(external_program(std::move(std::move(m).edit().body()), external_formats<open::library>()).run({&x, 1}));
}

TEST_CASE("what is missing is one sentence") {
  const auto said = []<class Check>(meta::detail::box<Check>) {
    constexpr meta::phrase p = Check::say();
    return std::string(p.characters, p.length);
  };
  const auto with = [&]<class Op, class... Ps>(meta::detail::box<Op>, meta::detail::box<pass_list<Ps...>>) {
    return said(meta::detail::box<judged<ops<Op>, Ps...>>{});
  };
  using cpu_passes = targets::cpu::pipeline::passes;
  const std::string unlowered = with(meta::detail::box<open::unanswered>{}, meta::detail::box<cpu_passes>{});
  CHECK(unlowered.starts_with("tenon-E004: pass 'to_lowering' ("));
  CHECK(
      unlowered.ends_with("which does not list 'unanswered', and no pass before it eliminates it: specialize "
                          "tenon::lower_with<legalize_ops, unanswered>"));
  CHECK(with(meta::detail::box<open::unanswered_write>{}, meta::detail::box<cpu_passes>{})
            .starts_with("tenon-E016: pass 'lift_lambdas' (1st) deletes, merges or moves ops, and does not say how it "
                         "treats the effect 'unanswered_effect'"));
  CHECK(with(meta::detail::box<open::unanswered_write>{}, meta::detail::box<targets::xsimd::pipeline::passes>{})
            .starts_with("tenon-E016: "));
  CHECK(with(meta::detail::box<open::unanswered_write>{}, meta::detail::box<targets::interpreter::pipeline::passes>{})
            .starts_with("tenon-E016: "));
  CHECK(with(meta::detail::box<open::unanswered_write>{}, meta::detail::box<targets::host_cpu::pipeline::passes>{})
            .starts_with("tenon-E016: "));
  CHECK(with(meta::detail::box<open::unanswered>{}, meta::detail::box<targets::c_source::pipeline::passes>{})
            .starts_with("tenon-E004: "));
}
