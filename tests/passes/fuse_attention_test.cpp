/// @file fuse_attention_test: what becomes attention means the same, and what does not pay stays as it is.
#include <doctest/doctest.h>

#include <tenon/compile/run.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/fuse_attention.hpp>
#include <tenon/text/parse.hpp>

#include "support/lowered.hpp"

namespace {
using namespace tenon;
using testing::random_tensor;

/// An entry of q [2, 16, 4], k [2, 4, 64], v [2, 64, 5] and what `more` says, whose result is %y.
ir::module module_of(const std::string& body, const std::string& more = {}, const std::string& elem = "f32",
                     const std::string& queries = "16") {
  const std::string q = "2x" + queries + "x";
  return parse("tenon.module phase=optimization\nconstant #0 : tensor<" + elem +
               "> = [0.25]\nconstant #1 : tensor<2x1x1x" + elem + "> = [0.25, 0.5]\nfunc entry @main(%q: tensor<" + q +
               "4x" + elem + ">, %k: tensor<2x4x64x" + elem + ">, %v: tensor<2x64x5x" + elem + ">" + more +
               ") -> (tensor<" + q + "5x" + elem + ">) {\n" + body + "\nreturn(%y)\n}\n");
}
/// One line of such a body.
std::string line(const std::string& name, const std::string& what, const std::string& shape = "2x16x64") {
  return "%" + name + " = " + what + " : tensor<" + shape + "xf32>\n";
}

/// How many ops of attention there are then, after checking that the meaning stayed, and that a second run does no
/// more.
int fused(const ir::module& given) {
  auto m = ir_module<phases::optimization>::adopt(ir::module(given));
  context cx;
  const auto run = [&] { passes::fuse_attention{.least_scores = 256}.run(m, cx); };
  std::vector<tensor> inputs;
  unsigned seed = 1;
  for (value_id a : given[given[given.find_function("main")].body].arguments)
    inputs.push_back(random_tensor(given.type_of(a).elem, given.type_of(a).extents(), seed++, -2, 2));
  run();
  ir::verify<phases::optimization>(m.body());
  const auto& after = m;
  const auto count = [&] {
    int n = 0;
    ir::for_each_op(after.body(), [&](op_id op) { n += after.body().view(op).is<op::attention>(); });
    return n;
  };
  const int n = count();
  CHECK(testing::distance(interpret(after.body(), "main", inputs)[0], interpret(given, "main", inputs)[0]) < 1e-5);
  run();
  CHECK(count() == n);
  return n;
}
int fused(const std::string& body, const std::string& more = {}) { return fused(module_of(body, more)); }

const std::string product = line("s", "matmul(%q, %k)"), number = "%c = constant() {value = #0} : tensor<f32>\n",
                  numbers = "%c = constant() {value = #1} : tensor<2x1x1xf32>\n";
/// The softmax of a value, and its product by the values.
std::string weighed(const std::string& scores) {
  return line("w", "softmax(%" + scores + ")") + line("y", "matmul(%w, %v)", "2x16x5");
}
}  // namespace

TEST_CASE("scales and masks of every kind become attention") {
  CHECK(fused(product + weighed("s")) == 1);
  for (const char* scale : {"mul(%s, %c)", "mul(%c, %s)", "div(%s, %c)"})
    CHECK(fused(number + product + line("t", scale) + weighed("t")) == 1);
  for (const char* shape : {"64", "16x1", "16x64", "1x1x64", "2x16x64", "2x1x64"}) {
    const std::string more = std::string(", %m: tensor<") + shape + "xf32>",
                      bits = std::string(", %m: tensor<") + shape;
    CHECK(fused(product + line("t", "add(%s, %m)") + weighed("t"), more) == 1);
    CHECK(fused(number + product + line("u", "mul(%s, %c)") + line("t", "add(%m, %u)") + weighed("t"), more) == 1);
    CHECK(fused(number + product + line("t", "where(%m, %s, %c)") + weighed("t"), bits + "xbool>") == 1);
    CHECK(fused(number + product + line("t", "where(%m, %c, %s)") + weighed("t"), bits + "xbool>") == 1);
  }
  // A product may be a mask, of either one.
  CHECK(fused(product + line("m", "matmul(%q, %k)") + line("t", "add(%m, %s)") + weighed("t")) == 1);
  CHECK(fused(module_of("%s = matmul(%q, %k) : tensor<2x16x64xf64>\n%w = softmax(%s) : tensor<2x16x64xf64>\n"
                        "%y = matmul(%w, %v) : tensor<2x16x5xf64>",
                        "", "f64")) == 1);
}

