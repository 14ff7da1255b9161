// needs: llvm
// Products and transposed convolutions as native code, in many shapes, on one thread and two, against the interpreter.
#include <doctest/doctest.h>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/ops/graph/contraction.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/interpreter.hpp>

#include "support/lowered.hpp"

using namespace tenon;
using testing::random_tensor;

namespace {

/// An entry with one op, whose operands in `fixed` are constants. Extents of the others that are in `symbols` are
/// symbols. Elements are small integers: sums are exact in every order.
template <class Op>
std::string difference(const Op& op, const std::vector<std::vector<tensor>>& sets, const std::vector<bool>& fixed,
                       const std::vector<std::pair<i64, const char*>>& symbols = {}) {
  ir_module<phases::ingestion> module;
  ir::module& m = module.body();
  const auto constant = [&](size_t i) { return i < fixed.size() && fixed[i]; };
  std::vector<type_id> types;
  for (size_t i = 0; i < sets[0].size(); ++i) {
    if (constant(i)) continue;
    std::vector<ir::dim> shape;
    for (i64 e : sets[0][i].shape()) {
      shape.emplace_back(e);
      for (const auto& [extent, name] : symbols)
        if (extent == e) shape.back() = ir::dim::symbol(m.symbol(name));
    }
    types.push_back(m.intern(ir::type::tensor(sets[0][i].type(), shape)));
  }
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<phases::ingestion::op_list> b(m, m[f].body);
  std::vector<value_id> operands;
  for (size_t i = 0, next = 0; i < sets[0].size(); ++i)
    operands.push_back(constant(i) ? b.make(op::constant{m.add_constant(sets[0][i])}, {})
                                   : m[m[f].body].arguments[next++]);
  const value_id y = m.result(b.make_op(op, operands));
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};
  for (int threads : {1, 2}) {
    targets::cpu target;
    target.threads = threads;
    context cx;
    target.configure(cx);
    const program p = load(build<targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx));
    for (const std::vector<tensor>& set : sets) {
      std::vector<tensor> inputs;
      for (size_t i = 0; i < set.size(); ++i)
        if (!constant(i)) inputs.push_back(set[i]);
      const tensor want = interpret(m, "main", inputs)[0], got = p.run(inputs, threads)[0];
      if (const double d = testing::distance(got, want); d != 0)
        return "off by " + std::to_string(d) + " with " + std::to_string(threads) + " threads, " + got.describe();
    }
  }
  return {};
}

tensor some(std::vector<i64> shape, unsigned seed, dtype t = dtype::f32) {
  return random_tensor(t, std::move(shape), seed);
}

}  // namespace

