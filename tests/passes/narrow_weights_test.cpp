/// @file narrow_weights_test: which weights become narrow, what rounding them costs, and that nothing else changes.
#include <doctest/doctest.h>

#include <limits>

#include <tenon/compile/run.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/narrow_weights.hpp>

#include "support/lowered.hpp"

namespace mine {
using namespace tenon;

/// Products of a user's, added up in f32: x by w. One says so.
struct dot {
  static constexpr fixed_string name = "mine.dot";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 2, .weights = 1};
};
struct silent_dot {
  static constexpr fixed_string name = "mine.silent_dot";
  static constexpr op_traits traits{.min_operands = 2, .max_operands = 2};
};
template <class Op>
concept any_dot = std::same_as<Op, dot> || std::same_as<Op, silent_dot>;
void infer(const any_dot auto&, ir::infer_context& cx) { cx.result(ir::type::tensor(cx.operand(0).elem, {})); }
void evaluate(const any_dot auto&, eval_context& cx) {
  float sum = 0;
  for (i64 i = 0; i < cx.operand(0).size(); ++i)
    sum += static_cast<float>(cx.operand(0).at_f64(i) * cx.operand(1).at_f64(i));
  tensor y(cx.operand(0).type(), {});
  y.set_f64(0, sum);
  cx.result(std::move(y));
}
}  // namespace mine

namespace {
using namespace tenon;
using passes::precision;
using testing::random_tensor;
using testing::reals;

/// Numbers that no type of 16 bits holds.
tensor fine(std::vector<i64> shape, unsigned seed) {
  tensor t = random_tensor(dtype::f32, std::move(shape), seed);
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, t.at_f64(i) / 37 + 1e-3);
  return t;
}

struct result {
  ir::module m;
  passes::narrowing_report report;
  double off = 0;              ///< of the results, of the largest of them
  std::vector<dtype> weights;  ///< those of the products, in order
};
result narrowed(ir::module graph, const std::vector<tensor>& inputs, passes::kernel_options options = {}) {
  auto module = ir_module<phases::optimization>::adopt(ir::module(graph));
  context cx;
  cx.set(options);
  passes::narrow_weights{}.run(module, cx);
  result r{module.body(), cx.get<passes::narrowing_report>(), 0, {}};
  const std::vector<tensor> want = interpret(graph, "main", inputs), got = interpret(r.m, "main", inputs);
  for (size_t k = 0; k < want.size(); ++k) {
    REQUIRE(got[k].shape() == want[k].shape());
    double most = 0, off = 0;
    for (i64 i = 0; i < want[k].size(); ++i) {
      most = std::max(most, std::fabs(want[k].at_f64(i)));
      off = std::max(off, std::fabs(want[k].at_f64(i) - got[k].at_f64(i)));
    }
    if (most > 0) r.off = std::max(r.off, off / most);
  }
  ir::for_each_op(r.m, [&](op_id op) {
    const ir::op_view v = r.m.view(op);
    if (v.is<op::matmul>() || v.is<op::conv>() || v.is<op::conv_transpose>())
      r.weights.push_back(v.operand_type(1).elem);
  });
  return r;
}

/// One product of an input and a weight.
struct example {
  std::vector<i64> x, w;
  dtype given = dtype::f32;        ///< f16, bf16: cast to f32
  std::vector<i64> permutation{};  ///< of a transpose behind the cast
  bool bias = false, infinite = false, read_otherwise = false;
};
template <class Op>
ir::module graph_of(const Op& op, const example& e) {
  ir::module m;
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {e.x.begin(), e.x.end()}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<> b(m, m[f].body);
  const auto constant = [&](tensor t) { return b.make(op::constant{m.add_constant(std::move(t))}, {}); };
  tensor w = fine(e.w, 1);
  if (e.infinite) w.set_f64(5, std::numeric_limits<double>::infinity());
  value_id weight = constant(e.given == dtype::f32 ? w : w.cast(e.given));
  if (e.given != dtype::f32) weight = b.make(op::cast{dtype::f32}, {weight});
  const value_id as_it_was = weight;
  if (!e.permutation.empty()) weight = b.make(op::transpose{e.permutation}, {weight});
  std::vector<value_id> operands{m[m[f].body].arguments[0], weight};
  if (e.bias) operands.push_back(constant(fine({e.w.back()}, 3)));
  std::vector<value_id> results{m.result(b.make_op(op, operands))};
  if (e.read_otherwise) results.push_back(b.make(op::neg{}, {as_it_was}));
  b.make_op(op::return_{}, results, {});
  for (value_id v : results) m[f].result_types.push_back(m[v].type);
  return m;
}
template <class Op>
result product(const Op& op, const example& e, precision p = precision::standard, int vector_bytes = 32) {
  passes::kernel_options options;
  options.precision = p, options.vector_bytes = vector_bytes;
  return narrowed(graph_of(op, e), {fine(e.x, 2)}, options);
}
using kinds = std::vector<dtype>;

}  // namespace

