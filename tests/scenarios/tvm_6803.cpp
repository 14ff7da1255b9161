// apache/tvm #6803, #9542: dead-code elimination removed RefWrite, whose result nobody uses, and the gradients were
// lost.
#include "scenario.hpp"

#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/infer_shapes.hpp>

namespace tvm_6803 {

/// The effect on what a reference points to.
struct mutates_reference {
  static constexpr tn::fixed_string name = "mutates_reference";
};
#ifdef TENON_RUN
/// Stores a tensor behind a reference.
struct ref_write {
  static constexpr tn::fixed_string name = "test.ref_write";
  using effects = tn::effects<mutates_reference>;
  static constexpr op_traits traits{.effects = effect_bits::writes, .min_operands = 1, .max_operands = 1, .results = 0};
};
inline std::vector<tensor> written;
void evaluate(const ref_write&, eval_context& cx) { written.push_back(cx.operand(0)); }
#else
struct ref_write {
  using effects = tn::effects<mutates_reference>;
};
#endif
}  // namespace tvm_6803

#ifdef TENON_TWIN
/// The answer for a pass of the library, in a user's file: it leaves ops with effects alone.
template <>
inline constexpr bool tenon::treats<tenon::passes::eliminate_dead, tvm_6803::mutates_reference> = true;
#endif

namespace tvm_6803 {
using tn::passes::eliminate_dead, tn::passes::infer_shapes;

/// How often the loss is differentiated.
struct count_gradients {
  static constexpr tn::fixed_string name = "count_gradients";
  using runs_in = tn::extend<tn::phases::optimization, ref_write>;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

using common = tn::pipeline<infer_shapes, eliminate_dead>;
constexpr tn::verdict asked = tn::judged<tn::ops<ref_write>, infer_shapes, eliminate_dead>::value;
#ifdef TENON_TWIN
static_assert(asked.ok());
#else
static_assert(asked.code == 16 && asked.pass_name == eliminate_dead::name && asked.total == 1);
#endif

// CHECK: tenon-E016: pass 'eliminate_dead' (2nd) deletes, merges or moves ops, and does not say how it treats the effect 'mutates_reference' of an op that this pipeline adds: specialize tenon::treats<eliminate_dead, effect>
using order = common::with_ops<ref_write>;

#ifdef TENON_RUN
void count_gradients::run(tn::ir_module<runs_in>& m, tn::context&) const {
  m.body().metadata["gradients"] = std::to_string(count<ref_write>(m.body()));
}

TEST_CASE("tvm #6803") {
  auto m = make_module<tn::extend<phases::optimization, ref_write>>({vector_of(2)}, [](auto& b, const auto& x) {
    const value_id gradient = b.make(op::add{}, {x[0], x[0]});
    b.make(op::mul{}, {gradient, gradient});  // dead
    b.make_op(ref_write{}, std::vector{gradient}, {});
    return std::vector{b.make(op::mul{}, {x[0], x[0]})};
  });
  const auto done = through<order::edit<append<count_gradients>>, phases::optimization>(std::move(m));
  CHECK(done.body().metadata.at("gradients") == "1");
  CHECK(count<op::mul>(done.body()) == 1);
  written.clear();
  CHECK(values(done, {floats({3, 4})}, eval_table_of<tn::ops<ref_write>>()) == numbers{9, 16});
  REQUIRE(written.size() == 1);
  CHECK(written[0].at_f64(1) == 8);
}
#endif
}  // namespace tvm_6803
