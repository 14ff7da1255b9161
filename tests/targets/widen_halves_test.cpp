// needs: llvm
// f16 and bf16 held in f32 between ops: native code against formulas in f64, and against the interpreter on the graph
// whose halves are wide; what stays rounded; what programs take on disk.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include <tenon/compile/instruments/all.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/passes/bind_inputs.hpp>
#include <tenon/passes/widen_halves.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/all.hpp>

#include "support/normal.hpp"

using namespace tenon;
using targets::precision;
using testing::normal;

namespace {

/// `func entry @main(…) -> (…) { … }` with HALF for the element type.
ir::module module_of(std::string text, dtype half = dtype::f16) {
  for (size_t at; (at = text.find("HALF")) != text.npos;) text.replace(at, 4, name_of(half));
  return parse("tenon.module phase=ingestion\n" + text);
}
tensor run_on_cpu(const ir::module& m, const std::vector<tensor>& inputs, precision p = precision::standard) {
  const targets::cpu target{.threads = 1, .precision = p};
  return load(build<targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), target)).run(inputs, 1)[0];
}
tensor run_as_c(const ir::module& m, const std::vector<tensor>& inputs) {
  return load_c_source(build<targets::c_source>(ir_module<phases::ingestion>::adopt(ir::module(m))).body())
      .run(inputs)[0];
}
/// The largest difference from a function of the first input's elements.
double off(const tensor& got, const tensor& x, const std::function<double(double)>& f) {
  double error = 0;
  for (i64 i = 0; i < got.size(); ++i) {
    const double e = std::fabs(got.at_f64(i) - f(x.at_f64(i)));
    error = std::isnan(e) ? std::numeric_limits<double>::infinity() : std::max(error, e);
  }
  return error;
}
double relative_norm(const tensor& got, const tensor& want) {
  double error = 0, norm = 0;
  for (i64 i = 0; i < want.size(); ++i) {
    const double v = want.at_f64(i), d = got.at_f64(i) - v;
    error += d * d, norm += v * v;
  }
  return std::sqrt(error / norm);
}
bool same(const tensor& a, const tensor& b) {
  for (i64 i = 0; i < a.size(); ++i)
    if (!(a.at_f64(i) == b.at_f64(i))) return false;
  return a.type() == b.type() && a.shape() == b.shape();
}

constexpr const char* sums = R"(
constant #0 : tensor<HALF> = [1000]
func entry @main(%x: tensor<37xHALF>) -> (tensor<37xHALF>) inputs("x") outputs("y") {
  %c = constant() {value = #0} : tensor<HALF>
  %a = add(%x, %c) : tensor<37xHALF>
  %s = sub(%a, %c) : tensor<37xHALF>
  %y = mul(%s, %x) : tensor<37xHALF>
  return(%y)
}
)";

}  // namespace

TEST_CASE("a chain of halves is computed in f32: what an op rounded is not lost") {
  for (dtype half : {dtype::f16, dtype::bf16}) {
    const ir::module m = module_of(sums, half);
    const tensor x = normal({37}, 1).cast(half);
    const double last = half == dtype::f16 ? 0x1p-11 : 0x1p-8;  // of the result, which is below 8
    const auto square = [](double v) { return v * v; };
    // x + 1000 is off by up to 3.1e-5 in f32, by 1/4 in f16 and by 2 in bf16.
    const double close = 8 * last + 4 * 6.2e-5, rounds = off(interpret(m, "main", {&x, 1})[0], x, square);
    CHECK(rounds > 10 * close);
    CHECK(off(run_on_cpu(m, {x}), x, square) < close);
    CHECK(off(run_as_c(m, {x}), x, square) < close);
    CHECK(same(run_on_cpu(m, {x}, precision::strict), interpret(m, "main", {&x, 1})[0]));
  }
}

TEST_CASE("what halves cannot hold is finite between ops, and infinite at the end") {
  const ir::module m = module_of(R"(
func entry @main(%x: tensor<5xHALF>) -> (tensor<5xHALF>, tensor<5xHALF>) inputs("x") outputs("y", "z") {
  %s = mul(%x, %x) : tensor<5xHALF>
  %y = div(%s, %x) : tensor<5xHALF>
  return(%y, %s)
}
)");
  const tensor x = tensor::from<float>({5}, {300, -500, 2, 60000, 1}).cast(dtype::f16);
  const auto all = load(build<targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)))).run({x});
  CHECK(same(all[0], x));
  CHECK(all[1].at_f64(0) == std::numeric_limits<double>::infinity());
  CHECK(all[1].at_f64(2) == 4);
  CHECK(std::isinf(run_on_cpu(m, {x}, precision::strict).at_f64(0)));
}

