/// @file onnx_einsum_test: an einsum that is a product of matrices is a `matmul`, whatever its letters are called and
/// wherever they stand; all of them are compared with sums written out here.
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/importers/onnx.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>

#include "on_cpu.hpp"
#include "onnx_builder.hpp"
#include "support/lowered.hpp"

namespace onnx = tenon::importers::onnx;
using namespace onnx_builder;
using tenon::dtype;
using tenon::i64;
using tenon::tensor;
using tenon::testing::random_tensor;

namespace {

using shape = std::vector<i64>;

/// The sum over all letters, one element after the other. An extent of 1 is that of every index.
tensor by_definition(const std::string& a, const std::string& b, const std::string& y, const tensor& u,
                     const tensor& v) {
  std::map<char, i64> extents, at;
  const auto learn = [&](const std::string& letters, const tensor& t) {
    for (size_t d = 0; d < letters.size(); ++d) {
      i64& e = extents[letters[d]];
      e = std::max(e, t.shape()[d]);
    }
  };
  learn(a, u), learn(b, v);
  const auto place = [&](const std::string& letters, const shape& s) {
    i64 r = 0;
    for (size_t d = 0; d < letters.size(); ++d) r = r * s[d] + (s[d] == 1 ? 0 : at[letters[d]]);
    return r;
  };
  shape result;
  for (char c : y) result.push_back(extents[c]);
  tensor sum(dtype::f32, result);
  for (i64 i = 0; i < sum.size(); ++i) sum.set_f64(i, 0);
  const auto go = [&](const auto& self, std::map<char, i64>::iterator letter) -> void {
    if (letter == extents.end()) {
      const i64 to = place(y, result);
      sum.set_f64(to, sum.at_f64(to) + u.at_f64(place(a, u.shape())) * v.at_f64(place(b, v.shape())));
      return;
    }
    for (i64 i = 0; i < letter->second; ++i) {
      at[letter->first] = i;
      self(self, std::next(letter));
    }
  };
  go(go, extents.begin());
  return sum;
}

struct counts {
  int products = 0, multiplications = 0, transposes = 0;
};
struct product {
  std::string a, b, y;
  shape of_a, of_b;

  std::string equation() const { return a + "," + b + "->" + y; }
  model text(int constant) const {
    model m;
    const tensor operands[] = {random_tensor(dtype::f32, of_a, 1), random_tensor(dtype::f32, of_b, 2)};
    const char* names[] = {"a", "b"};
    for (int i = 0; i < 2; ++i)
      if (i == constant) m.initializers.push_back(onnx::encode_tensor(operands[i], names[i]));
      else m.inputs.push_back(value(names[i], operands[i].shape()));
    m.outputs = {open_value("y")};
    m.nodes = {node("Einsum", {"a", "b"}, {"y"}, {attribute("equation", equation())})};
    return m;
  }
  /// `constant`: which operand is one; -1: none.
  counts check(int constant = -1) const {
    CAPTURE(equation());
    CAPTURE(constant);
    const tensor u = random_tensor(dtype::f32, of_a, 1), v = random_tensor(dtype::f32, of_b, 2);
    std::vector<tensor> inputs;
    if (constant != 0) inputs.push_back(u);
    if (constant != 1) inputs.push_back(v);
    const std::string bytes = text(constant).text();
    const auto module = onnx::import_model(onnx::decode_model(bytes, nullptr, "test.onnx"), {});
    const tensor want = by_definition(a, b, y, u, v);
    CHECK(tenon::testing::distance(tenon::interpret(module.body(), "main", inputs).at(0), want) == 0);
    check_on_cpu(bytes, inputs, {want});
    counts n;
    tenon::ir::for_each_op(module.body(), tenon::ir::function_kind::graph, [&](tenon::op_id op) {
      const auto view = module.body().view(op);
      n.products += view.is<tenon::op::matmul>(), n.multiplications += view.is<tenon::op::mul>();
      n.transposes += view.is<tenon::op::transpose>();
    });
    return n;
  }
};

}  // namespace

