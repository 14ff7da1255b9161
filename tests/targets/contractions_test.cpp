// needs: llvm
// Products and convolutions as native code, in many shapes, on one thread and two, against the interpreter.
#include <doctest/doctest.h>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ops/graph/block_product.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/graph/pool.hpp>
#include <tenon/runtime/processor.hpp>
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
                       const std::vector<std::pair<i64, const char*>>& symbols = {}, const char* arch = "") {
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
    target.threads = threads, target.arch = arch;
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

/// A convolution with a bias.
struct convolution {
  op::conv c;
  std::vector<i64> x, w;
  dtype type = dtype::f32;
  std::vector<tensor> operands() const { return {some(x, 1, type), some(w, 2, type), some({w[0]}, 3, type)}; }
};
/// By weights that are constant, and by those that are data.
void check(const convolution& e) {
  CAPTURE(shape_text(e.x));
  CAPTURE(shape_text(e.w));
  CHECK(difference(e.c, {e.operands()}, {false, true, true}) == "");
  CHECK(difference(e.c, {e.operands()}, {}) == "");
}

}  // namespace

TEST_CASE("depthwise convolutions: blocks of places at the borders and between them, rows in and out of the image") {
  struct example {
    op::conv c;
    std::vector<i64> x, taps;
    dtype type = dtype::f32;
  };
  const std::vector<example> examples{
      {{.pads = {1, 1, 1, 1}}, {1, 33, 9, 40}, {3, 3}},
      {{.strides = {2, 2}, .pads = {1, 1, 1, 1}}, {2, 20, 17, 31}, {3, 3}},
      {{.strides = {2, 2}, .pads = {0, 0, 1, 1}}, {1, 24, 16, 64}, {3, 3}},
      {{.pads = {2, 2, 2, 2}}, {1, 48, 20, 20}, {5, 5}},
      {{.strides = {2, 2}, .pads = {2, 1, 1, 2}}, {1, 16, 13, 14}, {5, 5}},
      {{.pads = {3, 3, 3, 3}}, {1, 5, 7, 7}, {7, 7}},
      {{.pads = {1, 1, 1, 1}}, {1, 96, 32, 112}, {3, 3}},  // rows that do not fit into the first-level cache
      {{.pads = {1, 1, 1, 1}}, {1, 112, 37, 113}, {3, 3}},
      {{.dilations = {2, 3}, .pads = {2, 3, 2, 3}}, {1, 17, 9, 26}, {3, 3}},
      {{.dilations = {1, 16}, .pads = {0, 16, 0, 16}}, {1, 17, 3, 41}, {1, 3}},  // many blocks at the borders
      {{.strides = {3, 4}, .pads = {1, 0, 2, 3}}, {1, 17, 9, 26}, {4, 2}},
      {{.pads = {-1, -2, 0, 1}}, {1, 17, 9, 26}, {2, 3}},
      {{.pads = {5, 6, 5, 6}}, {1, 17, 2, 3}, {3, 3}},  // windows that read nothing but padding
      {{.strides = {2}, .pads = {4, 3}}, {2, 40, 50}, {9}},
      {{.pads = {1, 0, 1, 1, 2, 1}}, {1, 19, 4, 5, 21}, {3, 3, 3}},
      {{}, {1, 40, 30, 30}, {3, 3}},
      {{.pads = {1, 1, 1, 1}}, {1, 20, 9, 11}, {3, 3}, dtype::f64},
      {{.pads = {1, 1, 1, 1}}, {1, 20, 9, 11}, {3, 3}, dtype::f16},
      {{.pads = {1, 1, 1, 1}}, {1, 20, 9, 11}, {3, 3}, dtype::i32},
  };
  for (example e : examples) {
    const i64 channels = e.c.group = e.x[1];
    CAPTURE(shape_text(e.x));
    std::vector<i64> w{channels, 1};
    w.insert(w.end(), e.taps.begin(), e.taps.end());
    const std::vector<tensor> operands{some(e.x, 1, e.type), some(w, 2, e.type), some({channels}, 3, e.type)};
    CHECK(difference(e.c, {operands}, {false, true, true}) == "");
    CHECK(difference(e.c, {operands}, {}) == "");
  }
}