TEST_CASE("a conversion that the model asks for rounds; one that stands for a result's type does not") {
  for (bool excess : {false, true}) {
    const ir::module m = module_of(std::string(R"(
func entry @main(%x: tensor<37xf32>) -> (tensor<37xf32>) inputs("x") outputs("y") {
  %e = exp(%x) : tensor<37xf32>
  %h = cast(%e) {to = HALF)") + (excess ? ", excess = true" : "") +
                                   R"(} : tensor<37xHALF>
  %s = mul(%h, %h) : tensor<37xHALF>
  %y = cast(%s) : tensor<37xf32>
  return(%y)
}
)");
    const tensor x = normal({37}, 2);
    const auto wanted = [&](double v) {
      const double e = std::exp(v),
                   h = excess ? e : static_cast<double>(static_cast<float>(half(static_cast<float>(e))));
      return h * h;
    };
    double largest = 0;
    for (i64 i = 0; i < x.size(); ++i) largest = std::max(largest, wanted(x.at_f64(i)));
    CHECK(off(run_on_cpu(m, {x}), x, wanted) < 1e-6 * largest);
    CHECK(off(interpret(m, "main", {&x, 1})[0], x, wanted) > 1e-5 * largest);
  }
}

TEST_CASE("what decides sees halves: the largest of a row is equal to itself, wherever it went") {
  const ir::module m = module_of(R"(
func entry @main(%x: tensor<4x9xHALF>, %z: tensor<4x9xHALF>) -> (tensor<8x9xbool>) inputs("x", "z") outputs("y") {
  %e = exp(%x) : tensor<4x9xHALF>
  %m = reduce_max(%e) {axes = [1]} : tensor<4x1xHALF>
  %c = concat(%e, %z) : tensor<8x9xHALF>
  %t = concat(%m, %m) : tensor<8x1xHALF>
  %y = equal(%c, %t) : tensor<8x9xbool>
  return(%y)
}
)");
  const tensor x = normal({4, 9}, 3).cast(dtype::f16), z = normal({4, 9}, 4).cast(dtype::f16);
  const tensor y = run_on_cpu(m, {x, z});
  for (i64 row = 0; row < 4; ++row) {
    i64 found = 0;
    for (i64 i = 0; i < 9; ++i) found += y.at_i64(row * 9 + i);
    CHECK(found >= 1);
  }
}

namespace {

/// Two 3x3 convolutions with a scale, a residual and an activation between them.
std::string convolutions(const char* type) {
  std::string text = R"(
func entry @main(%x: tensor<1x32x20x20xTYPE>, %v: tensor<32x32x3x3xTYPE>, %w: tensor<32x32x3x3xTYPE>,
                 %s: tensor<32x1x1xTYPE>) -> (tensor<1x32x20x20xTYPE>) inputs("x", "v", "w", "s") outputs("y") {
  %a = conv(%x, %v) {pads = [1, 1, 1, 1]} : tensor<1x32x20x20xTYPE>
  %b = mul(%a, %s) : tensor<1x32x20x20xTYPE>
  %c = add(%b, %x) : tensor<1x32x20x20xTYPE>
  %t = tanh(%c) : tensor<1x32x20x20xTYPE>
  %y = conv(%t, %w) {pads = [1, 1, 1, 1]} : tensor<1x32x20x20xTYPE>
  return(%y)
}
)";
  for (size_t at; (at = text.find("TYPE")) != text.npos;) text.replace(at, 4, type);
  return text;
}
/// The module with all inputs but the first one as constants.
ir_module<phases::ingestion> bound(ir::module m, const std::vector<tensor>& inputs) {
  passes::input_binding given;
  for (size_t i = 1; i < inputs.size(); ++i) given.values.emplace_back(static_cast<int>(i), inputs[i]);
  passes::bind(m, given);
  return ir_module<phases::ingestion>::adopt(std::move(m));
}

}  // namespace

