// needs: llvm
// Sizes of inputs that a model's branches do not allow are what an error names, not the model.
#include <doctest/doctest.h>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/cpu.hpp>

#include <support/caught.hpp>
#include "onnx_builder.hpp"

namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using namespace onnx_builder;
using tn::i64;
using tn::tensor;

namespace {

/// x times one of the weights, whose rows are 3 and 4.
std::string branch(const char* attribute, const std::string& weights) {
  const std::string g = message([&](pbf_writer& to) {
    to.add_message(1, node("MatMul", {"x", weights}, {weights + "_z"}));
    to.add_string(2, weights);
    to.add_message(12, open_value(weights + "_z"));
  });
  return message([&](pbf_writer& a) { a.add_string(1, attribute), a.add_message(6, g), a.add_int32(20, 5); });
}
model chosen(i64 columns) {
  model m;
  m.nodes = {node("If", {"mode"}, {"z"}, {branch("then_branch", "three"), branch("else_branch", "four")})};
  m.inputs = {value("x", {7, columns}), value("mode", {1}, elem_type::boolean)};
  m.outputs = {open_value("z")};
  m.initializers = {initializer<float>("three", {3, 2}, {1, 2, 3, 4, 5, 6}),
                    initializer<float>("four", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})};
  return m;
}
tn::error said(i64 columns, bool mode, const char* target) {
  tn::session s(decoded(chosen(-1)), tn::session_options{.target = target});
  tensor flag(tn::dtype::boolean, {1});
  flag.set_i64(0, mode);
  return tn::testing::caught([&] { s.run(std::vector{tensor(tn::dtype::f32, {7, columns}), flag}); });
}

}  // namespace

TEST_CASE("sizes that no branch allows, or not the one that is taken: which, and what would fit") {
  CHECK(said(3, true, "interpreter").code() == "none");
  CHECK(said(4, false, "interpreter").code() == "none");
  const tn::error taken = said(3, false, "interpreter");
  CHECK(taken.message().starts_with("else_branch is taken (by the value of 'mode'), which the shapes do not allow: "));
  CHECK(taken.hint() == "input 'x', dimension 1 is 3: 4 would fit");
  const tn::error neither = said(1000, true, "interpreter");
  CHECK(neither.message().starts_with("the shapes allow neither branch; then_branch: "));
  CHECK(neither.hint() == "input 'x', dimension 1 is 1000: 4 would fit");  // so would 3, which is farther away
}

TEST_CASE("a branch that the sizes rule out says which one it is, and which sizes do not go together") {
  const auto m = onnx::import_model(decoded(chosen(3)));
  std::vector<tn::op::raise> found;
  tn::ir::for_each_op(m.body(), [&](tn::op_id op) {
    if (const auto* r = m.body().view(op).get_if<tn::op::raise>()) found.push_back(*r);
  });
  REQUIRE(found.size() == 1);
  CHECK(found[0].branch == 1);
  CHECK(found[0].sizes == std::vector<i64>{7, 3, 4, 2, 1});  // of the operands, and what the op says of panels
}

TEST_CASE("code for all sizes finds it while it runs, in the branch that is taken: which size it may be") {
  tn::targets::register_cpu_target();
  CHECK(said(3, true, "cpu").code() == "none");
  CHECK(said(4, false, "cpu").code() == "none");
  CHECK(said(3, false, "cpu").hint() == "input 'x' is f32[7,3], of which dimension 1 may be another");
  CHECK(said(1000, true, "cpu").hint() == "input 'x' is f32[7,1000], of which dimension 1 may be another");
}

TEST_CASE("a model is to be exported again only where it is wrong whatever it is given") {
  const auto hint = [](i64 columns) {
    return tn::testing::caught([&] { onnx::import_model(decoded(chosen(columns)), {.shapes = {{"x", {7, 5}}}}); })
        .hint();
  };
  CHECK(hint(-1) == "input 'x' is f32[7,5], of which dimension 1 may be another");
  CHECK(hint(5) == "the model breaks the rules of the operator: export it again");
}

TEST_CASE("a list whose length is a symbol, where one length alone fits") {
  const auto run = [](const model& m, const std::vector<tensor>& inputs) {
    tn::targets::register_cpu_target();
    const tensor want = tn::session(decoded(m), tn::session_options{.target = "interpreter"}).run(inputs)[0];
    const tensor got = tn::session(decoded(m), tn::session_options{.target = "cpu"}).run(inputs)[0];
    CHECK(got.shape() == want.shape());
    CHECK(tn::compare(got, want).ok);
    return got;
  };
  model quantize;  // a vector has no axis 1
  quantize.nodes = {node("QuantizeLinear", {"x", "scale", "zero"}, {"y"})};
  quantize.inputs = {value("x", {3}), value("scale", {-1}), value("zero", {-1}, elem_type::uint8)};
  quantize.outputs = {open_value("y")};
  tensor zero(tn::dtype::u8, {1});
  zero.set_i64(0, 100);
  const std::vector<tensor> in{tensor::from<float>({3}, {-1, 0, 1}), tensor::from<float>({1}, {0.5f}), zero};
  CHECK(tn::compare(run(quantize, in), tensor::from<unsigned char>({3}, {98, 100, 102})).ok);

  model product;  // neither has it rows
  product.nodes = {node("MatMulInteger", {"a", "b", "zero"}, {"y"})};
  product.inputs = {value("a", {2}, elem_type::uint8), value("b", {2, 1}, elem_type::uint8),
                    value("zero", {-1}, elem_type::uint8)};
  product.outputs = {open_value("y")};
  const std::vector<tensor> bytes{tensor::from<unsigned char>({2}, {101, 99}),
                                  tensor::from<unsigned char>({2, 1}, {5, 3}), zero};
  CHECK(run(product, bytes).shape() == std::vector<i64>{1});
  CHECK(run(product, bytes).at_i64(0) == 2);

  model crop;
  crop.opset = 18;
  crop.nodes = {node("CenterCropPad", {"x", "sizes"}, {"y"}, {attribute("axes", {1, 0})})};
  crop.inputs = {value("x", {2, 3}), value("sizes", {-1}, elem_type::int64)};
  crop.outputs = {open_value("y")};
  const std::vector<tensor> image{tensor::from<float>({2, 3}, {1, 2, 3, 4, 5, 6}), tensor::from<i64>({2}, {1, 3})};
  CHECK(tn::compare(run(crop, image), tensor::from<float>({3, 1}, {2, 5, 0})).ok);
  const std::vector<tensor> short_list{image[0], tensor::from<i64>({1}, {1})};
  for (const char* target : {"interpreter", "cpu"})
    CHECK(tn::testing::caught([&] {
            tn::session(decoded(crop), tn::session_options{.target = target}).run(short_list);
          }).code() != "none");
}
