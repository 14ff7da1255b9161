// Transposed convolutions and products of two operands that are data, in f32 on one thread: least time of some runs,
// and what it is in GFLOP/s.
//   ctest --test-dir build/gcc -L bench -R kernels.products -V
#include <cstdio>
#include <string>
#include <vector>

#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

#include "least.hpp"

using namespace tenon;

namespace {

tensor numbers(const std::vector<i64>& shape) {
  tensor t(dtype::f32, shape);
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i * 7919 % 255 - 127) / 128);
  return t;
}

/// Milliseconds of one op, whose second operand is a constant or data.
template <class Op>
double measure(const Op& op, const std::vector<i64>& a, const std::vector<i64>& b, bool constant) {
  ir_module<phases::ingestion> graph;
  ir::module& m = graph.body();
  std::vector<type_id> types;
  for (const auto* shape : {&a, &b})
    types.push_back(m.intern(ir::type::tensor(dtype::f32, {shape->begin(), shape->end()})));
  if (constant) types.pop_back();
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<phases::ingestion::op_list> to(m, m[f].body);
  const value_id x = m[m[f].body].arguments[0];
  const value_id w = constant ? to.make(op::constant{m.add_constant(numbers(b))}, {}) : m[m[f].body].arguments[1];
  const value_id y = to.make(op, {x, w});
  to.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};
  const program p = load(build<targets::cpu>(std::move(graph)));
  std::vector<tensor> inputs{numbers(a)};
  if (!constant) inputs.push_back(numbers(b));
  return least_us(p, inputs) / 1e3;
}

void transposed(const op::conv_transpose& t, const std::vector<i64>& x, const std::vector<i64>& w) {
  const double ms = measure(t, x, w, true), products = static_cast<double>(element_count(x) * element_count(w) / w[0]);
  std::printf("conv_transpose %-16s by %-16s %8.2f ms %7.1f GFLOP/s\n", shape_text(x).c_str(), shape_text(w).c_str(),
              ms, 2 * products / ms / 1e6);
}

void product(const std::vector<i64>& a, const std::vector<i64>& b) {
  const double data = measure(op::matmul{}, a, b, false), constant = measure(op::matmul{}, a, b, true);
  const double operations = 2e-6 * static_cast<double>(element_count(a) * b.back());
  std::printf("matmul %-14s by %-14s data %8.2f ms %7.1f GFLOP/s, constant %8.2f ms %7.1f GFLOP/s\n",
              shape_text(a).c_str(), shape_text(b).c_str(), data, operations / data, constant, operations / constant);
}

}  // namespace

int main() {
  const std::vector<i64> two{2, 2}, one{1, 1, 1, 1};
  transposed({.strides = two, .pads = one}, {1, 256, 32, 32}, {256, 256, 4, 4});
  transposed({.strides = two}, {1, 64, 64, 64}, {64, 32, 2, 2});
  transposed({.strides = two, .pads = one, .output_padding = {1, 1}}, {1, 128, 32, 32}, {128, 64, 3, 3});
  transposed({.strides = two}, {1, 24, 320, 320}, {24, 1, 2, 2});
  transposed({.strides = two, .pads = one, .group = 64}, {1, 64, 64, 64}, {64, 1, 4, 4});
  transposed({.strides = {8}, .pads = {4, 4}}, {1, 128, 400}, {128, 64, 16});
  for (i64 n : {256, 512, 1000, 1024, 2048}) product({n, n}, {n, n});
  product({64, 4096}, {4096, 4096});
  product({256, 2048}, {2048, 2048});
  product({512, 768}, {768, 3072});
  for (i64 n : {768, 3072}) product({128, 768}, {768, n});
  product({128, 3072}, {3072, 768});
  for (i64 n : {384, 1536}) product({1500, 384}, {384, n});
  product({1500, 1536}, {1536, 384});
}