TEST_CASE("convolutions of halves have the kernels of f32, and their errors are those of the last rounding") {
  std::vector<tensor> wide{normal({1, 32, 20, 20}, 1), normal({32, 32, 3, 3}, 2), normal({32, 32, 3, 3}, 3),
                           normal({32, 1, 1}, 4)},
      halves;
  for (tensor& t : wide) {
    if (t.rank() == 4 && t.shape()[0] == 32)
      for (float& v : t.data<float>()) v /= 17;
    halves.push_back(t.cast(dtype::f16));
    t = halves.back().cast(dtype::f64);
  }
  const tensor want = interpret(module_of(convolutions("f64")), "main", wide)[0];
  const ir::module m = module_of(convolutions("f16"));
  const targets::cpu target{.threads = 1};
  context cx;
  target.configure(cx);
  std::string tiles;
  instruments watch(cx, instrument::print_after{.pass = "use_winograd", .to = &tiles, .elide = true});
  auto graph = compile_to<phases::optimization, targets::cpu>(bound(m, halves), cx);
  const size_t first = tiles.find("winograd_conv(");
  CHECK(first != tiles.npos);
  CHECK(tiles.find("winograd_conv(", first + 1) != tiles.npos);
  const tensor of_graph = interpret(graph.body(), "main", halves)[0];
  const tensor got = load(build<targets::cpu>(std::move(graph), cx)).run(halves, 1)[0];
  const double rounded_once = relative_norm(want.cast(dtype::f16), want);
  CHECK(relative_norm(got, want) < 1.1 * rounded_once);
  CHECK(relative_norm(got, of_graph) < 0.1 * rounded_once);
  CHECK(relative_norm(interpret(m, "main", halves)[0], want) > 1.3 * rounded_once);
}

/// Ops of a program's own, of which one says that it computes.
struct cube {
  static constexpr fixed_string name = "cube";
  static constexpr op_traits traits{
      .elementwise = true, .min_operands = 1, .max_operands = 1, .excess = {excess_precision::computes}};
};
struct quantized {
  static constexpr fixed_string name = "quantized";
  static constexpr op_traits traits{.elementwise = true, .min_operands = 1, .max_operands = 1};
};
void infer(const cube&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
void infer(const quantized&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
template <class Op>
dtype computed_in() {
  ir::module m;
  const type_id t = m.intern(ir::type::tensor(dtype::f16, {4}));
  const function_id f = m.add_function("main", ir::function_kind::graph, {&t, 1});
  m[f].entry = true;
  ir::builder<typename extend<phases::optimization, Op>::op_list> b(m, m[f].body);
  const value_id y = b.make(Op{}, {m[m[f].body].arguments[0]});
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {t};
  context cx;
  targets::cpu{.threads = 1}.configure(cx);
  auto graph = ir_module<phases::optimization>::adopt(std::move(m));
  passes::widen_halves{}.run(graph, cx);
  return graph.body().type_of(y).elem;
}
TEST_CASE("an op of a program's own is of f32 if it says that it computes") {
  CHECK(computed_in<cube>() == dtype::f32);
  CHECK(computed_in<quantized>() == dtype::f16);
}

TEST_CASE("weights of products stay in the file as they are") {
  const ir::module m = module_of(R"(
func entry @main(%x: tensor<1x512xHALF>, %w: tensor<512x1024xHALF>) -> (tensor<1x1024xHALF>)
    inputs("x", "w") outputs("y") {
  %s = sigmoid(%x) : tensor<1x512xHALF>
  %p = matmul(%s, %w) : tensor<1x1024xHALF>
  %y = tanh(%p) : tensor<1x1024xHALF>
  return(%y)
}
)");
  const std::vector<tensor> inputs{normal({1, 512}, 1).cast(dtype::f16), normal({512, 1024}, 2).cast(dtype::f16)};
  const std::string path = "widen_halves_test.tenon";
  const auto built = build<targets::cpu>(bound(m, inputs), targets::cpu{.threads = 1});
  save(path, built);
  CHECK(static_cast<double>(std::filesystem::file_size(path)) / (512 * 1024) < 2.2);
  const tensor want = interpret(m, "main", inputs)[0];
  CHECK(relative_norm(program::open(path).run(inputs, 1)[0], want) < 1e-3);
  std::filesystem::remove(path);
}
