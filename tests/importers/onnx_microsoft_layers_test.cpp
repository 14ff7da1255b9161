/// @file onnx_microsoft_layers_test: com.microsoft's layers with weights in bytes, and normalization in groups, on
/// values computed by hand, or by ONNX Runtime 1.30 where that is said. tests/random_onnx compares more with it.
#include <limits>
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

TEST_CASE("GatherBlockQuantized takes numbers of blocks along the axis that it takes from") {
  const tensor at = whole({3}, {3, 0, -2}), scales = f({1, 2}, {1, 10});
  const auto taken = [&](const tensor& table, const tensor& from, i64 bits, const tensor& zeros) {
    return run("GatherBlockQuantized", {table, from, scales, zeros},
               {attribute("block_size", i64{2}), attribute("bits", bits), attribute("gather_axis", i64{1}),
                attribute("quantize_axis", i64{1})})[0];
  };
  const tensor eight = bytes({1, 4}, {129, 130, 131, 132}), four = bytes({1, 2}, {0x98, 0xBA});
  CHECK(is(taken(eight, at, 8, none), {40, 1, 30}));
  CHECK(is(taken(eight, at, 8, bytes({1, 2}, {100, 131})), {10, 29, 0}));
  CHECK(is(taken(four, at, 4, none), {30, 0, 20}));
  CHECK(is(taken(four, tensor::from<tn::i32>({1, 2}, {1, 3}), 4, bytes({1, 1}, {0x21})), {8, 90}));
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
  const auto module = onnx::import_model(decoded(m), {});
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
  const auto of_two = [](i64 activation) {
    return std::vector<std::string>{attribute("groups", i64{2}), attribute("epsilon", 0.f),
                                    attribute("activation", activation)};
  };
  const std::vector<std::string> two = of_two(0);
  CHECK(is(run("GroupNorm", {x, gamma, beta}, two)[0], {-1, -1, 1, 3}));
  CHECK(is(run("GroupNorm", {x, gamma, beta}, of_two(1))[0], {-.2689414, -.2689414, .7310586, 2.8577224}));
  std::vector<std::string> first = two;
  first.push_back(attribute("channels_last", i64{0}));
  CHECK(is(run("GroupNorm", {f({1, 2, 1, 2}, {1, 3, 10, 30}), gamma, beta}, first)[0], {-1, 1, -1, 3}));
  const auto y = run("SkipGroupNorm", {x, gamma, beta, f({1, 2}, {1, 1}), f({2}, {-1, -1})}, two, 2);
  CHECK(is(y[0], {-1, -1, 1, 3}));
  CHECK(is(y[1], {1, 10, 3, 30}));
}

// The numbers of the following tests are those of ONNX Runtime 1.30.

TEST_CASE("MatMulBnb4 looks its weights up, block by block") {
  const auto attributes = [](i64 k, i64 n, i64 kind) {
    return std::vector<std::string>{attribute("K", k), attribute("N", n), attribute("block_size", i64{16}),
                                    attribute("quant_type", kind)};
  };
  std::vector<float> unit(256, 0);
  for (size_t k = 0; k < 16; ++k) unit[17 * k] = 1;
  const tensor each = bytes({8}, {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF}), one = number(1);
  CHECK(is(run("MatMulBnb4", {f({16, 16}, unit), each, one}, attributes(16, 1, 0))[0],
           {0, .0052083335, .66666669, 1, .33333334, .5, .16666667, .25, 0, -.0052083335, -.66666669, -1, -.33333334,
            -.5, -.16666667, -.25}));
  CHECK(is(run("MatMulBnb4", {f({16, 16}, unit), each, one}, attributes(16, 1, 1))[0],
           {-1, -.69619280, -.52507305, -.39491749, -.28444138, -.18477343, -.091050036, 0, .079580300, .16093020,
            .24611230, .33791524, .44070983, .56261700, .72295684, 1}));
  // Blocks go on in the next row.
  const tensor x =
      f({2, 24}, {1.625f,  -.625f, -.5f,   -1.125f, .875f,  -2.25f, 1.75f, -.75f,  .375f,   -.25f,  1.5f,   -2.f,
                  -.375f,  -.375f, 1.125f, -1.125f, -.125f, -.875f, 0.f,   .625f,  -1.125f, 1.125f, .875f,  .5f,
                  .875f,   -.625f, -.125f, -.875f,  -.25f,  .5f,    -.75f, -.375f, -.625f,  -.875f, -.625f, 0.f,
                  -1.125f, .25f,   1.625f, .75f,    -.25f,  -.875f, -.75f, 1.75f,  0.f,     -.625f, .25f,   2.125f});
  const tensor w = bytes({24}, {106, 152, 249, 131, 184, 200, 0,   21,  253, 147, 202, 107,
                                249, 169, 138, 149, 119, 166, 224, 148, 172, 93,  167, 142});
  CHECK(is(run("MatMulBnb4", {x, w, f({3}, {1, .5f, 2})}, attributes(24, 2, 0))[0],
           {-1.5162761, -.69401044, 1.7584634, -1.9850260}));
  CHECK(is(run("MatMulBnb4", {x, w, f({3}, {1, .5f, 2})}, attributes(24, 2, 1))[0],
           {.76309836, 3.0695784, -1.8618337, 2.4537432}));
  CHECK(is(run("MatMulBnb4",
               {f({1, 5}, {-.375f, 0, -2.125f, 1.625f, -1.75f}), bytes({8, 1}, {122, 174, 183, 197, 129, 104, 87, 200}),
                number(.5f)},
               attributes(5, 3, 1))[0],
           {.030232251, .87014949, -.17222744}));
  CHECK_THROWS_WITH_AS(run("MatMulBnb4", {x, each, one}, attributes(24, 2, 0)), doctest::Contains("24 elements"),
                       tn::error);
}

