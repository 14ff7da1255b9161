/// @file onnx_microsoft_test: operators of the domain com.microsoft, on values computed by hand.
#include <cmath>
#include <string>
#include <vector>

#include "microsoft_node.hpp"

using namespace microsoft_node;

TEST_CASE("FusedConv adds, then activates") {
  const tensor x = f({1, 1, 1, 3}, {1, 2, 3}), w = f({1, 1, 1, 1}, {2}), b = f({1}, {-5});
  CHECK(is(run("FusedConv", {x, w, b}, {attribute("activation", std::string("Relu"))})[0], {0, 0, 1}));
  CHECK(is(run("FusedConv", {x, w, b, f({1, 1, 1, 3}, {10, 0, 0})}, {attribute("activation", std::string("Relu"))})[0],
           {7, 0, 1}));
  CHECK(is(run("FusedConv", {x, w, b},
               {attribute("activation", std::string("Clip")), floats("activation_params", {-2.f, .5f})})[0],
           {-2, -1, .5}));
}

TEST_CASE("gelu and its relatives") {
  const tensor x = f({2}, {0, 1});
  CHECK(is(run("QuickGelu", {x}, {attribute("alpha", 1.f)})[0], {0, 0.7310586}));
  CHECK(is(run("FastGelu", {x})[0], {0, 0.8411920}));
  CHECK(is(run("FastGelu", {x, f({2}, {1, 0})})[0], {0.8411920, 0.8411920}));
  CHECK(is(run("BiasGelu", {x, f({2}, {1, 0})})[0], {0.8413447, 0.8413447}));
  CHECK(is(run("Gelu", {x})[0], {0, 0.8413447}));
}

TEST_CASE("layer normalizations with a skipped operand") {
  const tensor x = f({1, 1, 2}, {1, 2}), skip = f({1, 1, 2}, {0, 1}), gamma = f({2}, {2, 3}), beta = f({2}, {1, 1});
  const auto y = run("SkipLayerNormalization", {x, skip, gamma, beta}, {}, 4);
  CHECK(is(y[0], {-1, 4}));
  CHECK(is(y[1], {2}));
  CHECK(is(y[2], {1}));
  CHECK(is(y[3], {1, 3}));
  const auto z =
      run("SkipSimplifiedLayerNormalization", {x, skip, gamma, f({2}, {2, 1})}, {attribute("epsilon", 0.f)}, 4, true);
  CHECK(is(z[0], {2 * 0.8485281, 3 * 1.1313708}));
  CHECK(is(z[1], {3, 4}));
  CHECK(is(run("SimplifiedLayerNormalization", {f({2}, {3, 4}), gamma}, {attribute("epsilon", 0.f)})[0],
           {2 * 0.8485281, 3 * 1.1313708}));
  CHECK(is(run("LayerNormalization", {f({2}, {1, 3}), gamma, beta}, {attribute("epsilon", 0.f)})[0], {-1, 4}));
}

TEST_CASE("FusedMatMul transposes and scales") {
  const tensor a = f({2, 2}, {1, 2, 3, 4}), one = f({2, 2}, {1, 0, 0, 1});
  CHECK(is(run("FusedMatMul", {a, one}, {attribute("transA", i64{1}), attribute("alpha", 2.f)})[0], {2, 6, 4, 8}));
  const tensor y = run("FusedMatMul", {f({2, 3, 1}, {1, 2, 3, 4, 5, 6}), f({3, 1, 1}, {1, 1, 1})},
                       {attribute("transBatchA", i64{1})})[0];
  CHECK(y.shape() == std::vector<i64>{3, 2, 1});
  CHECK(is(y, {1, 4, 2, 5, 3, 6}));
}

