// iree PR #21355, #19270: 1x1 convolutions became matrix products before the layout was channels-last: right, and slow.
// A fact may be about speed alone; what needs it says so all the same.
#include "scenario.hpp"

#ifdef TENON_RUN
#  include <tenon/ops/graph/contraction.hpp>
#endif

namespace iree_21355 {

/// Convolutions read their channels from adjacent places.
struct channels_last {
  static constexpr tn::fixed_string name = "channels_last";
  static bool check(const tn::ir::module& m);
};
struct convert_convolutions {
  static constexpr tn::fixed_string name = "convert_convolutions";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using gives = tn::facts<channels_last>;
  using keeps = tn::all_facts;
  using emits = tn::ops<tn::op::conv, tn::op::transpose>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
/// A 1x1 convolution whose channels are adjacent is a matrix product, and the reshapes around it cost nothing.
struct convolutions_to_matmul {
  static constexpr tn::fixed_string name = "convolutions_to_matmul";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<channels_last>;
  using keeps = tn::all_facts;
  using emits = tn::ops<tn::op::matmul, tn::op::reshape>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

constexpr tn::verdict wrong = tn::verdict_of<convolutions_to_matmul, convert_convolutions>;
static_assert(wrong.code == 2 && wrong.pass_name == convolutions_to_matmul::name &&
              wrong.subject == channels_last::name);
static_assert(tn::is_valid<tn::pass_list<convert_convolutions, convolutions_to_matmul>>);

#ifdef TENON_TWIN
using order = tn::pipeline<convert_convolutions, convolutions_to_matmul>;
#else
// CHECK: tenon-E002: pass 'convolutions_to_matmul' (1st) needs 'channels_last', which no pass before it gives: move 'convert_convolutions' before 'convolutions_to_matmul', or move 'convolutions_to_matmul' after 'convert_convolutions'
using order = tn::pipeline<convolutions_to_matmul, convert_convolutions>;
#endif

#ifdef TENON_RUN
bool channels_last::check(const tn::ir::module& m) {
  bool last = true;
  ir::for_each_op(m, [&](op_id o) {
    if (const auto* c = m.view(o).get_if<op::conv>()) last = last && c->layout == op::data_layout::channels_last;
  });
  return last;
}
void convert_convolutions::run(tn::ir_module<runs_in>& module, tn::context&) const {
  ir::module& m = module.body();
  for_each<op::conv>(m, [&](ir::op_view v) {
    op::conv last = v.as<op::conv>();
    if (last.layout == op::data_layout::channels_last) return;
    last.layout = op::data_layout::channels_last;
    auto b = before<emits>(m, v.id());
    const value_id x = b.make(op::transpose{{0, 2, 3, 1}}, {v.operand(0)}),
                   w = b.make(op::transpose{{2, 3, 1, 0}}, {v.operand(1)});
    replace_op(m, v.id(), b.make(op::transpose{{0, 3, 1, 2}}, {b.make(last, {x, w})}));
  });
}
void convolutions_to_matmul::run(tn::ir_module<runs_in>& module, tn::context&) const {
  ir::module& m = module.body();
  for_each<op::conv>(m, [&](ir::op_view v) {
    const std::vector<i64> x = v.operand_type(0).extents(), w = v.operand_type(1).extents();
    if (w[0] != 1 || w[1] != 1) return;
    auto b = before<emits>(m, v.id());
    const value_id rows = b.make(op::reshape{{x[0] * x[1] * x[2], x[3]}}, {v.operand(0)});
    const value_id y = b.make(op::matmul{}, {rows, b.make(op::reshape{{w[2], w[3]}}, {v.operand(1)})});
    replace_op(m, v.id(), b.make(op::reshape{{x[0], x[1], x[2], w[3]}}, {y}));
  });
}

TEST_CASE("iree PR #21355") {
  auto m = make_module<phases::optimization>({ir::type::tensor(dtype::f32, {1, 2, 1, 2})}, [](auto& b, const auto& x) {
    return std::vector{b.make(op::conv{}, {x[0], constant(b, tensor::from<float>({1, 2, 1, 1}, {1, 10}))})};
  });
  const tensor x = tensor::from<float>({1, 2, 1, 2}, {1, 2, 3, 4});
  CHECK(values(m, {x}) == numbers{31, 42});
  const auto done = through<order, phases::optimization>(std::move(m));
  CHECK(count<op::conv>(done.body()) == 0);
  CHECK(count<op::matmul>(done.body()) == 1);
  CHECK(values(done, {x}) == numbers{31, 42});
}
#endif
}  // namespace iree_21355