TEST_CASE("convolutions of a few channels in each group: the lanes of a vector hold those of several groups") {
  const std::vector<i64> one{1, 1, 1, 1};
  const std::vector<convolution> examples{
      {{.pads = one, .group = 16}, {1, 64, 9, 20}, {64, 4, 3, 3}},
      {{.strides = {2, 2}, .pads = one, .group = 13}, {2, 104, 13, 14}, {104, 8, 3, 3}},  // half a vector is left over
      {{.pads = one, .group = 3}, {1, 48, 7, 7}, {48, 16, 3, 3}},                         // a group fills a vector
      {{.pads = one, .group = 5}, {1, 10, 6, 11}, {10, 2, 3, 3}},                         // fewer than a vector
      {{.dilations = {2, 3}, .pads = {2, 3, 2, 3}, .group = 9}, {1, 36, 9, 26}, {36, 4, 3, 3}},
      {{.group = 8}, {1, 16, 5, 12}, {32, 2, 1, 1}},                       // more outputs than inputs
      {{.pads = {2, 2, 2, 2}, .group = 9}, {1, 36, 8, 9}, {18, 4, 5, 5}},  // fewer: its lanes read too far apart
      {{.pads = {1, 1, 1, 1}, .group = 2}, {1, 10, 8, 9}, {12, 5, 2, 3}},  // 6 outputs divide no vector
      {{.strides = {2}, .pads = {4, 3}, .group = 12}, {2, 48, 50}, {48, 4, 9}},
      {{.pads = {1, 0, 1, 1, 2, 1}, .group = 4}, {1, 16, 4, 5, 21}, {16, 4, 3, 3, 3}},
      {{.pads = one, .group = 5}, {1, 20, 9, 11}, {20, 4, 3, 3}, dtype::f64},
      {{.pads = one, .group = 5}, {1, 20, 9, 11}, {20, 4, 3, 3}, dtype::f16},
      {{.pads = one, .group = 5}, {1, 20, 9, 11}, {20, 4, 3, 3}, dtype::i32},
  };
  for (const convolution& e : examples) {
    check(e);
    CAPTURE(shape_text(e.x));
    CAPTURE(shape_text(e.w));
    CHECK(difference(e.c, {e.operands()}, {false, true, true}, {}, "x86-64-v3") == "");
    CHECK(difference(e.c, {e.operands()}, {false, true, true}, {}, "x86-64") == "");
    if (e.x[0] == 2) CHECK(difference(e.c, {e.operands()}, {false, true, true}, {{2, "N"}}) == "");
  }
}