TEST_CASE("MatMulNBits unpacks blocks of four bits") {
  std::vector<u8> packed(8, 0x88);
  packed[0] = 0x98;  // elements 8 and 9
  std::vector<float> row(16, 0);
  row[0] = 1, row[1] = 4;
  const tensor a = f({1, 16}, row), b = bytes({1, 1, 8}, packed), scale = f({1}, {.5f});
  const std::vector<std::string> attributes{attribute("K", i64{16}), attribute("N", i64{1}), attribute("bits", i64{4}),
                                            attribute("block_size", i64{16})};
  CHECK(is(run("MatMulNBits", {a, b, scale}, attributes)[0], {2}));
  CHECK(is(run("MatMulNBits", {a, b, scale, bytes({1}, {0x09})}, attributes)[0], {-.5}));
  CHECK(is(run("MatMulNBits", {a, b, scale, none, none, f({1}, {10})}, attributes)[0], {12}));
}

TEST_CASE("RotaryEmbedding takes positions") {
  const tensor x = f({1, 1, 2, 2}, {1, 2, 3, 4}), cosine = f({2, 1}, {1, 0}), sine = f({2, 1}, {0, 1});
  CHECK(is(run("RotaryEmbedding", {x, tensor::from<i64>({1}, {0}), cosine, sine})[0], {1, 2, -4, 3}));
  CHECK(is(run("RotaryEmbedding", {x, tensor::from<i64>({1, 2}, {1, 0}), cosine, sine})[0], {-2, 1, 3, 4}));
  CHECK(is(run("RotaryEmbedding", {x.reshaped({1, 2, 2}), tensor::from<i64>({1, 2}, {1, 0}), cosine, sine})[0],
           {-2, 1, 3, 4}));
}

TEST_CASE("attention with masks, biases and the past") {
  const std::vector<std::string> one_head{attribute("num_heads", i64{1})},
      causal{attribute("num_heads", i64{1}), attribute("unidirectional", i64{1})};
  const tensor q = f({1, 2, 1}, {0, 0}), v = f({1, 2, 1}, {1, 3});
  CHECK(is(run("MultiHeadAttention", {q, q, v}, one_head)[0], {2, 2}));
  CHECK(is(run("MultiHeadAttention", {q, q, v}, causal)[0], {1, 2}));
  // Keys of others: each query sees one more of them, the last one all.
  const tensor three = f({1, 3, 1}, {0, 0, 0}), one = f({1, 1, 1}, {0}), values = f({1, 3, 1}, {1, 3, 8});
  CHECK(is(run("MultiHeadAttention", {q, three, values}, causal)[0], {1, 4}));
  CHECK(is(run("MultiHeadAttention", {one, three, values}, causal)[0], {4}));
  CHECK(is(run("MultiHeadAttention", {three, one, f({1, 1, 1}, {7})}, causal)[0], {7, 7, 7}));
  CHECK(is(run("MultiHeadAttention", {q, q, v, none, tensor::from<tn::i32>({1, 2}, {1, 0})}, one_head)[0], {1, 1}));
  CHECK(is(run("MultiHeadAttention", {q, q, v, none, tensor::from<tn::i32>({1}, {1})}, one_head)[0], {1, 1}));
  CHECK(is(run("MultiHeadAttention", {q, q, v, none, none, f({1, 1, 1, 2}, {0, std::log(3.f)})}, one_head)[0],
           {2.5, 2.5}));
  CHECK(is(run("MultiHeadAttention", {q, q, v, f({3}, {0, 0, 1})}, one_head)[0], {3, 3}));
  const auto y =
      run("MultiHeadAttention", {q, q, v, none, none, none, f({1, 1, 1, 1}, {0}), f({1, 1, 1, 1}, {5})}, one_head, 3);
  CHECK(is(y[0], {3, 3}));
  CHECK(is(y[2], {5, 1, 3}));
  const tensor x = f({1, 2, 1}, {1, 3}), w = f({1, 3}, {0, 0, 1});
  CHECK(is(run("Attention", {x, w, f({3}, {0, 0, 0})}, one_head)[0], {2, 2}));
  CHECK(is(run("Attention", {x, w, f({3}, {0, 0, 1})}, causal)[0], {2, 3}));
}

