// needs: llvm onednn
// Convolutions by oneDNN, the rest by native code, in one program.
#include <tenon/targets/onednn.hpp>

#include <doctest/doctest.h>

#include <tenon/definitions/onednn.hpp>
#include <tenon/importers/graph.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/artifact_calls.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/cpu_with.hpp>
#include <tenon/text/all.hpp>

#include <support/caught.hpp>

using namespace tenon;

namespace {

// [onednn]
using fast = targets::cpu_with<"cpu_onednn", targets::onednn>;  // oneDNN's patterns first, LLVM for the rest
// [end]
using all_by_it = targets::cpu_with<"cpu_onednn_all", targets::onednn, targets::onednn_products>;
static_assert(is_complete<fast> && is_complete<all_by_it>);

tensor numbers(std::vector<i64> shape, int seed) {
  tensor t(dtype::f32, std::move(shape));
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>((i * 37 + seed) % 23 - 11) / 32);
  return t;
}

/// One convolution of x by a constant, with what may stand around it; without Winograd's way, so that each is oneDNN's.
struct example {
  std::string text, pattern;
  std::vector<i64> x, w, y;
};
const example examples[] = {
    {"%c = conv(%x, %w, %b) {pads = [1, 1, 1, 1]}", "conv", {2, 3, 9, 8}, {8, 3, 3, 3}, {2, 8, 9, 8}},
    {"%c = conv(%x, %w, %b) {strides = [2, 1], pads = [0, 1, 1, 2]}", "conv", {1, 5, 9, 8}, {6, 5, 3, 3}, {1, 6, 4, 9}},
    {"%c = conv(%x, %w, %b) {dilations = [2, 3]}", "conv", {1, 4, 9, 9}, {16, 4, 3, 2}, {1, 16, 5, 6}},
    {"%c = conv(%x, %w, %b) {group = 2}", "conv", {1, 8, 6, 6}, {6, 4, 1, 1}, {1, 6, 6, 6}},
    {"%c = conv(%x, %w, %b) {group = 2, pads = [1, 1, 1, 1]}", "conv", {2, 6, 5, 7}, {10, 3, 3, 3}, {2, 10, 5, 7}},
    {"%c = conv(%x, %w, %b) {group = 8, pads = [1, 1, 1, 1]}", "conv", {1, 8, 6, 6}, {8, 1, 3, 3}, {1, 8, 6, 6}},
    {"%c = conv(%x, %w) {strides = [2, 2]}", "conv", {1, 4, 6, 6}, {8, 4, 1, 1}, {1, 8, 3, 3}},
    {"%m = matmul(%x, %w) : tensor<12x8xf32>\n  %c = add(%m, %b)", "matmul_bias", {12, 5}, {5, 8}, {12, 8}},
    {"%c = matmul(%x, %w)", "matmul", {12, 5}, {5, 8}, {12, 8}},
};
std::string shape_of(const std::vector<i64>& s) {
  std::string t;
  for (i64 d : s) t += std::to_string(d) + "x";
  return "tensor<" + t + "f32>";
}
ir_module<phases::ingestion> model(const example& e, bool addend, bool relu) {
  const std::string y = shape_of(e.y), b = "tensor<" + std::to_string(e.y[1]) + "xf32>";
  std::string text =
      "tenon.module phase=ingestion\nconstant #0 : tensor<f32> = [0]\nfunc entry @main(%x: " + shape_of(e.x) +
      ", %a: " + y + ") -> (" + y + ") inputs(\"x\", \"a\") outputs(\"y\") {\n";
  text += "  %w = constant() {value = #1} : " + shape_of(e.w) + "\n  %b = constant() {value = #2} : " + b +
          "\n  %z = constant() {value = #0} : tensor<f32>\n  " + e.text + " : " + y + "\n";
  std::string last = "%c";
  if (addend) text += "  %s = add(%a, %c) : " + y + "\n", last = "%s";
  if (relu) text += "  %r = maximum(" + last + ", %z) : " + y + "\n", last = "%r";
  text += "  %e = cosh(" + last + ") : " + y + "\n  return(%e)\n}\n";
  const auto list = [](const tensor& t) {
    std::string s;
    for (i64 i = 0; i < t.size(); ++i) s += (i == 0 ? "" : ", ") + std::to_string(t.at_f64(i));
    return s;
  };
  text.insert(text.find("func"), "constant #1 : " + shape_of(e.w) + " = [" + list(numbers(e.w, 1)) +
                                     "]\nconstant #2 : " + b + " = [" + list(numbers({e.y[1]}, 2)) + "]\n");
  return parse<phases::ingestion>(text);
}

}  // namespace