TEST_CASE("weights of 16 bits stay as they came, and the results are the same numbers") {
  for (dtype t : {dtype::f16, dtype::bf16})
    for (precision p : {precision::standard, precision::strict, precision::f16, precision::bf16}) {
      CAPTURE(name_of(t));
      const result plain = product(op::matmul{}, {{2, 3, 37}, {37, 21}, t}, p);
      CHECK(plain.weights == kinds{t});
      CHECK(plain.off == 0);
      CHECK(plain.report.as_given == 1);
      CHECK(plain.report.rounded == 0);
      CHECK(plain.report.bytes == 37 * 21 * 2);
      CHECK(plain.report.bytes_of_f32 == 37 * 21 * 4);
      const result turned = product(op::matmul{}, {{5, 37}, {21, 37}, t, {1, 0}}, p);
      CHECK(turned.weights == kinds{t});
      CHECK(turned.off == 0);
      const op::conv last{.layout = op::data_layout::channels_last};
      const result image = product(last, {{1, 6, 6, 5}, {9, 5, 3, 3}, t, {2, 3, 1, 0}}, p);
      CHECK(image.weights == kinds{t});
      CHECK(image.off == 0);
      const op::conv_transpose larger{.strides = {2, 2}, .layout = op::data_layout::channels_last};
      const result shown = product(larger, {{1, 4, 4, 5}, {2, 2, 5, 9}, t, {}, true}, p);
      CHECK(shown.weights == kinds{t});
      CHECK(shown.off == 0);
    }
}

TEST_CASE("a processor that would take long for f16 has f32") {
  CHECK(product(op::matmul{}, {{3, 37}, {37, 21}, dtype::f16}, precision::standard, 16).weights == kinds{dtype::f32});
  CHECK(product(op::matmul{}, {{3, 37}, {37, 21}, dtype::bf16}, precision::standard, 16).weights == kinds{dtype::bf16});
}

TEST_CASE("products of 16 bits multiply as f32, and are rounded once") {
  bool narrow = true;
  const auto of = [&](dtype t, const auto& op, std::vector<i64> x, std::vector<i64> w, bool constant, bool bias) {
    ir::module m;
    std::vector<type_id> types{m.intern(ir::type::tensor(t, {x.begin(), x.end()}))};
    std::vector<tensor> inputs{fine(x, 2).cast(t)};
    if (!constant) types.push_back(m.intern(ir::type::tensor(t, {w.begin(), w.end()})));
    const function_id f = m.add_function("main", ir::function_kind::graph, types);
    m[f].entry = true;
    ir::builder<> b(m, m[f].body);
    const auto stored = [&](tensor v) { return b.make(op::constant{m.add_constant(std::move(v))}, {}); };
    const tensor weight = fine(w, 1).cast(t);
    if (!constant) inputs.push_back(weight);
    std::vector<value_id> operands{m[m[f].body].arguments[0], constant ? stored(weight) : m[m[f].body].arguments[1]};
    if (bias) operands.push_back(stored(fine({w.back()}, 3).cast(t)));
    const std::vector<value_id> results{m.result(b.make_op(op, operands))};
    b.make_op(op::return_{}, results, {});
    m[f].result_types.push_back(m[results[0]].type);
    return narrowed(std::move(m), inputs, {.vector_bytes = 32, .narrow_weights = narrow});
  };
  const auto is_f32 = [](const result& r, dtype weight) {
    CHECK(r.weights == kinds{weight});
    ir::for_each_op(r.m, [&](op_id op) {
      const ir::op_view v = r.m.view(op);
      if (v.is<op::matmul>() || v.is<op::conv>() || v.is<op::conv_transpose>()) {
        CHECK(v.operand_type(0).elem == dtype::f32);
        CHECK(v.result_type().elem == dtype::f32);
        if (v.has_operand(2)) CHECK(r.m.constant_value(r.m.operand(op, 2)) != nullptr);
      }
    });
  };
  for (dtype t : {dtype::f16, dtype::bf16}) {
    CAPTURE(name_of(t));
    const double last_bit = t == dtype::f16 ? 0x1p-10 : 0x1p-7;
    const auto same = [&](const result& r, dtype weight) {
      is_f32(r, weight);
      CHECK(r.off <= last_bit);
    };
    const op::conv last{.layout = op::data_layout::channels_last},
        each{.group = 6, .layout = op::data_layout::channels_last};
    narrow = false;  // where no kernel reads such weights they are widened here
    const result wide = of(t, op::matmul{}, {2, 3, 37}, {37, 21}, true, false);
    same(wide, dtype::f32);
    CHECK(wide.report.as_given == 0);
    narrow = true;
    same(of(t, op::matmul{}, {2, 3, 37}, {37, 21}, true, false), t);
    same(of(t, op::matmul{}, {4, 3, 37}, {4, 37, 21}, false, false), dtype::f32);
    same(of(t, last, {1, 6, 6, 5}, {3, 3, 5, 9}, true, true), t);
    same(of(t, each, {1, 6, 6, 6}, {3, 3, 1, 6}, true, true), dtype::f32);
    same(of(t, op::conv_transpose{.strides = {2, 2}, .layout = op::data_layout::channels_last}, {1, 4, 4, 5},
            {2, 2, 5, 9}, true, true),
         t);
  }
}

