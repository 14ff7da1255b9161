// needs: llvm
// Products by weights of 16 and 8 bits as native code, against the interpreter on the same weights: rows, columns and
// depths of all sorts, convolutions, batches, processors; and what such programs take on disk.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/narrow_weights.hpp>
#include <tenon/targets/cpu.hpp>

#include "support/normal.hpp"

using namespace tenon;
using targets::precision;
using testing::normal;

namespace {

/// What one product is of: an image or rows, a weight as ONNX has it.
struct example {
  std::vector<i64> x, w;
  op::conv conv{};
  enum { product, convolution, transposed } kind = product;
  bool turned = false;  ///< a product by the transpose of the weight
  bool bias = false;
  bool symbolic_rows = false;  ///< the first extent is a symbol
  dtype given = dtype::f32;    ///< f16, bf16: cast to f32 in the model
};

ir::module module_of(const example& e) {
  ir::module m;
  std::vector<ir::dim> shape(e.x.begin(), e.x.end());
  if (e.symbolic_rows) shape[0] = ir::dim::symbol(m.symbol("n"));
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, shape))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<phases::ingestion::op_list> b(m, m[f].body);
  const auto constant = [&](tensor t) { return b.make(op::constant{m.add_constant(std::move(t))}, {}); };
  value_id w = constant(e.given == dtype::f32 ? normal(e.w, 1) : normal(e.w, 1).cast(e.given));
  if (e.given != dtype::f32) w = b.make(op::cast{dtype::f32}, {w});
  if (e.turned) w = b.make(op::transpose{{1, 0}}, {w});
  std::vector<value_id> operands{m[m[f].body].arguments[0], w};
  value_id y;
  if (e.kind == example::product) {
    y = m.result(b.make_op(op::matmul{}, operands));
    if (e.bias) y = b.make(op::add{}, {y, constant(normal({e.turned ? e.w[0] : e.w[1]}, 2))});
  } else {
    if (e.bias) operands.push_back(constant(normal({e.kind == example::convolution ? e.w[0] : e.w[1]}, 2)));
    y = e.kind == example::convolution
            ? m.result(b.make_op(e.conv, operands))
            : m.result(b.make_op(op::conv_transpose{.strides = e.conv.strides, .pads = e.conv.pads}, operands));
  }
  y = b.make(op::maximum{}, {y, constant(tensor::from<float>({}, {-0.5f}))});
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};
  return m;
}

/// The largest difference, relative to the largest element.
double error_of(const tensor& got, const tensor& want) {
  if (got.shape() != want.shape()) return 1e9;
  double error = 0, largest = 0;
  for (i64 i = 0; i < want.size(); ++i) {
    error = std::max(error, std::fabs(got.at_f64(i) - want.at_f64(i)));
    largest = std::max(largest, std::fabs(want.at_f64(i)));
  }
  return error / largest;
}

struct outcome {
  passes::narrowing_report report;
  double error = 0;     ///< from the interpreter on the graph whose weights are narrow
  double rounding = 0;  ///< from the model
};
outcome compare(const example& e, const targets::cpu& target) {
  const ir::module m = module_of(e);
  const std::vector<tensor> inputs{normal(e.x, 3)};
  context cx;
  target.configure(cx);
  auto graph = compile_to<phases::optimization, targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx);
  const tensor want = interpret(graph.body(), "main", inputs)[0], model = interpret(m, "main", inputs)[0];
  const program p = load(build<targets::cpu>(std::move(graph), cx));
  const tensor got = p.run(inputs, static_cast<int>(target.threads))[0];
  return {cx.get<passes::narrowing_report>(), error_of(got, want), error_of(got, model)};
}

