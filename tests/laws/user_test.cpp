// The laws, as users call them on passes, ops and targets of their own; and each law, seen to fail on one that breaks
// it.
// needs: llvm
#include <doctest/doctest.h>

#include <cmath>

#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/testing/laws.hpp>

namespace mine {
using namespace tenon;

struct leaky {
  static constexpr fixed_string name = "leaky";
  static constexpr op_traits traits{.elementwise = true, .min_operands = 1, .max_operands = 1};
  double slope = 0.25;
  TENON_ATTRIBUTES(slope)
};
void infer(const leaky&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
void evaluate(const leaky& op, eval_context& cx) {
  tensor y = cx.operand(0).clone();
  for (i64 i = 0; i < y.size(); ++i) y.set_f64(i, y.at_f64(i) * (y.at_f64(i) > 0 ? 1 : op.slope));
  cx.result(y);
}
value_id element(const leaky& op, element_context& cx, const index_list& at) {
  ir::loop_builder& b = cx.b();
  const dtype t = cx.result_type().elem;
  const value_id x = cx.operand(0, at), zero = b.real(t, 0);
  return b.add(b.max(x, zero), b.mul(b.real(t, op.slope), b.min(x, zero)));
}
/// Means one thing to the interpreter, and another in loops.
struct two_faced : leaky {
  static constexpr fixed_string name = "two_faced";
};
void infer(const two_faced&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
void evaluate(const two_faced& op, eval_context& cx) { evaluate(static_cast<const leaky&>(op), cx); }
value_id element(const two_faced&, element_context& cx, const index_list& at) { return cx.operand(0, at); }
/// Its type rule knows nothing of its evaluation.
struct mistyped : leaky {
  static constexpr fixed_string name = "mistyped";
};
void infer(const mistyped&, ir::infer_context& cx) { cx.result(ir::type::tensor(dtype::f32, {1})); }
void evaluate(const mistyped& op, eval_context& cx) { evaluate(static_cast<const leaky&>(op), cx); }
/// Says that it writes its operand, which is a tensor.
struct overwriting : leaky {
  static constexpr fixed_string name = "overwriting";
  using writes = operands<0>;
};
void infer(const overwriting&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
void evaluate(const overwriting& op, eval_context& cx) { evaluate(static_cast<const leaky&>(op), cx); }

struct has_note {
  static constexpr fixed_string name = "has_note";
  static bool check(const ir::module& m) { return m.metadata.contains("note"); }
};
/// Prints; nobody uses a result of it.
struct report {
  static constexpr fixed_string name = "report";
  using effects = tenon::effects<effect::io>;
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1, .results = 0};
};
inline int reported = 0;
void evaluate(const report&, eval_context&) { ++reported; }
/// Deletes what nobody uses, and says nothing of effects.
struct sweep {
  static constexpr fixed_string name = "sweep";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
      if (m.view(op).result_count() == 0 && !m.view(op).info().traits.terminator) m.erase(op);
    });
  }
};
enum class lie { none, gives, keeps, emits, eliminates, functions, meaning, chance };
template <lie Lie>
struct tidy {
  static constexpr fixed_string name = "tidy";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using gives = facts<has_note>;
  using keeps = all_facts;
  using eliminates = ops<op::sub>;
  using handles = ops<op::sub>;
  using emits = ops<op::neg, op::add>;
  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    static int times = 0;
    if (Lie == lie::functions) m[m.find_function("main")].target = "cpu";
    if (Lie != lie::gives) m.metadata["note"] = Lie == lie::chance ? std::to_string(times++) : "here";
    ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
      if (!m.view(op).is<op::sub>() || Lie == lie::eliminates) return;
      ir::builder<> b(m, m[op].parent);
      b.before(op);
      value_id y = m.operand(op, 1);
      if (Lie == lie::emits) y = b.make(op::abs{}, {y});
      if (Lie != lie::meaning) y = b.make(op::neg{}, {y});
      m.replace_uses(m.result(op), b.make(op::add{}, {m.operand(op, 0), y}));
      m.erase(op);
    });
  }
};
struct forget {
  static constexpr fixed_string name = "forget";
  using runs_in = phases::optimization;
  using needs = facts<has_note>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>& m, context&) const { m.body().metadata.clear(); }
};
}  // namespace mine
template <>
struct tenon::lower_with<tenon::passes::legalize_ops, mine::leaky> : tenon::native_form<mine::leaky> {};