TEST_CASE("MatMulNBits with g_idx has a scale and a zero point for each group of rows") {
  const tensor x =
      f({2, 32},
        {1.75f,  -.5f,   0.f,    .375f,  -.75f,   0.f,    0.f,     -1.75f, 1.f,     .625f,   -.625f, -.125f, .5f,
         -.25f,  -.25f,  -1.5f,  .5f,    .125f,   .25f,   -1.5f,   1.625f, .125f,   -.375f,  2.f,    0.f,    -1.5f,
         -.375f, -2.25f, 1.f,    -.375f, -.75f,   1.125f, -1.625f, .5f,    -2.125f, -.625f,  -1.25f, 1.5f,   1.75f,
         -.375f, .875f,  -.125f, .625f,  -.75f,   -1.75f, -1.75f,  .375f,  2.25f,   .25f,    -.5f,   1.875f, .25f,
         .125f,  .25f,   -.125f, -.25f,  -1.375f, .5f,    -.125f,  1.25f,  -.375f,  -1.875f, -.125f, 1.75f});
  const tensor w = bytes({2, 2, 8}, {99, 206, 239, 189, 230, 118, 144, 73, 8,  228, 231, 190, 155, 112, 158, 208,
                                     7,  204, 143, 113, 181, 231, 80,  27, 44, 205, 203, 65,  175, 30,  212, 86});
  std::vector<tn::i32> group(32);
  for (int k = 0; k < 32; ++k) group[static_cast<size_t>(k)] = k * 7 % 32 / 16;
  const tensor scale = f({4}, {.5f, .25f, 1, 2}), groups = tensor::from<tn::i32>({32}, group);
  const std::vector<std::string> attributes{attribute("K", i64{32}), attribute("N", i64{2}), attribute("bits", i64{4}),
                                            attribute("block_size", i64{16})};
  CHECK(is(run("MatMulNBits", {x, w, scale, none, groups}, attributes)[0], {-.09375, 15.625, -1.03125, -44.75}));
  const std::vector<double> shifted{-.09375, 30.625, -.53125, -40.25};
  CHECK(is(run("MatMulNBits", {x, w, scale, f({2, 2}, {10, 8, 9, 12}), groups}, attributes)[0], shifted));
  // The same zero points in bytes, which ONNX Runtime overlooks beside g_idx.
  CHECK(is(run("MatMulNBits", {x, w, scale, bytes({2, 1}, {0x8A, 0xC9}), groups}, attributes)[0], shifted));
}

