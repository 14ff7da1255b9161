/// @file pack_weights_test: packed products mean the same, and panels have the widths that the rule says.
#include <doctest/doctest.h>

#include <tenon/compile/run.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/ops/weight_panels.hpp>
#include <tenon/passes/convert_layout.hpp>
#include <tenon/passes/eliminate_common.hpp>
#include <tenon/passes/fold_batch_norm.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/pack_weights.hpp>
#include <tenon/runtime/compare.hpp>

#include "support/lowered.hpp"

namespace mine {
using namespace tenon;

/// Products of a user's, of columns by a weight on the left, x: y = x^T w. One says how it uses panels.
struct product {
  static constexpr fixed_string name = "mine.product";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 2, .weights = 0};
  i64 panel = 0, columns = 0;
  TENON_ATTRIBUTES(panel, columns)
};
struct silent_product {
  static constexpr fixed_string name = "mine.silent_product";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 2, .weights = 0};
  i64 panel = 0, columns = 0;
  TENON_ATTRIBUTES(panel, columns)
};
template <class Op>
concept any_product = std::same_as<Op, product> || std::same_as<Op, silent_product>;
void infer(const any_product auto& op, ir::infer_context& cx) {
  const ir::type &w = cx.operand(0), &x = cx.operand(1);
  cx.result(ir::type::tensor(x.elem, {x.shape[1], op.panel > 0 ? ir::dim(op.columns) : w.shape[1]}));
}
void evaluate(const any_product auto& op, eval_context& cx) {
  const tensor &w = cx.operand(0), &x = cx.operand(1);
  const i64 depth = x.shape()[0], rows = x.shape()[1], columns = op.panel > 0 ? op.columns : w.shape()[1];
  tensor y(x.type(), {rows, columns});
  for (i64 r = 0; r < rows; ++r)
    for (i64 c = 0; c < columns; ++c) {
      double sum = 0;
      for (i64 k = 0; k < depth; ++k) {
        const i64 at = op.panel > 0 ? (c / op.panel * depth + k) * op.panel + c % op.panel : k * columns + c;
        sum += x.at_f64(k * rows + r) * w.at_f64(at);
      }
      y.set_f64(r * columns + c, sum);
    }
  cx.result(std::move(y));
}
bool use_panels(product& op, weight_panels& w) {
  const ir::type& weight = w.operand_type(0);
  if (op.panel != 0 || !weight.is_static() || weight.rank() != 2) return false;
  op.columns = weight.shape[1].extent();
  op.panel = w.width(weight.elem, op.columns, w.rows(w.operand_type(1), 1));
  w.pack(0, op.panel);
  return true;
}
}  // namespace mine

namespace {
using namespace tenon;
using testing::random_tensor;

struct built {
  ir::module m;
  std::vector<i64> input;
};
/// One op of the argument and a constant weight, which is computed by a transpose when `turned`.
template <class Op>
built graph_of(const Op& op, std::vector<i64> x, std::vector<i64> w, bool turned = false) {
  built g{{}, x};
  ir::module& m = g.m;
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {x.begin(), x.end()}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  ir::builder<> b(m, m[f].body);
  if (turned) std::swap(w[0], w[1]);
  value_id weight = b.make(op::constant{m.add_constant(random_tensor(dtype::f32, w, 1))}, {});
  if (turned) weight = b.make(op::transpose{{1, 0}}, {weight});
  const value_id y = b.make(op, {m[m[f].body].arguments[0], weight});
  b.make_op(op::return_{}, std::vector<value_id>{y}, {});
  m[f].result_types = {m[y].type};
  return g;
}

/// The panel that the pass chose, after checking that the meaning stayed; 0: it left the op alone.
template <class Op>
i64 panel_of(built g, int vector_bytes = 64) {
  const tensor x = random_tensor(dtype::f32, g.input, 2);
  auto m = ir_module<phases::optimization>::adopt(std::move(g.m));
  const tensor expected = interpret(m.body(), "main", std::vector<tensor>{x})[0];
  context cx;
  cx.set(passes::kernel_options{.vector_bytes = vector_bytes});
  passes::pack_weights{}.run(m, cx);  // also where the channels come first, which it leaves alone
  const auto& after = m;
  CHECK(same_bits(interpret(after.body(), "main", std::vector<tensor>{x})[0], expected));
  i64 panel = -1;
  ir::for_each_op(after.body(), [&](op_id op) {
    const ir::op_view v = after.body().view(op);
    CHECK(!v.template is<op::pack_panels>());
    if (const Op* a = v.template get_if<Op>()) {
      panel = a->panel;
      if (panel) CHECK(after.body().constant_value(v.operand(1)) != nullptr);
    }
  });
  return panel;
}
}  // namespace