TEST_CASE("each convolution, with what is added to it and a relu, is one call of oneDNN and means the same") {
  for (const example& e : examples)
    for (const bool addend : {false, true})
      for (const bool relu : {false, true}) {
        INFO(e.text << std::string(addend ? " add" : "") << std::string(relu ? " relu" : ""));
        const auto m = model(e, addend, relu);
        const std::vector<tensor> in{numbers(e.x, 3), numbers(e.y, 4)}, want = interpret(m.body(), "main", in);
        context cx;
        all_by_it target;
        target.winograd = targets::winograd::off;
        target.configure(cx);
        const auto built = build<all_by_it>(m.clone(), cx);
        CHECK(ir::artifact_calls(built.body()).size() == 1);
        const partition_report* const r = cx.find<partition_report>();
        REQUIRE(r);
        REQUIRE(r->parts.size() == 1);
        const std::string pattern = e.pattern + (addend ? "_add" : "") + (relu ? "_relu" : "");
        CHECK(r->parts[0].patterns == std::vector<std::string>{pattern});
        const auto code = all_by_it::runtime::load(built.body());
        for (int threads : {1, 2, 1}) {
          const comparison c = compare(code->run(in, threads)[0], want[0], {1e-5, 1e-5, 1e-5});
          CHECK_MESSAGE(c.ok, c.message);
        }
      }
}

TEST_CASE("convolutions of one tap are products by then: native, or oneDNN's with what is added to them") {
  nn::graph g("block");
  const auto weight = [&](std::vector<i64> shape, int seed) { return g.constant(numbers(std::move(shape), seed)); };
  const auto x = g.input<float>("x", {2, 8, 9, 7});
  const auto a = nn::relu(nn::conv(x, weight({8, 8, 3, 3}, 1), weight({8}, 2), {.pads = {1, 1, 1, 1}}));
  const auto b = nn::relu(nn::conv(a, weight({16, 8, 1, 1}, 3), weight({16}, 4)));
  const auto c = nn::relu(nn::conv(b, weight({8, 16, 1, 1}, 5), weight({8}, 6)) + a);
  g.output("y", nn::conv(c, weight({4, 8, 3, 3}, 7), {.strides = {2, 2}}));
  const auto m = std::move(g).finish();
  const std::vector<tensor> in{numbers({2, 8, 9, 7}, 8)}, want = interpret(m.body(), "main", in);
  const auto check = [&](auto target, const std::vector<std::string>& patterns) {
    using Target = decltype(target);
    context cx;
    target.winograd = targets::winograd::off;
    target.configure(cx);
    const auto built = build<Target>(m.clone(), cx);
    std::vector<std::string> found;
    for (const auto& part : cx.get<partition_report>().parts)
      found.insert(found.end(), part.patterns.begin(), part.patterns.end());
    std::sort(found.begin(), found.end());
    CHECK(found == patterns);
    const comparison same = compare(Target::runtime::load(built.body())->run(in, 1)[0], want[0], {1e-4, 1e-4, 1e-4});
    CHECK_MESSAGE(same.ok, same.message);
  };
  check(fast(), {"conv", "conv_relu"});
  check(all_by_it(), {"conv", "conv_relu", "matmul_bias_add_relu", "matmul_bias_relu"});
}