TEST_CASE("a product of a user's that names its weights multiplies halves as f32, too") {
  register_evaluations(eval_table_of<ops<mine::dot, mine::silent_dot>>());
  const auto type_in = [](const auto& op) {
    ir::module m;
    const type_id types[] = {m.intern(ir::type::tensor(dtype::f16, {37}))};
    const function_id f = m.add_function("main", ir::function_kind::graph, types);
    m[f].entry = true;
    ir::builder<> b(m, m[f].body);
    const value_id w = b.make(op::constant{m.add_constant(fine({37}, 1).cast(dtype::f16))}, {});
    const value_id y = b.make(op, {m[m[f].body].arguments[0], w});
    b.make_op(op::return_{}, std::vector<value_id>{y}, {});
    m[f].result_types.push_back(m[y].type);
    const result r = narrowed(std::move(m), {fine({37}, 2).cast(dtype::f16)}, {.narrow_weights = true});
    CHECK(r.off <= 0x1p-10);
    dtype found = dtype::boolean;
    ir::for_each_op(r.m, [&](op_id o) {
      if (&r.m.view(o).info() == &ir::info_of<std::remove_cvref_t<decltype(op)>>)
        found = r.m.view(o).operand_type(1).elem;
    });
    return found;
  };
  CHECK(type_in(mine::dot{}) == dtype::f32);
  CHECK(type_in(mine::silent_dot{}) == dtype::f16);
}

TEST_CASE("weights of f32 are rounded where the precision says so") {
  const example e{{3, 64}, {64, 80}};
  for (precision p : {precision::standard, precision::strict}) {
    const result r = product(op::matmul{}, e, p);
    CHECK(r.weights == kinds{dtype::f32});
    CHECK(r.off == 0);
    CHECK(r.report.as_given + r.report.rounded == 0);
  }
  const result halves = product(op::matmul{}, e, precision::f16), upper = product(op::matmul{}, e, precision::bf16),
               bytes = product(op::matmul{}, e, precision::int8);
  CHECK(halves.weights == kinds{dtype::f16});
  CHECK(upper.weights == kinds{dtype::bf16});
  CHECK(bytes.weights == kinds{dtype::i8});
  for (const auto& [r, most] : {std::pair{&halves, 1. / 2048}, {&upper, 1. / 256}, {&bytes, 0.5 / 127}}) {
    CHECK(r->report.rounded == 1);
    CHECK(r->report.error <= most);
    CHECK(r->report.error > most / 4);
    CHECK(r->off > 0);
    CHECK(r->off < 2 * most);
  }
  CHECK(halves.report.bytes == 64 * 80 * 2);
  CHECK(bytes.report.bytes == 64 * 80 + 80 * 4);
  // What was of 16 bits is not rounded again, but to bytes.
  CHECK(product(op::matmul{}, {{3, 64}, {64, 80}, dtype::f16}, precision::bf16).report.rounded == 0);
  CHECK(product(op::matmul{}, {{3, 64}, {64, 80}, dtype::f16}, precision::int8).report.rounded == 1);
}

