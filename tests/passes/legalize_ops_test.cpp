/// @file legalize_ops_test: which ops share a kernel, and that they mean the same then.
#include <doctest/doctest.h>

#include <tenon/compile/context.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/host_side.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/lowering_table.hpp>
#include <tenon/passes/require_known_extents.hpp>

#include "support/lowered.hpp"

namespace mine {
using namespace tenon;

/// Ops of a user's: all elements in one row, which costs nothing; and the number of dimensions, which types say.
struct flat {
  static constexpr fixed_string name = "mine.flat";
  static constexpr op_traits traits{.view = true, .min_operands = 1, .max_operands = 1};
};
void infer(const flat&, ir::infer_context& cx) {
  cx.result(ir::type::tensor(cx.operand(0).elem, {cx.operand(0).count()}));
}
void evaluate(const flat&, eval_context& cx) { cx.result(cx.operand(0).reshaped({cx.operand(0).size()})); }

struct rank {
  static constexpr fixed_string name = "mine.rank";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
};
void infer(const rank&, ir::infer_context& cx) { cx.result(ir::type::tensor(dtype::i64, {})); }
bool value_from_type(const rank&, const ir::type& x, tensor& to) {
  to = tensor(dtype::i64, {});
  to.set_i64(0, x.rank());
  return true;
}
value_id element(const rank&, element_context&, const index_list&) { throw error("test", "nobody asks for its loops"); }
}  // namespace mine

namespace {
using namespace tenon;
using testing::random_tensor;

struct layer {
  std::vector<i64> weights;
  std::vector<i64> bias;
  std::string target{};
};

/// How many kernels a chain of convolutions with constant weights has, after checking that its meaning stayed.
size_t kernels_of(const std::vector<layer>& layers, std::vector<i64> image = {1, 6, 6, 80}) {
  auto module = ir_module<phases::optimization>::adopt({});
  ir::module& m = module.body();
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {image.begin(), image.end()}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<> b(m, m[f].body);
  value_id x = m[m[f].body].arguments[0];
  unsigned seed = 0;
  const auto constant = [&](const std::vector<i64>& shape) {
    return b.make(op::constant{m.add_constant(random_tensor(dtype::f32, shape, ++seed))}, {});
  };
  for (const layer& l : layers) {
    const value_id w = constant(l.weights), bias = constant(l.bias);
    b.set_location(m.location("layer " + std::to_string(seed), l.target));
    x = b.make(op::conv{.layout = op::data_layout::channels_last}, {x, w, bias});
  }
  b.make_op(op::return_{}, std::vector<value_id>{x}, {});
  m[f].result_types = {m[x].type};
  const std::vector<tensor> inputs{random_tensor(dtype::f32, image, 99)};
  const tensor want = interpret(m, "main", inputs)[0];
  context cx;
  passes::legalize_ops{}.run(module, cx);
  CHECK(testing::distance(interpret(m, "main", inputs)[0], want) == 0);
  size_t kernels = 0;
  for (function_id k : m.functions()) kernels += m[k].kind == ir::function_kind::kernel;
  return kernels;
}
const layer wide{{1, 1, 80, 80},
                 {80}};  // the bias has 320 bytes: constants of few bytes are compared by their elements
}  // namespace

TEST_CASE("convolutions by different weights share a kernel") {
  CHECK(kernels_of({wide, wide, wide}) == 1);
  CHECK(kernels_of({wide, {{1, 1, 80, 72}, {72}}}) == 2);
}

TEST_CASE("kernels that do not run on the same target, or read different numbers, are two") {
  layer apart = wide;
  apart.target = "cpu:precision=strict";
  CHECK(kernels_of({wide, apart}) == 2);
  CHECK(kernels_of({apart, wide, apart}) == 2);
  const layer one{{1, 1, 1, 1}, {1}};  // its weight and bias are literals of the loops
  CHECK(kernels_of({one, one}, {1, 6, 6, 1}) == 2);
}

namespace {
/// y = op(x) of x: f32[2,3].
template <class Op>
ir_module<phases::optimization> of_image(const Op& op) {
  auto module = ir_module<phases::optimization>::adopt({});
  ir::module& m = module.body();
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {2, 3}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<> b(m, m[f].body);
  const value_id y = b.make(op, {m[m[f].body].arguments[0]});
  b.make_op(op::return_{}, std::vector<value_id>{y}, {});
  m[f].result_types = {m[y].type};
  return module;
}
}  // namespace

TEST_CASE("an op of a user's that says that it is a view has no kernel, and needs none") {
  register_evaluations(eval_table_of<ops<mine::flat>>());
  auto module = of_image(mine::flat{});
  ir::module& m = module.body();
  const std::vector<tensor> inputs{random_tensor(dtype::f32, {2, 3}, 5)};
  const tensor want = interpret(m, "main", inputs)[0];
  context cx;
  passes::host_side sides(m);
  ir::for_each_op(m, [&](op_id op) {
    if (m.view(op).is<mine::flat>()) CHECK(sides.is_native(op));
  });
  CHECK(!passes::legalize_ops::obstacle(m, cx));
  passes::legalize_ops{}.run(module, cx);
  size_t views = 0;
  ir::for_each_op(m, [&](op_id op) { views += m.view(op).is<op::view>(); });
  CHECK(views == 1);
  CHECK(m.functions().size() == 1);
  const tensor got = interpret(m, "main", inputs)[0];
  CHECK(got.shape() == std::vector<i64>{6});
  CHECK(testing::distance(got, want) == 0);
}

TEST_CASE("an op of a user's whose value its operand's type says is not asked for loops") {
  const auto module = of_image(mine::rank{});
  context cx;
  cx.set(more_lowerings{{tenon::detail::lowering_of<mine::rank>()}});
  CHECK(!passes::legalize_ops::obstacle(module.body(), cx));
}