TEST_CASE("GroupQueryAttention keeps a cache for each sample") {
  const std::vector<std::string> heads{attribute("num_heads", i64{2}), attribute("kv_num_heads", i64{1})};
  const auto ints = [](std::vector<i64> shape, std::vector<tn::i32> v) { return tensor::from<tn::i32>(shape, v); };
  const tensor q = f({2, 1, 2}, {0, 0, 0, 0}), k = f({2, 1, 1}, {7, 8}), v = f({2, 1, 1}, {1, 3});
  const tensor past_k = f({2, 1, 2, 1}, {1, 2, 3, 4}), past_v = f({2, 1, 2, 1}, {5, 6, -1, 9});
  auto y = run("GroupQueryAttention", {q, k, v, past_k, past_v, ints({2}, {2, 1}), ints({1}, {3})}, heads, 3);
  CHECK(is(y[0], {4, 4, 1, 1}));  // the second sample has had one step only
  CHECK(is(y[1], {1, 2, 7, 3, 8, 0}));
  CHECK(is(y[2], {5, 6, 1, -1, 3, 0}));
  auto windowed = heads;
  windowed.push_back(attribute("local_window_size", i64{2}));
  CHECK(is(run("GroupQueryAttention", {q, k, v, past_k, past_v, ints({2}, {2, 1}), ints({1}, {3})}, windowed)[0],
           {3.5, 3.5, 1, 1}));
  // A bias is of the steps so far, and the cache has room for more.
  const tensor bias = f({1, 1, 1, 2}, {std::log(3.f), 0});
  y = run("GroupQueryAttention",
          {f({1, 1, 2}, {0, 0}), f({1, 1, 1}, {7}), f({1, 1, 1}, {1}), f({1, 1, 3, 1}, {1, 2, 3}),
           f({1, 1, 3, 1}, {5, 6, 7}), ints({1}, {1}), ints({1}, {2}), none, none, none, bias},
          heads, 3);
  CHECK(is(y[0], {4, 4}));
  CHECK(is(y[2], {5, 1, 0}));
  // All operands in one, a step that sees itself only, and one more number below the line of softmax.
  auto smooth = heads;
  smooth.push_back(attribute("smooth_softmax", i64{1}));
  CHECK(is(
      run("GroupQueryAttention",
          {f({1, 2, 4}, {0, 0, 1, 4, 0, 0, 2, 8}), none, none, none, none, ints({1}, {1}), ints({1}, {2})}, smooth)[0],
      {2, 2, 4, 4}));
}

TEST_CASE("EmbedLayerNormalization sums what it looks up") {
  const auto ints = [](std::vector<i64> shape, std::vector<tn::i32> v) { return tensor::from<tn::i32>(shape, v); };
  const auto y = run("EmbedLayerNormalization",
                     {ints({1, 2}, {1, 0}), ints({1, 2}, {0, 1}), f({2, 2}, {1, 2, 3, 5}), f({2, 2}, {0, 1, 2, 0}),
                      f({2, 2}, {1, 0, 0, 1}), f({2}, {2, 3}), f({2}, {0, 1}), ints({1, 2}, {1, 0})},
                     {}, 3);
  CHECK(is(y[0], {-2, 4, 0, 1}));
  CHECK(is(y[1], {1}));
  CHECK(is(y[2], {4, 6, 3, 3}));
}