TEST_CASE("the width of panels") {
  CHECK(panel_width(8, 1000, 16) == 16);
  CHECK(panel_width(24, 1000, 16) == 32);
  CHECK(panel_width(48, 1000, 16) == 48);
  CHECK(panel_width(64, 1000, 16) == 32);
  CHECK(panel_width(96, 1000, 16) == 32);
  CHECK(panel_width(1000, 1000, 16) == 48);
  CHECK(panel_width(512, 49, 16) == 64);
  CHECK(panel_width(512, 196, 16) == 32);
  CHECK(panel_width(512, 1, 8) == 32);
}

TEST_CASE("transposed convolutions of channels last are packed") {
  using op::conv_transpose;
  const op::conv_transpose last{.strides = {2, 2}, .layout = op::data_layout::channels_last};
  CHECK(panel_of<conv_transpose>(graph_of(last, {1, 8, 8, 3}, {2, 2, 3, 70})) == 32);
  CHECK(panel_of<conv_transpose>(graph_of(last, {1, 8, 8, 3}, {2, 2, 3, 1})) == 0);
  CHECK(panel_of<conv_transpose>(graph_of(conv_transpose{}, {1, 3, 8, 8}, {3, 70, 2, 2})) == 0);
  op::conv_transpose groups = last;
  groups.group = 3;
  CHECK(panel_of<conv_transpose>(graph_of(groups, {1, 8, 8, 3}, {2, 2, 3, 70})) == 0);
}

TEST_CASE("matrix products are packed") {
  CHECK(panel_of<op::matmul>(graph_of(op::matmul{}, {20, 5}, {5, 40})) == 48);
  CHECK(panel_of<op::matmul>(graph_of(op::matmul{}, {2, 20, 5}, {5, 64})) == 32);
  CHECK(panel_of<op::matmul>(graph_of(op::matmul{}, {20, 5}, {5, 64}, true)) == 32);
  CHECK(panel_of<op::matmul>(graph_of(op::matmul{}, {5}, {5, 70})) == 64);
  CHECK(panel_of<op::matmul>(graph_of(op::matmul{}, {20, 5}, {5, 64}), 32) == 16);
  CHECK(panel_of<op::matmul>(graph_of(op::matmul{}, {20, 5}, {5, 1})) == 0);
  CHECK(panel_of<op::matmul>(graph_of(op::matmul{}, {2, 20, 5}, {2, 5, 64})) == 0);
}

TEST_CASE("convolutions with the channels last are packed") {
  op::conv c;
  CHECK(panel_of<op::conv>(graph_of(c, {1, 3, 8, 8}, {20, 3, 3, 3})) == 0);
  c.layout = op::data_layout::channels_last;
  CHECK(panel_of<op::conv>(graph_of(c, {1, 8, 8, 3}, {3, 3, 3, 20})) == 32);
  c.pads = {1, 1, 1, 1};
  CHECK(panel_of<op::conv>(graph_of(c, {1, 8, 8, 3}, {3, 3, 3, 20})) == 0);
  c.pads = {};
  c.group = 3;
  CHECK(panel_of<op::conv>(graph_of(c, {1, 8, 8, 3}, {3, 3, 1, 21})) == 0);
}

TEST_CASE("a product of a user's that says how it uses panels is packed, too") {
  register_evaluations(eval_table_of<ops<mine::product, mine::silent_product>>());
  const auto panel_of = [](const auto& op, bool known) {
    using Op = std::remove_cvref_t<decltype(op)>;
    ir::module m;
    const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {5, 20})),
                             m.intern(ir::type::tensor(dtype::f32, {5, 40}))};
    const function_id f = m.add_function("main", ir::function_kind::graph, types);
    ir::builder<> b(m, m[f].body);
    const std::vector<value_id> given = m[m[f].body].arguments;
    const value_id weight =
        known ? b.make(op::constant{m.add_constant(random_tensor(dtype::f32, {5, 40}, 1))}, {}) : given[1];
    const value_id y = b.make(op, {weight, given[0]});
    b.make_op(op::return_{}, std::vector<value_id>{y}, {});
    m[f].result_types = {m[y].type};
    auto o = ir_module<phases::optimization>::adopt(std::move(m));
    const std::vector<tensor> inputs{random_tensor(dtype::f32, {5, 20}, 2), random_tensor(dtype::f32, {5, 40}, 3)};
    const tensor expected = interpret(o.body(), "main", inputs)[0];
    context cx;
    cx.set(passes::kernel_options{.vector_bytes = 64});
    i64 panel = -1;
    for (int round = 0; round < 2; ++round) {  // the second changes nothing
      passes::pack_weights{}.run(o, cx);
      CHECK(same_bits(interpret(o.body(), "main", inputs)[0], expected));
      ir::for_each_op(o.body(), [&](op_id at) {
        const ir::op_view v = o.body().view(at);
        const Op* const a = v.template get_if<Op>();
        if (a == nullptr) return;
        panel = a->panel;
        CHECK((v.operand_type(0).rank() == 3) == (panel > 0));
      });
    }
    return panel;
  };
  CHECK(panel_of(mine::product{}, true) == 48);
  CHECK(panel_of(mine::product{}, false) == 0);
  CHECK(panel_of(mine::silent_product{}, true) == 0);
}