namespace {
using namespace tenon;

struct my_cpu : targets::cpu {
  static constexpr fixed_string name = "cpu_with_leaky";
  using pipeline = targets::cpu::pipeline::edit<insert_after<passes::infer_shapes, mine::tidy<mine::lie::none>>,
                                                add_ops<mine::leaky>>;
};

const tensor x = tensor::from<float>({4}, {-2, -0.5, 0, 3}), y = tensor::from<float>({4}, {1, 2, 3, 4});

/// main(a, b) = (a - b), or leaky of it
ir::module module_of(bool with_leaky) {
  ir::module m;
  const type_id t = m.intern(ir::type::tensor(dtype::f32, {4}));
  const type_id types[] = {t, t};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  m[f].argument_names = {"a", "b"}, m[f].result_names = {"y"};
  ir::builder<> b(m, m[f].body);
  const auto a = m[m[f].body].arguments;
  value_id r = b.make(op::sub{}, {a[0], a[1]});
  if (with_leaky) r = b.make(mine::leaky{}, {r});
  b.make_op(op::return_{}, {&r, 1}, {});
  m[f].result_types = {t};
  return m;
}
template <mine::lie Lie>
std::string broken() {
  try {
    laws::check_pass<mine::tidy<Lie>>(module_of(false), {.inputs = {x, y}});
  } catch (const error& e) { return e.code() + ": " + e.message(); }
  return "";
}
}  // namespace

TEST_CASE("a user's pass is held to what it says") {
  using mine::lie;
  CHECK(broken<lie::none>() == "");
  CHECK(broken<lie::gives>() == "law.gives: pass 'tidy' says that it gives 'has_note', and it does not hold");
  CHECK(broken<lie::emits>() == "law.emits: pass 'tidy' leaves 'abs', which was not there and is not in its 'emits'");
  CHECK(broken<lie::eliminates>() == "law.eliminates: pass 'tidy' says that it eliminates 'sub', and leaves one");
  CHECK(broken<lie::functions>() ==
        "law.functions: pass 'tidy' changes what function 'main' takes, returns or says of itself, and does not say "
        "'changes_functions'");
  CHECK(broken<lie::meaning>().starts_with("law.meaning: after 'tidy' result 0 means something else: "));
  CHECK(broken<lie::chance>() == "law.deterministic: pass 'tidy' does not make the same of the same module twice");
  ir::module noted = module_of(false);
  noted.metadata["note"] = "here";
  CHECK_THROWS_WITH(laws::check_pass<mine::forget>(noted),
                    doctest::Contains("pass 'forget' says that it keeps 'has_note', and it does not hold any more"));
}

TEST_CASE(
    "a user's pass is held to the effects that it does not name; built-in ones delete no effect that only 'effects' "
    "says") {
  static_assert(ir::info_of<mine::report>.traits.effects == effect_bits::io);
  ir::module m = module_of(false);
  const function_id main = m.find_function("main");
  ir::builder<> b(m, m[main].body);
  b.before(m.terminator(m[main].body));
  b.make_op(mine::report{}, std::vector{m[m[main].body].arguments[0]}, {});
  CHECK_THROWS_WITH(laws::check_pass<mine::sweep>(m),
                    doctest::Contains("pass 'sweep' deletes, merges or moves 'report', whose effects are not in"));
  using added = ops<mine::report>;
  const auto evaluations = eval_table_of<added>();
  mine::reported = 0;
  const auto kept =
      laws::check_pass<passes::eliminate_dead, facts<>, added>(m, {.inputs = {x, y}, .evaluations = evaluations});
  CHECK(mine::reported == 2);
  int reports = 0;
  ir::for_each_op(*kept, [&](op_id op) { reports += kept->view(op).is<mine::report>(); });
  CHECK(reports == 1);
}

TEST_CASE("a user's op is held to its evaluation") {
  CHECK_NOTHROW(laws::check_op(mine::leaky{.slope = 0.5}, {x}));
  CHECK_THROWS_WITH(laws::check_op(mine::two_faced{}, {x}),
                    doctest::Contains("after 'two_faced' result 0 means something else"));
  CHECK_THROWS_WITH(laws::check_op(mine::mistyped{}, {x}),
                    doctest::Contains("mistyped: result 0 is f32[4], which its type does not allow"));
  CHECK_THROWS_WITH(laws::check_op(mine::overwriting{}, {x}),
                    doctest::Contains("it writes operand 0, which is no buffer but tensor<4xf32>"));
}

TEST_CASE("a user's target, with an op, a pass and an edit of its own: every pass of it, and the code") {
  const ir::module m = module_of(true);
  CHECK_NOTHROW(laws::check_target<my_cpu>(m, {.inputs = {x, y}, .evaluations = eval_table_of<ops<mine::leaky>>()}));
}