TEST_CASE("many rows of products and convolutions go by blocks, which threads share, or the panels inside of them") {
  const std::vector<std::vector<std::vector<i64>>> products{
      {{1500, 48}, {48, 40}},        // blocks that divide the rows
      {{521, 20}, {20, 70}},         // and some rows that are left over
      {{1, 28, 28, 24}, {24, 72}},   // rows of an image
      {{3, 1, 130, 17}, {17, 33}},   // an odd number of blocks
      {{2, 400, 9}, {2, 9, 70}},     // each with a right operand of its own
      {{400, 64}, {64, 1200}},       // weights that are larger than the rows
      {{1, 37, 19, 600}, {600, 5}},  // nothing divides their number
  };
  for (const auto& p : products) {
    CAPTURE(shape_text(p[0]));
    const std::vector<tensor> operands{some(p[0], 1), some(p[1], 2)};
    CHECK(difference(op::matmul{}, {operands}, {false, true}) == "");
    CHECK(difference(op::matmul{}, {operands}, {}) == "");
  }
  struct example {
    op::conv c;
    std::vector<i64> x, w;
  };
  const std::vector<example> images{
      {{.strides = {2, 2}}, {1, 40, 56, 56}, {40, 40, 1, 1}},
      {{.pads = {1, 1, 1, 1}}, {1, 17, 28, 28}, {9, 17, 1, 1}},
      {{.strides = {2, 2}, .pads = {1, 1, 1, 1}}, {2, 20, 42, 44}, {70, 20, 3, 3}},
      {{.strides = {1, 2}, .dilations = {2, 1}, .pads = {2, 1, 2, 1}}, {1, 20, 33, 44}, {33, 20, 3, 3}},
      {{.pads = {2, 2}}, {1, 24, 700}, {40, 24, 5}},
      {{.pads = {1, 1, 1, 1, 1, 1}}, {1, 10, 6, 9, 13}, {20, 10, 3, 3, 3}},
      {{.group = 2}, {1, 40, 28, 28}, {48, 20, 5, 5}},
  };
  for (const example& e : images) {
    CAPTURE(shape_text(e.x));
    const std::vector<tensor> operands{some(e.x, 1), some(e.w, 2), some({e.w[0]}, 3)};
    CHECK(difference(e.c, {operands}, {false, true, true}) == "");
    if (e.x[0] == 2) CHECK(difference(e.c, {operands}, {false, true, true}, {{2, "N"}}) == "");
  }
}

TEST_CASE("convolutions of few planes read them as they are") {
  const std::vector<convolution> examples{
      {{.strides = {2, 2}, .pads = {3, 3, 3, 3}}, {1, 3, 37, 45}, {64, 3, 7, 7}},
      {{.strides = {2, 2}, .pads = {1, 1, 1, 1}}, {2, 3, 32, 32}, {24, 3, 3, 3}},
      {{.pads = {1, 2, 0, 1}}, {2, 2, 19, 20}, {5, 2, 3, 4}},
      {{.strides = {1, 3}, .dilations = {2, 2}}, {1, 8, 19, 20}, {33, 8, 3, 2}},
      {{.strides = {2, 2}}, {1, 4, 12, 12}, {20, 4, 1, 1}},
      {{.strides = {4}, .pads = {2, 2}}, {2, 2, 101}, {40, 2, 9}},
      {{.pads = {1, 1, 1, 1, 1, 1}}, {1, 2, 5, 6, 7}, {17, 2, 3, 3, 3}},
      {{.pads = {1, 1, 1, 1}}, {1, 3, 9, 11}, {20, 3, 3, 3}, dtype::f64},
      {{.pads = {1, 1, 1, 1}}, {1, 3, 9, 11}, {20, 3, 3, 3}, dtype::f16},
      {{.pads = {1, 1, 1, 1}}, {1, 4, 9, 11}, {20, 4, 3, 4}, dtype::i32},
      {{.pads = {1, 1, 1, 1}, .group = 2}, {1, 4, 9, 11}, {6, 2, 3, 3}},
  };
  for (const convolution& e : examples) check(e);
}

TEST_CASE("convolutions of few outputs and many channels: vectors hold channels") {
  const std::vector<convolution> examples{
      {{.pads = {1, 1, 1, 1}}, {1, 64, 9, 11}, {1, 64, 3, 3}},
      {{.pads = {1, 1, 1, 1}}, {2, 33, 7, 6}, {3, 33, 3, 3}},
      {{.strides = {2, 1}, .dilations = {1, 2}}, {1, 40, 12, 13}, {2, 40, 3, 2}},
      {{.pads = {4, 4, 4, 4}}, {1, 32, 10, 12}, {4, 32, 9, 9}},
      {{}, {1, 48, 50}, {2, 48, 5}},
      {{}, {1, 36, 5, 6, 7}, {2, 36, 3, 3, 2}},
      {{.pads = {1, 1, 1, 1}}, {1, 48, 9, 11}, {2, 48, 3, 3}, dtype::f64},
      {{.pads = {1, 1, 1, 1}}, {1, 48, 9, 11}, {2, 48, 3, 3}, dtype::f16},
  };
  for (const convolution& e : examples) check(e);
  const tensor w = some({2, 64, 3, 3}, 2);
  const auto set = [&](i64 h, i64 v) { return std::vector<tensor>{some({1, 64, h, v}, 1), w}; };
  CHECK(difference(op::conv{.pads = {1, 1, 1, 1}}, {set(11, 13), set(1, 1), set(40, 3)}, {false, true},
                   {{11, "h"}, {13, "v"}}) == "");
}