TEST_CASE("images of any size, and products of any number of rows, are served by the same calls") {
  const auto check = [](const std::string& body, std::vector<i64> w, const char* x_type, const char* y_type,
                        const std::vector<std::vector<i64>>& sizes) {
    const auto list = [](const tensor& t) {
      std::string s;
      for (i64 i = 0; i < t.size(); ++i) s += (i == 0 ? "" : ", ") + std::to_string(t.at_f64(i));
      return s;
    };
    const std::string y = std::string(" : ") + y_type,
                      b = "tensor<" + std::to_string(w[w.size() == 2 ? 1 : 0]) + "xf32>";
    std::string text = "tenon.module phase=ingestion\nconstant #0 : tensor<f32> = [0]\nconstant #1 : " + shape_of(w) +
                       " = [" + list(numbers(w, 1)) + "]\nconstant #2 : " + b + " = [" +
                       list(numbers({w[w.size() == 2 ? 1 : 0]}, 2)) + "]\nfunc entry @main(%x: " + x_type + ") -> (" +
                       y_type + ") inputs(\"x\") outputs(\"y\") {\n  %w = constant() {value = #1} : " + shape_of(w) +
                       "\n  %b = constant() {value = #2} : " + b + "\n  %z = constant() {value = #0} : tensor<f32>\n" +
                       body + "}\n";
    for (size_t at; (at = text.find(" : Y")) != std::string::npos;) text.replace(at, 4, y);
    const auto m = parse<phases::ingestion>(text);
    context cx;
    all_by_it target;
    target.winograd = targets::winograd::off;
    target.configure(cx);
    const auto built = build<all_by_it>(m.clone(), cx);
    CHECK(ir::artifact_calls(built.body()).size() == 2);
    const auto code = all_by_it::runtime::load(built.body());
    for (const auto& size : sizes)
      for (int threads : {1, 2}) {
        const std::vector<tensor> in{numbers(size, 3)};
        const comparison c = compare(code->run(in, threads)[0], interpret(m.body(), "main", in)[0], {1e-4, 1e-4, 1e-4});
        CHECK_MESSAGE(c.ok, c.message);
      }
  };
  std::vector<std::vector<i64>> many;  // more than are kept
  for (i64 n = 1; n <= 20; ++n) many.push_back({1, 4, n, 23 - n});
  many.insert(many.end(), {{3, 4, 5, 6}, {0, 4, 5, 6}, {1, 4, 1, 22}});
  check(
      "  %c = conv(%x, %w, %b) {pads = [1, 1, 1, 1]} : Y\n  %e = maximum(%c, %z) : Y\n"
      "  %d = conv(%e, %w, %b) {pads = [1, 1, 1, 1]} : Y\n  %s = add(%e, %d) : Y\n  %r = maximum(%s, %z) : Y\n"
      "  return(%r)\n",
      {4, 4, 3, 3}, "tensor<Nx4xHxWxf32>", "tensor<Nx4xHxWxf32>", many);
  check(
      "  %c = matmul(%x, %w) : Y\n  %s = add(%c, %b) : Y\n  %e = maximum(%s, %z) : Y\n  %d = matmul(%e, %w) : Y\n"
      "  return(%d)\n",
      {5, 5}, "tensor<Nx5xf32>", "tensor<Nx5xf32>", {{9, 5}, {1, 5}, {0, 5}, {40, 5}});
}

TEST_CASE("OpenMP's number of threads stays what it was") {
  if (omp_get_max_threads == nullptr) return;  // oneDNN without OpenMP
  const auto m = model(examples[0], false, false);
  const auto code = fast::runtime::load(build<fast>(m.clone()).body());
  omp_set_num_threads(3);
  (void)code->run(std::vector<tensor>{numbers(examples[0].x, 3), numbers(examples[0].y, 4)}, 1);
  CHECK(omp_get_max_threads() == 3);
}

TEST_CASE("as the how-to page says it") {
  auto m = model(examples[1], true, true);
  const std::vector<tensor> inputs{numbers(examples[1].x, 3), numbers(examples[1].y, 4)};
  const std::vector<tensor> want = interpret(m.body(), "main", inputs);
  // [run_onednn]
  fast target;
  target.threads = 2;
  const auto built = build<fast>(std::move(m), target);
  const program p = load(built.body(), external_formats<targets::onednn>());
  const std::vector<tensor> y = p.run(inputs, 2);
  // [end]
  CHECK(compare(y[0], want[0], {1e-5, 1e-5, 1e-5}).ok);
}

TEST_CASE("artifacts are checked when they are loaded") {
  const auto load = [](std::vector<char> bytes) {
    return tenon::testing::code_of([&] { (void)targets::onednn_code_generator::load(bytes); });
  };
  const auto m = model(examples[0], false, true);
  const auto built = build<fast>(m.clone());
  for (const ir::artifact& a : built.body().artifacts())
    if (a.format == "onednn_call") {
      CHECK(load(a.bytes) == "none");
      std::vector<char> cut = a.bytes, zeros(a.bytes.size()), still = a.bytes;
      std::fill_n(still.begin() + 13 * sizeof(i64), sizeof(i64), 0);  // its first stride
      cut.pop_back();
      CHECK(load(cut) == "onednn.artifact");
      CHECK(load(zeros) == "onednn.artifact");
      CHECK(load(still) == "onednn.artifact");
    }
}