TEST_CASE("einsums of matrices, in batches, with several letters or none in a group") {
  const product all[] = {
      {"ij", "jk", "ik", {3, 4}, {4, 5}},
      {"ij", "kj", "ik", {3, 4}, {5, 4}},
      {"ji", "jk", "ki", {4, 3}, {4, 5}},
      {"ij", "j", "i", {3, 4}, {4}},
      {"j", "jk", "k", {4}, {4, 5}},
      {"j", "j", "", {4}, {4}},
      {"bij", "bjk", "bik", {2, 3, 4}, {2, 4, 5}},
      {"bij", "bjk", "bik", {1, 3, 4}, {1, 4, 5}},
      {"bij", "bjk", "bik", {1, 3, 4}, {2, 4, 5}},
      {"bij", "bjk", "ikb", {2, 1, 4}, {2, 4, 5}},
      {"bhid", "bhjd", "bhij", {1, 2, 3, 4}, {1, 2, 5, 4}},
      {"bihd", "bjhd", "bhij", {2, 3, 2, 4}, {2, 5, 2, 4}},
      {"bhij", "bjhd", "bihd", {1, 2, 3, 4}, {1, 4, 2, 5}},
      {"bsd", "dhe", "bshe", {1, 3, 4}, {4, 2, 3}},
      {"bshe", "hed", "bsd", {1, 3, 2, 3}, {2, 3, 4}},
      {"bsd", "dhe", "bhse", {2, 3, 4}, {4, 2, 3}},
      {"fd", "bsd", "bsf", {5, 4}, {2, 3, 4}},
      {"bac", "bdc", "bda", {2, 3, 4}, {2, 5, 4}},
      {"abij", "cdij", "abcd", {2, 3, 2, 2}, {3, 2, 2, 2}},
      {"bij", "bij", "b", {2, 3, 4}, {2, 3, 4}},
      {"bi", "bj", "bij", {2, 3}, {2, 4}},
      {"ij", "jk", "ik", {3, 1}, {1, 5}},
      {"ij", "jk", "ik", {1, 4}, {4, 1}},
      {"ij", "jk", "ik", {3, 1}, {4, 5}},
  };
  for (const product& p : all)
    for (int constant : {-1, 0, 1}) {
      const counts n = p.check(constant);
      const bool is_product = p.equation() != "bi,bj->bij" && p.of_a != shape{3, 1};
      if (!is_product && p.of_b != shape{1, 5}) continue;
      CHECK_MESSAGE(n.products == 1, p.equation());
      CHECK_MESSAGE(n.multiplications == 0, p.equation());
    }
}

TEST_CASE("an einsum moves no operand that stands as a product wants it") {
  CHECK(product{"bij", "bjk", "bik", {1, 3, 4}, {1, 4, 5}}.check().transposes == 0);
  CHECK(product{"bsd", "dhe", "bshe", {1, 3, 4}, {4, 2, 3}}.check().transposes == 0);
  CHECK(product{"jk", "ij", "ik", {4, 5}, {3, 4}}.check().transposes == 0);
  CHECK(product{"bac", "bdc", "bda", {2, 3, 4}, {2, 5, 4}}.check().transposes == 1);
  // The constant is on the right of its product, so that it can be packed.
  const std::string bytes = product{"fd", "bsd", "bsf", {5, 4}, {2, 3, 4}}.text(0).text();
  const auto module = onnx::import_model(onnx::decode_model(bytes, nullptr, "test.onnx"), {});
  tenon::ir::for_each_op(module.body(), tenon::ir::function_kind::graph, [&](tenon::op_id op) {
    const auto view = module.body().view(op);
    if (view.is<tenon::op::matmul>()) CHECK(view.operand_type(0).shape.size() == 3);
  });
}