const std::vector<example> examples{
    {{1, 300}, {300, 70}},
    {{1, 1024}, {1024, 1000}, {}, example::product, false, true},
    {{3, 129}, {65, 129}, {}, example::product, true},
    {{2, 19, 64}, {64, 100}, {}, example::product, false, true},
    {{200, 96}, {96, 130}, {}, example::product, false, true},
    {{7, 200}, {200, 33}, {}, example::product, false, true, true},
    {{1, 70, 9, 8}, {66, 70, 1, 1}, {.strides = {2, 2}}, example::convolution, false, true},
    {{2, 16, 13, 12}, {50, 16, 3, 3}, {.pads = {1, 1, 1, 1}}, example::convolution, false, true},
    {{1, 18, 15, 15}, {40, 18, 3, 3}, {.strides = {2, 2}}, example::convolution},
    {{2, 16, 13, 12}, {32, 16, 3, 3}, {.pads = {1, 1, 1, 1}}, example::convolution, false, true, true},
    {{1, 24, 6, 7}, {24, 50, 2, 2}, {.strides = {2, 2}}, example::transposed, false, true},
};

}  // namespace

TEST_CASE("weights that are rounded: what the interpreter computes with them, and how far that is from the model") {
  for (const example& e : examples)
    for (const auto& [p, most] : {std::pair{precision::f16, 1e-3}, {precision::bf16, 8e-3}, {precision::int8, 2e-2}})
      for (int threads : {1, 2}) {
        CAPTURE(shape_text(e.x));
        CAPTURE(shape_text(e.w));
        CAPTURE(static_cast<int>(p));
        const outcome o = compare(e, {.threads = threads, .precision = p});
        CHECK(o.report.rounded == 1);
        CHECK(o.error < 1e-5);
        CHECK(o.rounding < most);
        CHECK(o.rounding > most / 1000);
      }
}

TEST_CASE("weights that came with 16 bits: the numbers of the model") {
  for (example e : examples)
    for (dtype t : {dtype::f16, dtype::bf16}) {
      CAPTURE(shape_text(e.x));
      CAPTURE(shape_text(e.w));
      e.given = t;
      // 3x3 convolutions by transformed tiles have weights of f32.
      const outcome o = compare(e, {.threads = 1, .winograd = targets::winograd::off});
      CHECK(o.rounding < 1e-5);
      CHECK(o.report.rounded == 0);
      if (e.w[0] * e.w[1] > 1 << 14) CHECK(o.report.as_given == 1);  // smaller casts are folded
    }
}

TEST_CASE("processors with narrower vectors, and code for those with wider ones") {
  for (const char* arch : {"x86-64", "haswell"})
    for (precision p : {precision::f16, precision::bf16, precision::int8}) {
      CAPTURE(arch);
      targets::cpu target{.arch = arch, .threads = 1};
      target.precision = p;
      for (size_t i : {0u, 3u, 8u}) CHECK(compare(examples[i], target).error < 1e-5);
    }
  for (const char* arch : {"skylake-avx512", "sapphirerapids", "znver4"})
    for (precision p : {precision::f16, precision::bf16, precision::int8})
      for (size_t i : {1u, 7u}) {
        targets::cpu target{.arch = arch, .threads = 1};
        target.precision = p;
        const auto built = build<targets::cpu>(ir_module<phases::ingestion>::adopt(module_of(examples[i])), target);
        CHECK(!built.body().artifacts().empty());
      }
}

TEST_CASE("depthwise convolutions stay as they are") {
  example e{{1, 512, 9, 9}, {512, 1, 3, 3}, {.pads = {1, 1, 1, 1}, .group = 512}, example::convolution};
  const outcome o = compare(e, {.threads = 1, .precision = precision::f16});
  CHECK(o.report.rounded == 0);
  CHECK(o.rounding < 1e-5);
}

TEST_CASE("a program file is as small as its weights, and gives the same") {
  const std::string path = "narrow_weights_test.tenon";
  const example e{{2, 512}, {512, 1024}};
  const std::vector<tensor> inputs{normal(e.x, 3)};
  const auto size = [&](precision p) {
    const auto built = build<targets::cpu>(ir_module<phases::ingestion>::adopt(module_of(e)),
                                           targets::cpu{.threads = 1, .precision = p});
    save(path, built);
    CHECK(same_bits(program::open(path).run(inputs, 1)[0], load(built).run(inputs, 1)[0]));
    const auto bytes = static_cast<double>(std::filesystem::file_size(path));
    std::filesystem::remove(path);
    return bytes / (512 * 1024);
  };
  CHECK(size(precision::standard) > 4);
  CHECK(size(precision::f16) < 2.2);
  CHECK(size(precision::bf16) < 2.2);
  CHECK(size(precision::int8) < 1.2);
}