TEST_CASE("MatMulNBits with accuracy_level 4 makes bytes of blocks of rows") {
  const tensor x = f({2, 20}, {.125f,  2.75f, 2.5f,   -1.f,    -.625f,  -1.f,    1.125f, -.125f,  1.5f,   -3.75f,
                               3.125f, -.25f, 1.375f, -.25f,   -.75f,   .875f,   1.625f, -.375f,  -.25f,  1.375f,
                               -1.75f, -3.f,  .75f,   -1.375f, -3.875f, -1.625f, -.875f, -2.375f, -3.f,   .125f,
                               1.75f,  -.5f,  -1.5f,  .75f,    1.375f,  -.625f,  1.125f, 2.125f,  -.375f, -1.625f});
  const tensor w = bytes({2, 2, 8}, {156, 8,  44, 51,  113, 88,  186, 120, 86,  231, 160, 178, 190, 86,  228, 4,
                                     78,  40, 1,  255, 22,  117, 209, 176, 219, 13,  127, 8,   49,  216, 18,  150});
  const tensor scale = f({4}, {.5f, .25f, 1, 2}), zero = bytes({2}, {0x8A, 0xC9});
  const auto at_level = [&](const std::vector<tensor>& inputs, i64 level, bool known = true) {
    return run("MatMulNBits", inputs,
               {attribute("K", i64{20}), attribute("N", i64{2}), attribute("bits", i64{4}),
                attribute("block_size", i64{16}), attribute("accuracy_level", level)},
               1, false, known)[0];
  };
  const std::vector<double> floats{-1.59375, -16.125, 28.125, 84.875};
  CHECK(is(at_level({x, w, scale, zero}, 1), floats));
  CHECK(is(at_level({x, w, scale, zero}, 4), {-1.67938042, -16.1614151, 28.0593071, 84.7411499}));
  CHECK(is(at_level({x, w, scale}, 4), {4.01943779, 8.47441101, 12.3762321, 79.0974426}));
  // Zero points that are no integers, groups that are no blocks, and weights that are no constants have products of
  // floats.
  CHECK(is(at_level({x, w, scale, zero}, 4, false), floats));
  CHECK(is(at_level({x, w, scale, f({2, 2}, {10, 8, 9, 12})}, 4), floats));
  const tensor groups = tensor::from<tn::i32>({20}, std::vector<tn::i32>(20, 0));
  const tensor by_groups = at_level({x, w, scale, none, groups}, 0);
  CHECK(is(at_level({x, w, scale, none, groups}, 4),
           {by_groups.at_f64(0), by_groups.at_f64(1), by_groups.at_f64(2), by_groups.at_f64(3)}));
  // Bytes of zeros are zeros, and elements that are no numbers stay so.
  tensor odd(tn::dtype::f32, {1, 20});
  CHECK(is(at_level({odd, w, scale}, 4), {0, 0}));
  odd.set_f64(3, std::numeric_limits<double>::infinity());
  CHECK(std::isnan(at_level({odd, w, scale}, 4).at_f64(0)));
  CHECK_THROWS_WITH_AS(at_level({f({1, 3}, {1, 2, 3}), w, scale}, 4), doctest::Contains("rows of 3"), tn::error);
}

TEST_CASE("layers of f16 are those of f32, rounded once") {
  const auto numbers = [](std::vector<i64> shape, int seed) {  // exact in f16
    tensor t(tn::dtype::f16, std::move(shape));
    for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, 1.5 * std::sin(0.7 * static_cast<double>(i + 1) * seed));
    return t;
  };
  const auto copied = [](const tensor& from, tn::dtype type) {
    tensor to(type, from.shape());
    for (i64 i = 0; i < to.size(); ++i) to.set_f64(i, from.at_f64(i));
    return to;
  };
  const auto check = [&](const std::string& op, const std::vector<tensor>& inputs,
                         const std::vector<std::string>& attributes, size_t outputs = 1, bool ends_only = false) {
    CAPTURE(op);
    std::vector<tensor> wide;
    for (const tensor& t : inputs)
      wide.push_back(t.defined() && t.type() == tn::dtype::f16 ? copied(t, tn::dtype::f32) : t);
    const auto got = given_node(op, inputs, attributes, outputs, ends_only).interpreted(),
               want = given_node(op, wide, attributes, outputs, ends_only).interpreted();
    for (size_t k = 0; k < got.size(); ++k) {
      REQUIRE(got[k].type() == tn::dtype::f16);
      const tensor once = copied(want[k], tn::dtype::f16);
      i64 others = 0;
      for (i64 i = 0; i < once.size(); ++i) others += got[k].at_f64(i) != once.at_f64(i);
      CHECK(others == 0);
    }
  };
  const std::vector<std::string> heads{attribute("num_heads", i64{2})},
      grouped{attribute("num_heads", i64{4}), attribute("kv_num_heads", i64{2})};
  check("MultiHeadAttention",
        {numbers({2, 3, 16}, 1), numbers({2, 5, 16}, 2), numbers({2, 5, 16}, 3), none, none, numbers({1, 2, 3, 5}, 4)},
        heads);
  const tensor lengths = tensor::from<tn::i32>({1}, {6}), total = tensor::from<tn::i32>({1}, {7});
  check("GroupQueryAttention",
        {numbers({1, 3, 32}, 1), numbers({1, 3, 16}, 2), numbers({1, 3, 16}, 3), numbers({1, 2, 4, 8}, 4),
         numbers({1, 2, 4, 8}, 5), lengths, total},
        grouped, 3);
  check("RotaryEmbedding", {numbers({1, 2, 3, 8}, 1), whole({1}, {1}), numbers({5, 4}, 2), numbers({5, 4}, 3)}, {});
  const tensor x = numbers({2, 3, 8}, 1), skip = numbers({2, 3, 8}, 2), scale = numbers({8}, 3), bias = numbers({8}, 4);
  check("SkipLayerNormalization", {x, skip, scale, bias, numbers({8}, 5)}, {}, 4, true);
  check("SkipSimplifiedLayerNormalization", {x, skip, scale, bias}, {}, 4, true);
  check("SimplifiedLayerNormalization", {x, scale}, {});
}

