/// @file legalize_ops_test: which ops share a kernel, and that they mean the same then.
#include <doctest/doctest.h>

#include <tenon/compile/context.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_known_extents.hpp>

#include "support/lowered.hpp"

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
