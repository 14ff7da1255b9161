/// @file onnx_microsoft_layers_test: com.microsoft's layers with weights in bytes, and normalization in groups, on
/// values computed by hand. tests/random_onnx compares them with ONNX Runtime.
#include <string>
#include <vector>

#include "microsoft_node.hpp"

using namespace microsoft_node;

namespace {

tensor small(std::vector<i64> shape, const std::vector<tn::i8>& v) { return tensor::from<tn::i8>(shape, v); }
tensor whole(std::vector<i64> shape, const std::vector<i64>& v) { return tensor::from<i64>(shape, v); }

}  // namespace

TEST_CASE("GatherBlockQuantized takes rows of a table in blocks") {
  std::vector<u8> packed(32, 0x98);  // two rows of 32 numbers: 8 and 9 in turn
  packed[16] = 0x0F;                 // the second row begins with 15 and 0
  const tensor table = bytes({2, 16}, packed), at = whole({1}, {1}), scales = f({2, 2}, {1, 1, .5f, 2});
  const std::vector<std::string> blocks{attribute("block_size", i64{16}), attribute("bits", i64{4})};
  const tensor y = run("GatherBlockQuantized", {table, at, scales}, blocks)[0];  // zero is 8
  REQUIRE(y.shape() == std::vector<i64>{1, 32});
  CHECK(y.at_f64(0) == 3.5);
  CHECK(y.at_f64(1) == -4);
  CHECK(y.at_f64(3) == .5);
  CHECK(y.at_f64(30) == 0);
  CHECK(y.at_f64(31) == 2);
  const tensor z = run("GatherBlockQuantized", {table, at, scales, bytes({2, 1}, {0, 0x71})}, blocks)[0];  // 1 and 7
  CHECK(z.at_f64(0) == 7);
  CHECK(z.at_f64(30) == 2);
  const tensor eight =
      run("GatherBlockQuantized", {bytes({1, 16}, std::vector<u8>(16, 130)), whole({1}, {0}), f({1, 1}, {3})},
          {attribute("block_size", i64{16}), attribute("bits", i64{8})})[0];
  CHECK(eight.shape() == std::vector<i64>{1, 16});
  CHECK(eight.at_f64(15) == 6);
}

TEST_CASE("QEmbedLayerNormalization sums what it looks up in tables of bytes") {
  const tensor ids = tensor::from<tn::i32>({1, 1}, {1}), one = number(1), half = number(.5f), zero = byte(0);
  const tensor words = bytes({2, 2}, {9, 9, 6, 4}), places = bytes({1, 2}, {3, 3});
  // (6, 4) - 2 and (3, 3) / 2: (5.5, 3.5), normalized (1, -1), times (2, 3), plus 1
  const auto y = run("QEmbedLayerNormalization",
                     {ids, none, words, places, none, bytes({2}, {2, 3}), bytes({2}, {2, 2}), none, one, half, none,
                      one, half, byte(2), zero, none, zero, zero},
                     {attribute("epsilon", 0.f)}, 2);
  CHECK(is(y[0], {3, -2}));
  CHECK(is(y[1], {0}));
}

TEST_CASE("DynamicQuantizeLSTM is the LSTM of its weights' real values") {
  const tensor x = f({2, 1, 2}, {1, .5f, -1, 2});
  const tensor w = small({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), r = small({1, 1, 4}, {4, -3, 2, -1});
  const auto y = run("DynamicQuantizeLSTM",
                     {x, w, r, none, none, none, none, none, f({1}, {.5f}), small({1}, {1}),
                      f({1, 4}, {1, .5f, .25f, 2}), small({1, 4}, {0, 0, 1, 0})},
                     {attribute("hidden_size", i64{1})}, 3);
  model m;  // the same as floats, where each gate has a row
  m.inputs = {value("x", {2, 1, 2}), value("w", {1, 4, 2}), value("r", {1, 4, 1})};
  m.outputs = {open_value("y"), open_value("h"), open_value("c")};
  m.nodes = {node("LSTM", {"x", "w", "r"}, {"y", "h", "c"}, {attribute("hidden_size", i64{1})})};
  const auto module = onnx::import_model(onnx::decode_model(m.text(), nullptr, "test.onnx"), {});
  const std::vector<tensor> given{x, f({1, 4, 2}, {0, 2, .5f, 2.5f, 1, 3, 1.5f, 3.5f}),
                                  f({1, 4, 1}, {4, -1.5f, .25f, -2})};
  const auto want = tn::interpret(module.body(), "main", given);
  for (size_t k = 0; k < 3; ++k) {
    REQUIRE(y[k].shape() == want[k].shape());
    for (i64 n = 0; n < y[k].size(); ++n) CHECK(std::fabs(y[k].at_f64(n) - want[k].at_f64(n)) < 1e-6);
  }
}

TEST_CASE("GroupNorm normalizes groups of the last dimension's channels") {
  const tensor x = f({1, 1, 2, 2}, {1, 10, 3, 30}), gamma = f({2}, {1, 2}), beta = f({2}, {0, 1});
  const std::vector<std::string> two{attribute("groups", i64{2}), attribute("epsilon", 0.f)};
  CHECK(is(run("GroupNorm", {x, gamma, beta}, two)[0], {-1, -1, 1, 3}));
  std::vector<std::string> silu = two;
  silu.push_back(attribute("activation", i64{1}));
  CHECK(is(run("GroupNorm", {x, gamma, beta}, silu)[0], {-.2689414, -.2689414, .7310586, 2.8577224}));
  std::vector<std::string> first = two;
  first.push_back(attribute("channels_last", i64{0}));
  CHECK(is(run("GroupNorm", {f({1, 2, 1, 2}, {1, 3, 10, 30}), gamma, beta}, first)[0], {-1, 1, -1, 3}));
  const auto y = run("SkipGroupNorm", {x, gamma, beta, f({1, 2}, {1, 1}), f({2}, {-1, -1})}, two, 2);
  CHECK(is(y[0], {-1, -1, 1, 3}));
  CHECK(is(y[1], {1, 10, 3, 30}));
}
