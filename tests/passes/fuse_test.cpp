// What meets in one kernel, what does not, and that a group is never part of a cycle.
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/lowering_table.hpp>

#include <support/graph.hpp>

using namespace graph_test;

namespace mine {
using namespace tenon;

/// An op of a user's with loops of its own, `store` at their end.
struct running_mean {
  static constexpr fixed_string name = "running_mean";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1, .fusion = {.anchor = true}};
};
[[maybe_unused]] void infer(const running_mean&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
[[maybe_unused]] void lower(const running_mean&, lower_context& cx) {
  cx.b().nest(cx.extents(cx.operand_type(0)), [&](const index_list& at) { cx.store(cx.load(0, at), 0, at); });
}
}  // namespace mine

namespace {

/// The ops of each group, in order, as text: "conv add maximum | mul exp".
std::string groups(const ir_module<phases::optimization>& m) {
  std::string s;
  ir::for_each_op(m.body(), m.body()[m.body().find_function("main")].body, [&](op_id o) {
    const ir::op_view v = m.body().view(o);
    if (!v.is<op::fused>()) return;
    if (!s.empty()) s += " | ";
    for (op_id inner : m.body()[v.region()].ops)
      if (!m.body().view(inner).is<op::yield>())
        s += (s.empty() || s.back() == ' ' ? "" : " ") + std::string(m.body().view(inner).name());
  });
  return s;
}

}  // namespace