TEST_CASE("QAttention, fused products and distances") {
  const tensor w = bytes({2, 6}, {1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1});
  CHECK(is(run("QAttention",
               {bytes({1, 2, 2}, {130, 120, 140, 128}), w, f({6}, {0, 0, 0, 0, .5f, 1}), number(.1f), number(.2f),
                tensor::from<tn::i32>({1}, {2}), byte(128), byte(3)},
               {attribute("num_heads", i64{1})})[0],
           {.853151, 1.57201, .854709, 1.573827}));
  CHECK(is(run("FusedGemm", {f({1, 2}, {1, 2}), f({1, 2}, {1, -2}), f({1}, {1})},
               {attribute("transB", i64{1}), attribute("activation", std::string("LeakyRelu")),
                attribute("activation_alpha", .5f)})[0],
           {-1}));
  CHECK(
      is(run("CDist", {f({1, 2}, {0, 0}), f({2, 2}, {3, 4, 1, 0})}, {attribute("metric", std::string("euclidean"))})[0],
         {5, 1}));
  CHECK(is(run("BiasAdd", {f({2}, {1, 2}), f({2}, {10, 20}), f({2}, {5, 5})}, {})[0], {16, 27}));
  CHECK(is(run("BiasSplitGelu", {f({1, 2}, {2, 0}), f({2}, {1, 9})}, {})[0], {27}, 1e-3));
  CHECK(is(run("NhwcMaxPool", {bytes({1, 1, 2, 2}, {1, 9, 5, 2})}, {attribute("kernel_shape", {1, 2})})[0], {5, 9}));
  CHECK(is(run("QLinearConv",
               {bytes({1, 1, 1, 2}, {3, 4}), number(1), byte(1), bytes({1, 2, 1, 1}, {2, 5}), number(1), byte(0),
                number(1), byte(7)},
               {attribute("channels_last", i64{1})})[0],
           {26}));
}

TEST_CASE("quantized elementwise operators") {
  const tensor a = bytes({2}, {10, 200}), b = bytes({2}, {4, 200});
  const std::vector<tensor> operands{a, number(.5f), byte(0), b, number(1), byte(2), number(1), byte(1)};
  CHECK(is(run("QLinearAdd", operands)[0], {8, 255}));
  CHECK(is(run("QLinearMul", operands)[0], {11, 255}));
  // Halves are rounded once the zero point is there, as ONNX Runtime does: 9.5, 10.5 and 12, not 4.5, 5.5 and 7.
  const auto sum = [&](float from, float to, tn::u8 zero) {
    return run("QLinearAdd", {bytes({3}, {4, 6, 9}), number(from), byte(0), bytes({3}, {5, 5, 5}), number(from),
                              byte(0), number(to), byte(zero)})[0];
  };
  CHECK(is(sum(.5f, 1, 5), {10, 10, 12}));
  CHECK(is(sum(.02f, .04f, 5), {10, 10, 12}));
  CHECK(is(sum(.02f, .04f, 4), {8, 10, 11}));
  CHECK(is(run("QLinearMul",
               {bytes({2}, {3, 5}), number(.5f), byte(0), bytes({1}, {1}), number(1), byte(0), number(1), byte(1)})[0],
           {2, 4}));
  CHECK(is(run("QLinearAveragePool", {bytes({1, 1, 1, 4}, {1, 2, 2, 3}), number(1), byte(0), number(1), byte(5)},
               {attribute("kernel_shape", {1, 2}), attribute("strides", {1, 2})})[0],
           {6, 8}));
  CHECK(is(run("QLinearConcat", {number(1), byte(1), a, number(.5f), byte(0), b, number(1), byte(2)},
               {attribute("axis", i64{0})})[0],
           {6, 101, 3, 199}));
  CHECK(is(run("QLinearLeakyRelu", {a, number(1), byte(20), number(.5f), byte(50)}, {attribute("alpha", .5f)})[0],
           {40, 255}));
  CHECK(is(run("QLinearSigmoid", {bytes({1}, {7}), number(1), byte(7), number(.01f), byte(0)})[0], {50}));
  CHECK(
      is(run("QLinearGlobalAveragePool", {bytes({1, 1, 1, 2}, {10, 20}), number(1), byte(0), number(.5f), byte(0)})[0],
         {30}));
}

TEST_CASE("integer products with scales") {
  const tensor a = f({1, 2}, {0, 255}), b = tensor::from<tn::i8>({2, 1}, {1, -1});
  CHECK(is(run("DynamicQuantizeMatMul", {a, b, f({1}, {.5f}), none, f({1}, {.5f})})[0], {-127}));
  CHECK(is(run("MatMulIntegerToFloat", {bytes({1, 2}, {1, 3}), b, number(2), f({1}, {.5f}), byte(1)})[0], {-2}));
}