TEST_CASE("images are stored with the borders that the convolutions behind them need") {
  const op::conv same{.pads = {1, 1, 1, 1}}, half{.strides = {2, 2}, .pads = {0, 1, 2, 1}}, wide{.pads = {2, 3, 2, 3}};
  ir_module<phases::ingestion> module;
  ir::module& m = module.body();
  const type_id image[] = {m.intern(ir::type::tensor(dtype::f32, {1, 3, 18, 22}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, image);
  m[f].entry = true;
  ir::builder<phases::ingestion::op_list> b(m, m[f].body);
  unsigned seed = 0;
  const auto constant = [&](std::vector<i64> shape) {
    return b.make(op::constant{m.add_constant(random_tensor(dtype::f32, std::move(shape), ++seed, -1, 1))}, {});
  };
  const auto conv = [&](value_id x, i64 outputs, i64 kernel, const op::conv& c) {
    const i64 channels = m.type_of(x).shape[1].extent();
    return b.make(c, {x, constant({outputs, channels / c.group, kernel, kernel}), constant({outputs})});
  };
  const auto relu = [&](value_id x) {
    return b.make(op::maximum{}, {x, b.make(op::constant{m.add_constant(tensor::from<float>({}, {0}))}, {})});
  };
  const value_id first = relu(conv(m[m[f].body].arguments[0], 20, 3, same));
  const value_id narrow = relu(conv(first, 8, 1, {}));                               // a product, but for what follows
  const value_id sum = relu(b.make(op::add{}, {conv(narrow, 20, 3, same), first}));  // read twice, once with borders
  const value_id pooled = b.make(op::max_pool{.kernel = {2, 2}, .pads = {0, 0, 1, 1}}, {sum});
  const value_id left = conv(pooled, 6, 3, half), right = conv(pooled, 6, 5, {.strides = {2, 2}, .pads = wide.pads});
  const value_id each = conv(sum, 20, 3, {.pads = {1, 1, 1, 1}, .group = 20});
  const value_id results[] = {left, right, relu(conv(relu(each), 4, 3, same))};
  b.make_op(op::return_{}, results, {});
  for (value_id y : results) m[f].result_types.push_back(m[y].type);
  const std::vector<tensor> inputs{random_tensor(dtype::f32, {1, 3, 18, 22}, 99, -1, 1)};
  const std::vector<tensor> want = interpret(m, "main", inputs);
  for (int threads : {1, 2}) {
    targets::cpu target;
    target.threads = threads, target.winograd = targets::winograd::off;  // sums are exact
    context cx;
    target.configure(cx);
    const program p = load(build<targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx));
    for (int run = 0; run < 2; ++run) {
      const std::vector<tensor> got = p.run(inputs, threads);
      for (size_t i = 0; i < want.size(); ++i) CHECK(testing::distance(got[i], want[i]) == 0);
    }
  }
}

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
      {{.strides = {8}}, {1, 64, 301}, {64, 1, 16}},  // phases of few outputs are columns
      {{.strides = {3, 2}, .pads = {3, 2, 3, 2}}, {2, 20, 9, 8}, {20, 3, 6, 4}},
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
                           {{33, 64}, {64, 4096}},  // rows that share few sets of a cache
                           {{2, 32, 260}, {260, 3072}},
                           {{128, 800}, {800, 675}, dtype::f64}}) {
    CAPTURE(shape_text(e.a));
    CAPTURE(shape_text(e.b));
    CHECK(difference(op::matmul{}, {{some(e.a, 1, e.type), some(e.b, 2, e.type)}}, {}) == "");
  }
}