TEST_CASE("transposed convolutions: strides, pads, dilations, groups, one to three dimensions") {
  struct example {
    op::conv_transpose t;
    std::vector<i64> x, w;
    dtype type = dtype::f32;
  };
  const std::vector<example> examples{
      {{}, {2, 5, 7, 6}, {5, 4, 3, 2}},
      {{.strides = {2, 2}, .pads = {1, 1, 1, 1}}, {1, 37, 9, 11}, {37, 70, 4, 4}},
      {{.strides = {2, 2}, .pads = {1, 1, 1, 1}, .output_padding = {1, 1}}, {1, 16, 33, 17}, {16, 33, 3, 3}},
      {{.strides = {2, 2}}, {1, 24, 40, 40}, {24, 24, 2, 2}},
      {{.strides = {2, 2}}, {2, 24, 40, 31}, {24, 1, 2, 2}},
      {{.strides = {2, 4}}, {2, 5, 13, 7}, {5, 3, 2, 4}},
      {{.strides = {3, 2}}, {1, 256, 5, 7}, {256, 16, 2, 1}},  // outputs that no input reaches
      {{.strides = {2, 2}, .pads = {1, 1, 1, 1}, .group = 20}, {1, 20, 9, 8}, {20, 1, 4, 4}},
      {{.strides = {2, 1}, .pads = {0, 1, 2, 0}, .group = 3}, {2, 12, 9, 8}, {12, 17, 3, 4}},
      {{.strides = {2, 3}, .dilations = {3, 2}, .pads = {1, 0, 0, 1}, .output_padding = {1, 2}},
       {1, 6, 8, 5},
       {6, 18, 3, 3}},
      {{.strides = {4, 2}, .dilations = {2, 4}}, {1, 6, 8, 5}, {6, 18, 3, 3}},
      {{.strides = {8}, .pads = {4, 4}}, {1, 32, 50}, {32, 20, 16}},
      {{.strides = {5}, .pads = {-3, 2}}, {3, 3, 8}, {3, 2, 7}},
      {{.strides = {2, 2, 2}}, {1, 8, 5, 6, 7}, {8, 16, 2, 2, 2}},
      {{.strides = {1, 2, 3}, .pads = {1, 0, 1, 0, 1, 1}}, {1, 8, 5, 6, 7}, {8, 9, 3, 2, 4}},
      {{.strides = {2, 2}, .pads = {1, 1, 1, 1}}, {1, 6, 5, 5}, {6, 20, 4, 4}, dtype::f64},
      {{.strides = {2, 2}, .pads = {1, 1, 1, 1}}, {1, 6, 5, 5}, {6, 20, 4, 4}, dtype::f16},
      {{.strides = {2, 2}}, {1, 6, 5, 5}, {6, 3, 2, 2}, dtype::i32},
  };
  for (const example& e : examples) {
    CAPTURE(shape_text(e.x));
    CAPTURE(shape_text(e.w));
    const std::vector<tensor> operands{some(e.x, 1, e.type), some(e.w, 2, e.type),
                                       some({e.w[1] * e.t.group}, 3, e.type)};
    CHECK(difference(e.t, {operands}, {false, true, true}) == "");
    CHECK(difference(e.t, {operands}, {}) == "");
  }
}

TEST_CASE("transposed convolutions of symbolic extents") {
  struct example {
    op::conv_transpose t;
    std::vector<i64> w;
  };
  for (const example& e :
       {example{{.strides = {2, 2}, .pads = {1, 1, 1, 1}}, {6, 20, 4, 4}},
        {{.strides = {2, 2}}, {6, 20, 2, 2}},
        {{.strides = {2, 2}}, {6, 1, 2, 2}},
        {{.strides = {3, 2}, .pads = {1, 1, 0, 1}, .output_padding = {1, 0}, .group = 2}, {6, 20, 3, 3}},
        {{.strides = {2, 2}, .pads = {1, 1, 1, 1}, .group = 6}, {6, 1, 4, 4}}})
    for (bool constant : {true, false}) {
      CAPTURE(shape_text(e.w));
      CAPTURE(constant);
      const tensor w = some(e.w, 2), bias = some({e.w[1] * e.t.group}, 3);
      const auto set = [&](i64 n, i64 h, i64 v) { return std::vector<tensor>{some({n, 6, h, v}, 1), w, bias}; };
      CHECK(difference(e.t, {set(11, 13, 17), set(1, 1, 1), set(2, 40, 3), set(3, 2, 33)}, {false, constant, constant},
                       {{11, "n"}, {13, "h"}, {17, "v"}}) == "");
    }
}

TEST_CASE("products of data by data, whose right operand is large enough to be packed") {
  struct example {
    std::vector<i64> a, b;
    dtype type = dtype::f32;
  };
  for (const example& e : {example{{128, 1024}, {1024, 1030}},
                           {{127, 1024}, {1024, 1030}},
                           {{133, 31}, {31, 34001}},
                           {{2, 128, 1025}, {1025, 1033}},
                           {{2, 1, 129, 1025}, {2, 1025, 1033}},
                           {{128, 1030}, {2, 1030, 1025}},
                           {{128, 800}, {800, 675}, dtype::f64}}) {
    CAPTURE(shape_text(e.a));
    CAPTURE(shape_text(e.b));
    CHECK(difference(op::matmul{}, {{some(e.a, 1, e.type), some(e.b, 2, e.type)}}, {}) == "");
  }
}