TEST_CASE("integers with scales stay integers") {
  struct example {
    dtype type;
    std::vector<i64> scale;  // of [K, N], or of [N, K] when it is turned
    bool zero, turned;
    i64 bits, block;  // 0: they are made floats
    i64 rows = 3;
  };
  for (const example& e : std::vector<example>{{dtype::i8, {96}, false, false, 8, 64},
                                               {dtype::u8, {96}, true, false, 8, 64},
                                               {dtype::u8, {}, false, false, 8, 64},
                                               {dtype::i8, {96, 1}, true, true, 8, 64},
                                               {dtype::i4, {64, 96}, true, false, 4, 32},
                                               {dtype::u4, {96, 64}, true, true, 4, 32},
                                               {dtype::i2, {96}, false, false, 2, 64},
                                               {dtype::i16, {96}, false, false, 0, 0},
                                               {dtype::i8, {64, 1}, true, false, 0, 0},
                                               {dtype::i8, {96}, false, false, 8, 64, 300}}) {
    CAPTURE(name_of(e.type));
    CAPTURE(e.turned);
    ir::module m;
    const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {e.rows, 64}))};
    const function_id f = m.add_function("main", ir::function_kind::graph, types);
    ir::builder<> b(m, m[f].body);
    const auto constant = [&](tensor t) { return b.make(op::constant{m.add_constant(std::move(t))}, {}); };
    std::vector<i64> shape{64, 96};
    if (e.turned) std::swap(shape[0], shape[1]);
    const i64 most = e.bits == 2 ? 1 : e.bits == 4 ? 7 : 100;
    const tensor q =
        random_tensor(e.type, shape, 1, is_unsigned_int(e.type) ? 0 : -static_cast<int>(most), static_cast<int>(most));
    tensor scale(dtype::f32, e.scale), zero(e.type, e.scale);
    const bool blocks = e.bits == 4;
    for (i64 i = 0; i < scale.size(); ++i) {
      // Along K, the last dimension when it is turned, blocks of 32.
      const i64 n = e.turned ? i / 64 : i % 96, k = e.turned ? i % 64 : i / 96;
      const i64 number = blocks ? n * 2 + k / 32 : i;
      scale.set_f64(i, static_cast<double>(1 + number % 5) / 8), zero.set_i64(i, number % 2);
    }
    const value_id s = constant(scale);
    value_id w = e.zero ? b.make(op::dequantize{}, {constant(q), s, constant(zero)})
                        : b.make(op::dequantize{}, {constant(q), s});
    if (e.turned) w = b.make(op::transpose{{1, 0}}, {w});
    const value_id y = b.make(op::matmul{}, {m[m[f].body].arguments[0], w});
    b.make_op(op::return_{}, std::vector<value_id>{y}, {});
    m[f].result_types = {m[y].type};
    const tensor x = random_tensor(dtype::f32, {e.rows, 64}, 2);
    auto of = ir_module<phases::optimization>::adopt(std::move(m));
    const tensor expected = interpret(of.body(), "main", std::vector<tensor>{x})[0];
    context cx;
    cx.set(passes::kernel_options{.vector_bytes = 64});
    passes::pack_weights{}.run(of, cx);
    CHECK(testing::distance(interpret(of.body(), "main", std::vector<tensor>{x})[0], expected) < 1e-5);
    i64 bits = 0, block = 0, panel = 0;
    ir::for_each_op(of.body(), [&](op_id op) {
      if (const auto* p = of.body().view(op).get_if<op::matmul_nbits>())
        bits = p->bits, block = p->block, panel = p->panel;
    });
    CHECK(panel == (e.bits == 0 ? 0 : 16));
    CHECK(bits == e.bits);
    CHECK(block == e.block);
  }
}