TEST_CASE("what is no attention, or does not pay, stays") {
  CHECK(fused(product + line("t", "add(%s, %s)") + weighed("t")) == 0);  // used twice
  CHECK(fused(product + line("t", "tanh(%s)") + weighed("t")) == 0);
  CHECK(fused(product + line("w", "log_softmax(%s)") + line("y", "matmul(%w, %v)", "2x16x5")) == 0);
  CHECK(fused(numbers + product + line("t", "mul(%s, %c)") + weighed("t")) == 0);  // a scale for each matrix
  CHECK(fused(number + product + line("t", "div(%c, %s)") + weighed("t")) == 0);
  CHECK(fused(product + line("w", "softmax(%s) {axis = 1}") + line("y", "matmul(%w, %v)", "2x16x5")) == 0);
  CHECK(fused(product + line("t", "where(%m, %s, %f)") + weighed("t"), ", %m: tensor<64xbool>, %f: tensor<f32>") == 0);
  // A mask that makes more scores than the product has.
  CHECK(fused(line("s", "matmul(%p, %r)", "16x64") + line("t", "add(%s, %m)") + weighed("t"),
              ", %p: tensor<16x4xf32>, %r: tensor<4x64xf32>, %m: tensor<2x16x64xf32>") == 0);
  CHECK(fused(module_of("%s = matmul(%q, %k) : tensor<2x15x64xf32>\n%w = softmax(%s) : tensor<2x15x64xf32>\n"
                        "%y = matmul(%w, %v) : tensor<2x15x5xf32>",
                        "", "f32", "15")) == 0);
  CHECK(fused(module_of("%s = matmul(%q, %k) : tensor<2x16x64xf16>\n%w = softmax(%s) : tensor<2x16x64xf16>\n"
                        "%y = matmul(%w, %v) : tensor<2x16x5xf16>",
                        "", "f16")) == 0);
}

TEST_CASE("constant keys and values are left to pack_weights") {
  for (const int operand : {1, 2}) {
    ir::module m = module_of(product + weighed("s"));
    const region_id body = m[m.find_function("main")].body;
    ir::builder<> b(m, body);
    b.before(m[body].ops.front());
    const value_id given = m[body].arguments[static_cast<size_t>(operand)];
    const value_id known =
        b.make(op::constant{m.add_constant(random_tensor(dtype::f32, m.type_of(given).extents(), 9))}, {});
    m.replace_uses(given, known);
    CHECK(fused(m) == 0);
  }
}

TEST_CASE("ops that are to run on different targets stay apart") {
  ir::module m = module_of(product + weighed("s"));
  ir::for_each_op(m, [&](op_id op) {
    if (m.view(op).is<op::softmax>()) m[op].location = m.location("there", "other");
  });
  CHECK(fused(m) == 0);
}

TEST_CASE("attention says where all of its ops come from") {
  auto m = ir_module<phases::optimization>::adopt(module_of(product + weighed("s")));
  ir::module& body = m.body();
  ir::for_each_op(body,
                  [&](op_id op) { body[op].location = body.location("node " + std::string(body.view(op).name())); });
  context cx;
  passes::fuse_attention{.least_scores = 1}.run(m, cx);
  ir::for_each_op(body, [&](op_id op) {
    if (body.view(op).is<op::attention>()) CHECK(body.text(body[op].location) == "node matmul\nnode softmax");
  });
}