TEST_CASE("elementwise ops join behind a convolution") {
  const auto m = ran<passes::fuse>(R"(
constant #0 : tensor<f32> = [0]
func entry @main(%0: tensor<1x2x4x4xf32>, %1: tensor<3x2x1x1xf32>, %2: tensor<3x1x1xf32>) -> (tensor<1x3x4x4xf32>) {
  %3 = constant() {value = #0} : tensor<f32>
  %4 = conv(%0, %1) : tensor<1x3x4x4xf32> loc("conv_1")
  %5 = add(%4, %2) : tensor<1x3x4x4xf32>
  %6 = maximum(%5, %3) : tensor<1x3x4x4xf32>
  return(%6)
})");
  CHECK(groups(m) == "conv add maximum");
  ir::for_each_op(m.body(), [&](op_id o) {
    if (!m.body().view(o).is<op::fused>()) return;
    CHECK(m.body().view(o).operand_count() == 4);
    CHECK(m.body().view(o).result_count() == 1);
    CHECK(m.body().text(m.body()[o].location) == "conv_1");
  });
}

TEST_CASE("producers stay out of convolutions, consumers of another shape too") {
  const auto m = ran<passes::fuse>(R"(
func entry @main(%0: tensor<1x2x4x4xf32>, %1: tensor<3x2x1x1xf32>, %2: tensor<2x3x4x4xf32>) -> (tensor<2x3x4x4xf32>) {
  %3 = exp(%0) : tensor<1x2x4x4xf32>
  %4 = conv(%3, %1) : tensor<1x3x4x4xf32>
  %5 = add(%4, %2) : tensor<2x3x4x4xf32>
  return(%5)
})");
  CHECK(groups(m) == "");
}

TEST_CASE("zeros around an image join behind what makes it, where contractions read them") {
  const auto m = ran<passes::fuse>(R"(
constant #0 : tensor<f32> = [0]
func entry @main(%0: tensor<1x4x4x2xf32>, %1: tensor<1x1x2x3xf32>, %2: tensor<3x3x3x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x8x4x3xf32>) {
  %3 = constant() {value = #0} : tensor<f32>
  %4 = conv(%0, %1) {layout = channels_last} : tensor<1x4x4x3xf32>
  %5 = maximum(%4, %3) : tensor<1x4x4x3xf32>
  %6 = pad(%5) {before = [1, 1], after = [1, 1], axes = [1, 2]} : tensor<1x6x6x3xf32>
  %7 = conv(%6, %2) {layout = channels_last} : tensor<1x4x4x2xf32>
  %8 = pad(%5) {before = [2], after = [2], axes = [1]} : tensor<1x8x4x3xf32>
  %9 = exp(%8) : tensor<1x8x4x3xf32>
  return(%7, %9)
})");
  CHECK(groups(m) == "conv maximum pad | pad exp");
}

TEST_CASE("convolutions read a few planes as they are, and many with their channels last") {
  const auto m = ran<passes::fuse>(R"(
func entry @main(%0: tensor<1x3x4x4xf32>, %1: tensor<3x3x3x5xf32>, %2: tensor<1x9x4x4xf32>, %3: tensor<3x3x9x5xf32>) -> (tensor<1x2x2x5xf32>, tensor<1x2x2x5xf32>) {
  %4 = transpose(%0) {permutation = [0, 2, 3, 1]} : tensor<1x4x4x3xf32>
  %5 = conv(%4, %1) {layout = channels_last} : tensor<1x2x2x5xf32>
  %6 = transpose(%2) {permutation = [0, 2, 3, 1]} : tensor<1x4x4x9xf32>
  %7 = conv(%6, %3) {layout = channels_last} : tensor<1x2x2x5xf32>
  return(%5, %7)
})");
  CHECK(groups(m) == "transpose conv");
}

TEST_CASE("a residual block: the sum joins the last convolution only when nothing is in between") {
  const auto m = ran<passes::fuse>(R"(
constant #0 : tensor<f32> = [0]
func entry @main(%0: tensor<1x2x4x4xf32>, %1: tensor<2x2x1x1xf32>, %2: tensor<2x2x1x1xf32>) -> (tensor<1x2x4x4xf32>) {
  %3 = constant() {value = #0} : tensor<f32>
  %4 = conv(%0, %1) : tensor<1x2x4x4xf32>
  %5 = maximum(%4, %3) : tensor<1x2x4x4xf32>
  %6 = conv(%5, %2) : tensor<1x2x4x4xf32>
  %7 = add(%6, %5) : tensor<1x2x4x4xf32>
  %8 = maximum(%7, %3) : tensor<1x2x4x4xf32>
  return(%8)
})");
  CHECK(groups(m) == "conv maximum | conv add maximum");
}

TEST_CASE("a reduction reads its cheap producers; the mean joins behind it") {
  const auto m = ran<passes::fuse>(R"(
constant #0 : tensor<f32> = [0.25]
func entry @main(%0: tensor<3x4xf32>, %1: tensor<3x4xf32>) -> (tensor<3x1xf32>) {
  %2 = constant() {value = #0} : tensor<f32>
  %3 = sub(%0, %1) : tensor<3x4xf32>
  %4 = mul(%3, %3) : tensor<3x4xf32>
  %5 = reduce_sum(%4) {axes = [1]} : tensor<3x1xf32>
  %6 = mul(%5, %2) : tensor<3x1xf32>
  %7 = sqrt(%6) : tensor<3x1xf32>
  return(%7)
})");
  CHECK(groups(m) == "sub mul reduce_sum mul sqrt");
}

TEST_CASE("a layer normalization: the reduction has its own difference, and the other one is read once") {
  const auto m = ran<passes::fuse>(R"(
func entry @main(%0: tensor<3x4xf32>, %1: tensor<3x1xf32>) -> (tensor<3x4xf32>) {
  %2 = reduce_sum(%0) {axes = [1]} : tensor<3x1xf32>
  %3 = mul(%2, %1) : tensor<3x1xf32>
  %4 = sub(%0, %3) : tensor<3x4xf32>
  %5 = mul(%4, %4) : tensor<3x4xf32>
  %6 = reduce_sum(%5) {axes = [1]} : tensor<3x1xf32>
  %7 = exp(%6) : tensor<3x1xf32>
  %8 = div(%4, %7) : tensor<3x4xf32>
  return(%8)
})");
  CHECK(groups(m) == "reduce_sum mul | sub mul reduce_sum exp | sub div");
}

TEST_CASE("softmax reads trivial producers only") {
  const auto m = ran<passes::fuse>(R"(
func entry @main(%0: tensor<3x4xf32>, %1: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %2 = add(%0, %1) : tensor<3x4xf32>
  %3 = softmax(%2) : tensor<3x4xf32>
  %4 = exp(%1) : tensor<3x4xf32>
  %5 = softmax(%4) : tensor<3x4xf32>
  return(%3, %5)
})");
  CHECK(groups(m) == "add softmax");
}

TEST_CASE("chains, diamonds and shared values of elementwise ops are one group") {
  const auto m = ran<passes::fuse>(R"(
func entry @main(%0: tensor<3x4xf32>, %1: tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %2 = add(%0, %1) : tensor<3x4xf32>
  %3 = sigmoid(%2) : tensor<3x4xf32>
  %4 = mul(%2, %3) : tensor<3x4xf32>
  %5 = neg(%4) : tensor<3x4xf32>
  return(%5, %2)
})");
  CHECK(groups(m) == "add sigmoid mul neg");
  ir::for_each_op(m.body(), [&](op_id o) {
    if (m.body().view(o).is<op::fused>()) CHECK(m.body().view(o).result_count() == 2);
  });
}

TEST_CASE("nothing is computed more often than before by broadcasting it") {
  const auto m = ran<passes::fuse>(R"(
func entry @main(%0: tensor<3x1xf32>, %1: tensor<3x4xf32>) -> (tensor<3x4xf32>) {
  %2 = exp(%0) : tensor<3x1xf32>
  %3 = mul(%2, %1) : tensor<3x4xf32>
  return(%3)
})");
  CHECK(groups(m) == "");
}

TEST_CASE("movements join their only reader; views stay outside") {
  const auto m = ran<passes::fuse>(R"(
func entry @main(%0: tensor<3x4xf32>, %1: tensor<4x3xf32>, %2: tensor<12xf32>) -> (tensor<4x3xf32>, tensor<12xf32>) {
  %3 = exp(%0) : tensor<3x4xf32>
  %4 = transpose(%3) {permutation = [1, 0]} : tensor<4x3xf32>
  %5 = add(%4, %1) : tensor<4x3xf32>
  %6 = reshape(%5) {shape = [12]} : tensor<12xf32>
  %7 = mul(%6, %2) : tensor<12xf32>
  return(%5, %7)
})");
  CHECK(groups(m) == "exp transpose add");
  CHECK(count(m, "reshape") == 1);
}

TEST_CASE("concat is an anchor: elementwise ops before and behind it") {
  const auto m = ran<passes::fuse>(R"(
func entry @main(%0: tensor<1x4xf32>, %1: tensor<2x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %2 = exp(%0) : tensor<1x4xf32>
  %3 = neg(%1) : tensor<2x4xf32>
  %4 = concat(%2, %3) {axis = 0} : tensor<3x4xf32>
  %5 = sqrt(%4) : tensor<3x4xf32>
  return(%4, %5)
})");
  CHECK(groups(m) == "exp neg concat sqrt");
}

TEST_CASE("groups do not depend on each other in a cycle") {
  // add's sum needs the reduction of exp: exp and add cannot be in one group that the reduction is not in.
  const auto m = ran<passes::fuse>(R"(
func entry @main(%0: tensor<3x4xf32>) -> (tensor<3x4xf32>) {
  %1 = exp(%0) : tensor<3x4xf32>
  %2 = reduce_sum(%1) {axes = [1]} : tensor<3x1xf32>
  %3 = div(%1, %2) : tensor<3x4xf32>
  return(%3)
})");
  CHECK(groups(m) == "");
}

TEST_CASE("ops that end before others begin are put in a valid order") {
  const auto m = ran<passes::fuse>(R"(
func entry @main(%0: tensor<2x4xf32>, %1: tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %2 = matmul(%0, %1) : tensor<2x4xf32>
  %3 = exp(%2) : tensor<2x4xf32>
  %4 = matmul(%3, %1) : tensor<2x4xf32>
  %5 = tanh(%0) : tensor<2x4xf32>
  %6 = add(%2, %5) : tensor<2x4xf32>
  %7 = add(%6, %4) : tensor<2x4xf32>
  return(%7, %6)
})");
  CHECK(groups(m) == "matmul exp tanh add | matmul add");
}

TEST_CASE("at most so many values leave, and at most so many ops are in a group") {
  const char* text = R"(
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %1 = exp(%0) : tensor<4xf32>
  %2 = neg(%1) : tensor<4xf32>
  %3 = sqrt(%1) : tensor<4xf32>
  %4 = mul(%3, %2) : tensor<4xf32>
  return(%4, %3, %1)
})";
  CHECK(groups(ran(text, passes::fuse{})) == "exp neg sqrt mul");
  CHECK(groups(ran(text, passes::fuse{.max_outputs = 2})) == "neg sqrt mul");
  CHECK(groups(ran(text, passes::fuse{.max_ops = 1})) == "");
}

TEST_CASE("unused results make no empty group") {
  const auto m = ran<passes::fuse>(R"(
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>) {
  %1 = exp(%0) : tensor<4xf32>
  %2 = neg(%1) : tensor<4xf32>
  return(%0)
})");
  CHECK(count(m, "fused") == 0);
}

TEST_CASE("an op of a user's says that others may join its kernel") {
  using phase = extend<phases::optimization, mine::running_mean>;
  ir_module<phase> g;
  ir::module& m = g.body();
  const type_id t = m.intern(ir::type::tensor(dtype::f32, {4, 5}));
  const function_id f = m.add_function("main", ir::function_kind::graph, {&t, 1});
  ir::builder<phase::op_list> b(m, m[f].body);
  const value_id x = m[m[f].body].arguments[0];
  const value_id y = b.make(op::abs{}, {b.make(mine::running_mean{}, {x})});
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {t};
  for (bool known : {false, true}) {
    context cx;
    if (known) cx.set(more_lowerings{{detail::lowering_of<mine::running_mean>()}});
    auto fused = ir_module<phases::optimization>::adopt(ir::module(m));
    passes::fuse{}.run(fused, cx);
    CHECK(groups(fused) == (known ? "running_mean abs" : ""));
  }
}
