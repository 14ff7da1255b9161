// iree PR #23388: a comment said "must run after CF", and the pipeline ran the pass before it: a bug in convolutions
// that was found by bisection. Here the comment is `needs`.
#include "scenario.hpp"

#ifdef TENON_RUN
#  include <tenon/ops/graph/contraction.hpp>
#endif

namespace iree_23388 {

/// Filters are constants in the layout in which they are read: nothing transposes them at run time.
struct filters_converted {
  static constexpr tn::fixed_string name = "filters_converted";
  static bool check(const tn::ir::module& m);
};
/// "CF"
struct convert_filters {
  static constexpr tn::fixed_string name = "convert_filters";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using gives = tn::facts<filters_converted>;
  using keeps = tn::all_facts;
  using emits = tn::ops<tn::op::constant>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
/// Rounds the depth of contractions up to even numbers, with zeros.
struct pad_contractions {
  static constexpr tn::fixed_string name = "pad_contractions";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<filters_converted>;
  using keeps = tn::all_facts;
  using emits = tn::ops<tn::op::constant, tn::op::concat>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

constexpr tn::verdict wrong = tn::verdict_of<pad_contractions, convert_filters>;
static_assert(wrong.code == 2 && wrong.pass_name == pad_contractions::name && wrong.subject == filters_converted::name);
static_assert(tn::is_valid<tn::pass_list<convert_filters, pad_contractions>>);

#ifdef TENON_TWIN
using order = tn::pipeline<convert_filters, pad_contractions>;
#else
// CHECK: tenon-E002: pass 'pad_contractions' (1st) needs 'filters_converted', which no pass before it gives: move 'convert_filters' before 'pad_contractions', or move 'pad_contractions' after 'convert_filters'
using order = tn::pipeline<pad_contractions, convert_filters>;
#endif

#ifdef TENON_RUN
bool filters_converted::check(const tn::ir::module& m) {
  bool converted = true;
  ir::for_each_op(m, [&](op_id o) {
    if (m.view(o).is<op::transpose>()) converted = converted && m.constant_value(m.operand(o, 0)) == nullptr;
  });
  return converted;
}
void convert_filters::run(tn::ir_module<runs_in>& module, tn::context&) const {
  ir::module& m = module.body();
  for_each<op::transpose>(m, [&](ir::op_view v) {
    const tensor* filter = m.constant_value(v.operand(0));
    if (filter == nullptr) return;
    const tensor* operands[] = {filter};
    tensor turned = evaluate_op(m, v.id(), operands).at(0);
    auto b = before<emits>(m, v.id());
    replace_op(m, v.id(), constant(b, std::move(turned)));
  });
}
void pad_contractions::run(tn::ir_module<runs_in>& module, tn::context&) const {
  ir::module& m = module.body();
  for_each<op::matmul>(m, [&](ir::op_view v) {
    const i64 depth = v.operand_type(1).shape[0].extent(), columns = v.operand_type(1).shape[1].extent();
    if (depth % 2 == 0 || m.constant_value(v.operand(1)) == nullptr) return;
    auto b = before<emits>(m, v.id());
    const value_id row = constant(b, tensor(dtype::f32, {1, columns}));
    const value_id column = constant(b, tensor(dtype::f32, {v.operand_type(0).shape[0].extent(), 1}));
    const value_id x = b.make(op::concat{1}, {v.operand(0), column}), w = b.make(op::concat{0}, {v.operand(1), row});
    m.set_operand(v.id(), 0, x), m.set_operand(v.id(), 1, w);
  });
}

TEST_CASE("iree PR #23388") {
  auto m = make_module<phases::optimization>({ir::type::tensor(dtype::f32, {1, 3})}, [](auto& b, const auto& x) {
    const value_id filter = constant(b, tensor::from<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
    return std::vector{b.make(op::matmul{}, {x[0], b.make(op::transpose{{1, 0}}, {filter})})};
  });
  const tensor x = tensor::from<float>({1, 3}, {1, 10, 100});
  CHECK(values(m, {x}) == numbers{321, 654});
  const auto done = through<order, phases::optimization>(std::move(m));
  CHECK(count<op::transpose>(done.body()) == 0);
  CHECK(count<op::concat>(done.body()) == 2);
  CHECK(values(done, {x}) == numbers{321, 654});
}
#endif
}  // namespace iree_23388