TEST_CASE("products of many rows by weights: as many rows at a time as a cache holds, and those that are left") {
  const tensor w = some({800, 70}, 2);
  const std::vector<bool> fixed{false, true};
  for (i64 rows : {168, 420, 431})
    CHECK_MESSAGE(difference(op::matmul{}, {{some({rows, 800}, 1), w}}, fixed) == "", rows);
  CHECK(difference(op::matmul{}, {{some({2, 431, 800}, 1), w}}, fixed) == "");
  std::vector<std::vector<tensor>> sets;
  for (i64 rows : {431, 0, 1, 15, 168, 169, 336}) sets.push_back({some({2, rows, 800}, 1), w});
  CHECK(difference(op::matmul{}, sets, fixed, {{431, "rows"}}) == "");
}

TEST_CASE("weights of few bits: panels that are dequantized round after round, and those that are left over") {
  for (const auto& op : {op::matmul_nbits{.bits = 4, .block = 32, .depth = 4100, .columns = 32 * 19 + 5},
                         op::matmul_nbits{.bits = 8, .block = 256, .depth = 4100, .columns = 32 * 9}}) {
    CAPTURE(op.bits);
    tensor weights(dtype::u8, {op.columns, op.blocks(), op.block * op.bits / 8});
    for (i64 i = 0; i < weights.size(); ++i) weights.set_i64(i, i * 7919 % 251);
    tensor scales(dtype::f32, {op.columns, op.blocks()});
    for (i64 i = 0; i < scales.size(); ++i) scales.set_i64(i, 1 + i % 3);
    const auto set = [&](i64 rows) { return std::vector<tensor>{some({rows, op.depth}, 1), weights, scales}; };
    CHECK(difference(op, {set(5)}, {false, true, true}) == "");
    CHECK(difference(op, {set(7), set(1), set(20)}, {false, true, true}, {{7, "n"}}) == "");
  }
}

TEST_CASE("products of bytes, in fours or as words, by what processors have") {
  const auto bytes = [](std::vector<i64> shape) { return some(std::move(shape), 1, dtype::u8); };
  const auto weights = [](std::vector<i64> shape) { return some(std::move(shape), 2, dtype::i8); };
  const std::vector<bool> fixed{false, true};
  for (const char* arch : {"", "x86-64", "x86-64-v3"}) {
    CAPTURE(arch);
    if (!missing_features("cpu:arch=" + std::string(arch)).empty()) continue;
    const auto check = [&](const auto& op, const std::vector<i64>& x, const std::vector<i64>& w,
                           const std::vector<std::pair<i64, const char*>>& symbols = {}) {
      CHECK_MESSAGE(difference(op, {{bytes(x), weights(w)}}, fixed, symbols, arch) == "", shape_text(w));
    };
    check(op::conv{.pads = {1, 1, 1, 1}}, {1, 8, 9, 7}, {21, 8, 3, 3});
    check(op::conv{.strides = {2, 2}, .pads = {1, 1, 1, 1}}, {2, 64, 14, 14}, {40, 64, 3, 3});
    check(op::conv{.strides = {2, 2}}, {1, 512, 7, 7}, {24, 512, 1, 1});
    check(op::conv{}, {3, 16, 5, 5}, {13, 16, 1, 1}, {{3, "batch"}});
    check(op::matmul{}, {1, 64}, {64, 50});
    check(op::matmul{}, {37, 1024}, {1024, 19}, {{37, "rows"}});
    check(op::matmul{}, {2, 431, 800}, {800, 70});
  }
}