TEST_CASE("the scales of bytes are of each output") {
  const op::conv last{.layout = op::data_layout::channels_last};
  for (bool bias : {false, true}) {
    const result r = product(last, {{1, 7, 7, 16}, {3, 3, 16, 40}, dtype::f32, {}, bias}, precision::int8);
    CHECK(r.weights == kinds{dtype::i8});
    CHECK(r.off < 0.01);
    CHECK(r.off > 0);
  }
  // One output a million times as large as the others costs these nothing.
  ir::module m;
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {1, 64}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<> b(m, m[f].body);
  tensor w = fine({64, 64}, 1);
  for (i64 k = 0; k < 64; ++k) w.set_f64(k * 64, 1e6 * w.at_f64(k * 64)), w.set_f64(k * 64 + 1, 0);
  const value_id weight = b.make(op::constant{m.add_constant(w)}, {});
  value_id y = b.make(op::matmul{}, {m[m[f].body].arguments[0], weight});
  y = b.make(op::slice{.starts = {1}, .ends = {64}, .axes = {1}}, {y});
  b.make_op(op::return_{}, std::vector<value_id>{y}, {});
  m[f].result_types = {m[y].type};
  const result r = narrowed(m, {fine({1, 64}, 2)}, {.precision = precision::int8});
  CHECK(r.report.rounded == 1);
  CHECK(r.off < 0.01);
}

TEST_CASE("what stays as it is") {
  const op::conv last{.layout = op::data_layout::channels_last};
  op::conv depthwise = last, padded = last, first;
  depthwise.group = 512, padded.pads = {1, 1, 1, 1};
  for (precision p : {precision::f16, precision::bf16, precision::int8}) {
    CHECK(product(depthwise, {{1, 5, 5, 512}, {3, 3, 1, 512}}, p).weights == kinds{dtype::f32});
    CHECK(product(padded, {{1, 5, 5, 16}, {3, 3, 16, 40}}, p).weights == kinds{dtype::f32});
    CHECK(product(first, {{1, 16, 5, 5}, {40, 16, 3, 3}}, p).weights == kinds{dtype::f32});
    CHECK(product(op::matmul{}, {{3, 63}, {63, 65}}, p).weights == kinds{dtype::f32});  // less than 4096
    const result infinite = product(op::matmul{}, {{3, 64}, {64, 80}, dtype::f32, {}, false, true}, p);
    CHECK(infinite.weights == kinds{dtype::f32});
    CHECK(infinite.report.too_large == 1);
    CHECK(infinite.report.rounded == 0);
  }
  ir::module m = graph_of(op::matmul{}, {{3, 64}, {64, 80}});
  m[m.functions().front()].target = "cpu:precision=standard";
  passes::kernel_options options;
  options.precision = precision::f16;
  options.constrained = [](const passes::kernel_options& program, std::string_view said) {
    passes::kernel_options own = program;
    if (said == "cpu:precision=standard") own.precision = precision::standard;
    return own;
  };
  CHECK(narrowed(m, {fine({3, 64}, 2)}, options).report.rounded == 0);
}

TEST_CASE("others that read a constant have it as it was") {
  example e{{3, 64}, {64, 80}};
  e.read_otherwise = true;
  const ir::module m = graph_of(op::matmul{}, e);
  for (precision p : {precision::f16, precision::bf16, precision::int8}) {
    const result r = narrowed(m, {fine(e.x, 2)}, {.precision = p});
    CHECK(r.report.rounded == 1);
    const std::vector<tensor> x{fine(e.x, 2)};
    CHECK(same_bits(interpret(r.m, "main", x)[1], interpret(m, "main", x)[1]));
  }
}

TEST_CASE("tables of 16 bits are read as they came, with the weight that is the same transposed") {
  for (dtype t : {dtype::f16, dtype::bf16}) {
    ir::module m;
    const type_id types[] = {m.intern(ir::type::tensor(dtype::i64, {5})),
                             m.intern(ir::type::tensor(dtype::f32, {2, 24}))};
    const function_id f = m.add_function("main", ir::function_kind::graph, types);
    m[f].entry = true;
    ir::builder<> b(m, m[f].body);
    const value_id table =
        b.make(op::cast{dtype::f32}, {b.make(op::constant{m.add_constant(fine({50, 24}, 1).cast(t))}, {})});
    const std::vector<value_id> arguments = m[m[f].body].arguments;
    const std::vector<value_id> results{b.make(op::gather{}, {table, arguments[0]}),
                                        b.make(op::matmul{}, {arguments[1], b.make(op::transpose{{1, 0}}, {table})})};
    b.make_op(op::return_{}, results, {});
    for (value_id v : results) m[f].result_types.push_back(m[v].type);
    const result r = narrowed(m, {tensor::from<i64>({5}, {0, 49, 7, 7, -1}), fine({2, 24}, 2)});
    CHECK(r.off == 0);
    CHECK(r.weights == kinds{t});
    bool read = false;
    ir::for_each_op(r.m, [&](op_id op) {
      if (r.m.view(op).is<op::gather>()) read = r.m.view(op).operand_type(0).elem == t;
    });
    CHECK(read);
  }
}
