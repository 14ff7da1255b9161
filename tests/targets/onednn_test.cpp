// needs: llvm onednn
// Convolutions by oneDNN, the rest by native code, in one program.
#include <tenon/targets/onednn.hpp>

#include <doctest/doctest.h>

#include <tenon/definitions/onednn.hpp>
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
static_assert(is_complete<fast>);

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
        fast target;
        target.winograd = targets::winograd::off;
        target.configure(cx);
        const auto built = build<fast>(m.clone(), cx);
        CHECK(ir::artifact_calls(built.body()).size() == 1);
        const partition_report* const r = cx.find<partition_report>();
        REQUIRE(r);
        REQUIRE(r->parts.size() == 1);
        const std::string pattern = e.pattern + (addend ? "_add" : "") + (relu ? "_relu" : "");
        CHECK(r->parts[0].patterns == std::vector<std::string>{pattern});
        const auto code = fast::runtime::load(built.body());
        for (int threads : {1, 2, 1}) {
          const comparison c = compare(code->run(in, threads)[0], want[0], {1e-5, 1e-5, 1e-5});
          CHECK_MESSAGE(c.ok, c.message);
        }
      }
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
      std::vector<char> cut = a.bytes, zeros(a.bytes.size());
      cut.pop_back();
      CHECK(load(cut) == "onednn.artifact");
      CHECK(load(zeros) == "onednn.artifact");
    }
}