namespace {
/// Rows of a table, times its transpose: as a language model's tokens are read and chosen. `changed`: the table differs
/// from the weight in one element; `apart`: it is a constant of its own.
ir::module tied_model(bool apart, bool changed) {
  ir::module m;
  const type_id types[] = {m.intern(ir::type::tensor(dtype::i64, {4}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  ir::builder<> b(m, m[f].body);
  tensor rows = random_tensor(dtype::f32, {301, 70}, 1), table = rows.clone();
  if (changed) table.set_f64(20000, 7);
  const constant_id first = m.add_constant(std::move(table));
  const constant_id second = apart ? m.add_constant(std::move(rows)) : first;
  const value_id x = b.make(op::gather{}, {b.make(op::constant{first}, {}), m[m[f].body].arguments[0]});
  const value_id w = b.make(op::transpose{{1, 0}}, {b.make(op::constant{second}, {})});
  const value_id y = b.make(op::matmul{}, {x, w});
  b.make_op(op::return_{}, std::vector<value_id>{y}, {});
  m[f].result_types = {m[y].type};
  return m;
}
i64 bytes_of_constants(const ir::module& m) {
  i64 n = 0;
  for (size_t i = 0; i < m.constant_count(); ++i) n += m[constant_id(i)].value.bytes();
  return n;
}
}  // namespace

TEST_CASE("a table that is a packed weight transposed is there once, and read from the panels") {
  const tensor tokens = tensor::from<i64>({4}, {0, 300, -1, 33});
  for (const bool apart : {false, true})
    for (const bool changed : {false, true}) {
      auto m = ir_module<phases::optimization>::adopt(tied_model(apart, changed && apart));
      const tensor expected = interpret(m.body(), "main", std::vector<tensor>{tokens})[0];
      context cx;
      cx.set(passes::kernel_options{.vector_bytes = 64});
      passes::pack_weights{}.run(m, cx);
      CHECK(same_bits(interpret(m.body(), "main", std::vector<tensor>{tokens})[0], expected));
      const bool shared = !(apart && changed);
      i64 panel = 0;
      ir::for_each_op(m.body(), [&](op_id op) {
        if (const auto* g = m.body().view(op).get_if<op::gather>()) panel = g->panel;
      });
      CHECK((panel > 0) == shared);
      // Before anything else runs, what was packed is gone: its columns, filled up to whole panels, are all there is.
      const i64 wide = (301 + 63) / 64 * 64;
      CHECK(bytes_of_constants(m.body()) == 4 * 70 * (shared ? wide : wide + 301));
    }
}

TEST_CASE("weights are given back one after the other as they are packed") {
  ir::module m;
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {4, 256}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  ir::builder<> b(m, m[f].body);
  value_id x = m[m[f].body].arguments[0];
  for (int i = 0; i < 3; ++i)
    x = b.make(op::matmul{}, {x, b.make(op::constant{m.add_constant(random_tensor(dtype::f32, {256, 256}, 1))}, {})});
  b.make_op(op::return_{}, std::vector<value_id>{x}, {});
  m[f].result_types = {m[x].type};
  const i64 before = bytes_of_constants(m);
  auto o = ir_module<phases::optimization>::adopt(std::move(m));
  context cx;
  cx.set(passes::kernel_options{.vector_bytes = 64});
  passes::pack_weights{}.run(o, cx);
  CHECK(bytes_of_constants(o.body()) == before);
}

TEST_CASE("from a scale to panels nothing of a large weight is computed, and equal ones are one") {
  ir::module m;
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {1, 64, 9, 9}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  ir::builder<> b(m, m[f].body);
  const value_id x = m[m[f].body].arguments[0];
  const auto constant = [&](std::vector<i64> shape, u32 seed) {
    return b.make(op::constant{m.add_constant(random_tensor(dtype::f32, std::move(shape), seed))}, {});
  };
  std::vector<value_id> results;
  for (u32 other : {1, 1, 2}) {
    const value_id y = b.make(op::conv{.strides = {2, 2}}, {x, constant({96, 64, 3, 3}, other)});
    results.push_back(b.make(op::mul{}, {y, constant({96, 1, 1}, 3)}));
  }
  b.make_op(op::return_{}, results, {});
  for (value_id y : results) m[f].result_types.push_back(m[y].type);
  auto o = ir_module<phases::optimization>::adopt(std::move(m));
  const std::vector<tensor> input{random_tensor(dtype::f32, {1, 64, 9, 9}, 4)};
  const std::vector<tensor> expected = interpret(o.body(), "main", input);
  context cx;
  cx.set(passes::kernel_options{.vector_bytes = 64});
  passes::fold_batch_norm{}.run(o, cx);
  passes::convert_layout{}.run(o, cx);
  passes::fold_constants{}.run(o, cx);
  passes::pack_weights{}.run(o, cx);
  passes::eliminate_common{}.run(o, cx);
  int weights = 0;
  ir::for_each_op(o.body(), [&](op_id op) {
    const auto* c = o.body().view(op).get_if<op::constant>();
    if (c == nullptr || !o.body().has_uses(o.body().result(op)) || o.body()[c->value].value.bytes() < 1 << 16) return;
    ++weights;
    CHECK(o.body()[c->value].value.source() != nullptr);
  });
  CHECK(weights == 2);
  const std::vector<tensor> after = interpret(o.body(), "main", input);
  for (size_t i = 0; i < expected.size(); ++i) CHECK(compare(after[i], expected[i], {1e-5, 1e-5, 1e-5}).ok);
}