TEST_CASE("MultiHeadAttention takes packed operands apart") {
  // ONNX Runtime's processor has no packed operands: it was given the same ones apart.
  const std::vector<std::string> two{attribute("num_heads", i64{2})};
  const tensor all = f({1, 2, 2, 3, 2}, {.125f, 1.125f, -2.f,    -1.375f, -2.25f,  2.375f, 1.75f,  2.25f,
                                         .75f,  1.f,    -1.125f, 1.875f,  -1.125f, -.625f, -.375f, -.75f,
                                         .875f, -.25f,  -.125f,  -.25f,   1.375f,  -.625f, -.125f, .375f});
  const tensor bias = f({12}, {0, -.25f, -1.125f, 0, -.375f, -.5f, -1.5f, -.5f, -.25f, -.625f, .625f, 1.75f});
  CHECK(is(run("MultiHeadAttention", {all}, two)[0],
           {-.20331948, .65578830, -.98459876, 1.6643981, -1.7113305, 1.9225177, -.56725395, 1.0383810}));
  CHECK(is(run("MultiHeadAttention", {all, none, none, bias}, two)[0],
           {-.53262478, .097404756, -.40963161, 3.4894474, -2.0088193, 1.3374084, -.065905541, 2.9738584}));
  const tensor q = f({1, 2, 4}, {1.75f, -.25f, -.5f, -2.625f, 0, -.375f, -.5f, .375f});
  const tensor kv =
      f({1, 3, 2, 2, 2}, {1.375f, .75f, -1.5f, 0,   .625f,   -.75f, .25f, .125f,   0,    -.125f, .375f, 1.25f,
                          -1.f,   1.f,  .25f,  .5f, -1.125f, .125f, 1.5f, -1.125f, -2.f, -1.75f, .25f,  2.375f});
  CHECK(is(run("MultiHeadAttention", {q, kv}, two)[0],
           {-1.0638149, .16556074, .25, 2.2371171, .21599005, .072251640, .25, 1.0659987}));
  CHECK(is(run("MultiHeadAttention", {q, kv, none, bias}, two)[0],
           {-1.2629256, -.43569136, .875, 4.1043668, .021548979, -.53074586, .87499994, 3.3255637}));
  CHECK_THROWS_WITH_AS(run("MultiHeadAttention", {kv}, two), doctest::Contains("3"), tn::error);
  CHECK_THROWS_WITH_AS(run("MultiHeadAttention", {q}, two), doctest::Contains("packed"), tn::error);
}

TEST_CASE("NhwcConv and NhwcFusedConv have channels last") {
  // ONNX Runtime's processor has neither: the numbers are its Conv's and FusedConv's of the transposed image.
  const tensor x = f({1, 3, 3, 2}, {.5f, -.625f, .25f, -1.75f, .75f, -1.5f, 0, -.125f, -.75f, 2.875f, -.625f, .5f,
                                    1.125f, -1.25f, 1.375f, -.125f, 1.f, -.875f});
  const tensor first =
      f({3, 2, 2, 2}, {-.75f, .75f,  0,     .5f,   1.375f, .5f,    1.375f, .875f, 1.5f, -1.f,  -.75f, -1.25f,
                       .625f, -.25f, .875f, .375f, .125f,  2.125f, .625f,  0,     -1.f, 1.25f, 1.f,   -1.125f});
  // The same kernels with their channels last.
  const tensor last =
      f({3, 2, 2, 2}, {-.75f, 1.375f, .75f,   .5f,   0,     1.375f, .5f,    .875f, 1.5f,  .625f, -1.f, -.25f,
                       -.75f, .875f,  -1.25f, .375f, .125f, -1.f,   2.125f, 1.25f, .625f, 1.f,   0,    -1.125f});
  const tensor b = f({3}, {1.5f, .125f, .125f});
  const tensor z =
      f({1, 2, 2, 3}, {-.25f, .375f, -.125f, -.5f, .25f, -1.75f, -1.125f, -1.125f, -.25f, -.5f, -.25f, .375f});
  const tensor y = run("NhwcConv", {x, last, b})[0];
  CHECK(y.shape() == std::vector<i64>{1, 2, 2, 3});
  CHECK(is(y, {1.546875, 2.578125, -4.203125, 2.796875, 3.078125, 3.46875, 1.0625, -3.625, 1.84375, 5.359375, -1.421875,
               -1.828125}));
  CHECK(is(run("NhwcFusedConv", {x, first, b, z}, {attribute("activation", std::string("Relu"))})[0],
           {1.296875, 2.953125, 0, 2.296875, 3.328125, 1.71875, 0, 0, 1.59375, 4.859375, 0, 0}));
}
