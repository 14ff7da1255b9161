/// @file onnx_microsoft_experts_test: com.microsoft's layers of experts, one step of a decoder, and what moves and
/// finds elements; values by ONNX Runtime 1.30. tests/random_onnx compares more with it.
#include <limits>
#include <string>
#include <vector>

#include "microsoft_node.hpp"

using namespace microsoft_node;

namespace {

tensor whole(std::vector<i64> shape, const std::vector<i64>& v) { return tensor::from<i64>(shape, v); }
tensor word(std::vector<i64> shape, const std::vector<tn::i32>& v) { return tensor::from<tn::i32>(shape, v); }
std::string text(const char* name, const char* value) { return attribute(name, std::string(value)); }

}  // namespace

TEST_CASE("MoE adds up what each row's experts make of it") {
  const tensor y = run("MoE",
                       {f({1, 2, 2}, {1, -.25f, .5f, .25f}), f({2, 3}, {-1.25f, -2, -.25f, -2, -1, -1.25f}),
                        f({3, 2, 2}, {1.75f, -1, -1.25f, -.25f, 1.5f, 0, 1.5f, .5f, 0, -.25f, -.5f, -1}),
                        f({3, 2}, {2, -.25f, 1, -2, .75f, -.5f}),
                        f({3, 2, 2}, {1, -.75f, 2, -2, -1.5f, .25f, 1.5f, -.5f, -1, 1.5f, .25f, -1.25f}),
                        f({3, 2}, {-1.25f, 0, 2, -1.75f, -2, 2})},
                       {text("activation_type", "gelu"), attribute("k", i64{2})})[0];
  CHECK(y.shape() == std::vector<i64>{1, 2, 2});
  CHECK(is(y, {-1.2043561, 3.5002241, -1.2592657, 1.2373595}));
}

TEST_CASE("MoE with shares among the chosen, and gates in pairs with linear parts") {
  std::vector<tensor> inputs{
      f({1, 2, 2}, {.5f, -.75f, 1.75f, 1}),
      f({2, 3}, {.25f, 0, 1.75f, -.75f, .25f, -1}),
      f({3, 4, 2}, {-1.75f, -1.25f, -1.75f, -1,   -1.75f, -.75f,  .25f, -1.5f, -1.25f, .75f,   1.75f, 2,
                    1,      .75f,   .25f,   .25f, 1,      -1.25f, 1.5f, 1.5f,  1.75f,  -1.25f, 2,     -1}),
      f({3, 4}, {.75f, 0, .75f, 1.75f, 1.25f, -.25f, -1.25f, 1, 1, 1.75f, 0, -.5f}),
      f({3, 2, 2}, {-.5f, 1, -.25f, .5f, 1.75f, -.75f, -1, .25f, .25f, -2, -1.5f, 1}),
      f({3, 2}, {-.5f, 0, -1.5f, .5f, 1.5f, -.5f})};
  std::vector<std::string> attributes{text("activation_type", "swiglu"),
                                      attribute("k", i64{2}),
                                      attribute("normalize_routing_weights", i64{1}),
                                      attribute("activation_alpha", 1.5f),
                                      attribute("activation_beta", .5f),
                                      attribute("swiglu_limit", 1.f)};
  CHECK_THROWS_WITH_AS(run("MoE", inputs, attributes), doctest::Contains("interleaved"), tn::error);
  attributes.push_back(attribute("swiglu_fusion", i64{1}));
  CHECK(is(run("MoE", inputs, attributes)[0], {-.5621016, -.88142169, -2.0691729, .6726411}));
  inputs[1] = f({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  CHECK_THROWS_WITH_AS(run("MoE", inputs, attributes), doctest::Contains("4 experts"), tn::error);
}

TEST_CASE("QMoE has weights of few bits") {
  std::vector<tensor> inputs{f({2, 4}, {.75f, -.75f, 2, .25f, .75f, .5f, -2, 0}),
                             f({2, 2}, {-1, -.75f, .75f, 1.5f}),
                             bytes({2, 2, 2}, {95, 112, 183, 230, 146, 9, 201, 13}),
                             f({2, 2}, {.109375f, .171875f, .15625f, .1875f}),
                             none,
                             bytes({2, 4, 1}, {48, 153, 241, 238, 161, 213, 211, 255}),
                             f({2, 4}, {.1875f, .140625f, .09375f, .0625f, .171875f, .125f, .125f, .09375f}),
                             f({2, 4}, {-.25f, 1.75f, -2, -.25f, 1, 2, -2, 1}),
                             none,
                             none,
                             none,
                             bytes({2, 1}, {9, 46}),
                             bytes({2, 2}, {184, 226, 176, 127})};
  const std::vector<std::string> four{attribute("expert_weight_bits", i64{4}), attribute("k", i64{1})};
  CHECK(is(run("QMoE", inputs, four)[0], {7.2036133, 2.9023438, -2.9023438, 3.7070312, 1, 2, -2, 1}));
  CHECK_THROWS_WITH_AS(run("QMoE", inputs, {attribute("expert_weight_bits", i64{5})}),
                       doctest::Contains("expert_weight_bits"), tn::error);
  inputs[3] = f({2, 3}, std::vector<float>(6, 1));
  CHECK_THROWS_AS(run("QMoE", inputs, four), tn::error);
}

TEST_CASE("DecoderMaskedMultiHeadAttention puts a step into its buffer") {
  const tensor q = f({1, 1, 2}, {-1, 1.5f});
  const std::vector<tensor> step{q,
                                 f({1, 1, 2}, {-.5f, 1.25f}),
                                 f({1, 1, 2}, {-1.5f, 1}),
                                 none,
                                 none,
                                 f({1, 1, 3, 2}, {2, 1.5f, -.75f, 0, .25f, 1}),
                                 f({1, 1, 3, 2}, {-.25f, 1.5f, -.5f, -1.5f, -.75f, 1.5f}),
                                 word({1}, {1}),
                                 none,
                                 none,
                                 f({6}, {.25f, -1.25f, 1.75f, -2, -1.25f, -.5f})};
  const std::vector<std::string> one{attribute("num_heads", i64{1}), attribute("past_present_share_buffer", i64{1})};
  const auto y = run("DecoderMaskedMultiHeadAttention", step, one, 3);
  CHECK(is(y[0], {-1.5, 1}));
  CHECK(is(y[1], {2, 1.5, 1.25, -.75, .25, 1}));
  CHECK(is(y[2], {-.25, 1.5, -2.75, .5, -.75, 1.5}));
  CHECK_THROWS_WITH_AS(run("DecoderMaskedMultiHeadAttention", step, {one[0]}, 3), doctest::Contains("buffer"),
                       tn::error);
  CHECK(is(run("DecoderMaskedMultiHeadAttention",
               {q, f({1, 1, 3, 2}, {-2, -1.75f, -1.5f, .75f, 1.75f, .75f}),
                f({1, 1, 3, 2}, {-1, 0, 1.25f, .75f, -.25f, -.25f})},
               {one[0]})[0],
           {.9363296, .60362041}));
}

TEST_CASE("Inverse eliminates with pivots") {
  const tensor x = f({2, 3, 3}, {.5f, 2, -.25f, 1.75f, 2, 1.5f, 1.75f, 1.25f, .25f, 1.25f, -1.25f, -.25f, .5f, -2.f,
                                 -1.75f, .75f, -1, -.5f});
  CHECK(is(run("Inverse", {x})[0],
           {-.34241256, -.20233461, .87159526, .54474711, .14007783, -.29571983, -.32684821, .71595329, -.62256807,
            -5.3333354, -2.6666672, 12.000003, -7.5555582, -3.1111116, 14.66667, 7.1111131, 2.2222228, -13.333336},
           1e-4));
  CHECK(is(run("Inverse", {f({2, 2}, {0, 2, 4, 0})})[0], {0, .25, .5, 0}));  // zeros where pivots would be
  CHECK_THROWS_WITH_AS(run("Inverse", {f({2, 3}, {1, 2, 3, 4, 5, 6})}), doctest::Contains("square"), tn::error);
}

TEST_CASE("CropAndResize samples regions of images from edge to edge") {
  const tensor images = f({2, 1, 3, 4}, {1.5f, 1,  .75f, 1,    2,     -2,    .75f,  -1.75f, 0,    -1.75f, 1.75f, -1.5f,
                                         1,    -1, 1,    .75f, -.75f, -.25f, -.75f, -.75f,  -.5f, 2,      .5f,   1.5f});
  const std::vector<tensor> inputs{images, f({2, 4}, {0, 0, 1, .5f, .5f, .25f, 1.5f, 1}), word({2}, {1, 0})};
  const auto crop = [](const std::vector<tensor>& in, const tensor& size, const std::vector<std::string>& attributes) {
    model m;  // the size is a constant
    m.inputs = {value("x", in[0].shape()), value("rois", in[1].shape()),
                value("image", in[2].shape(), onnx::elem_type::int32)};
    m.outputs = {open_value("y")};
    m.initializers = {onnx::encode_tensor(size, "size")};
    m.nodes = {node("CropAndResize", {"x", "rois", "image", "size"}, {"y"}, attributes, {}, "com.microsoft")};
    const auto module = onnx::import_model(onnx::decode_model(m.text(), nullptr, "test.onnx"), {});
    const std::vector<tensor> y = tn::interpret(module.body(), "main", in);
    check_on_cpu(m.text(), in, y);
    return y[0];
  };
  CHECK(is(crop(inputs, word({2}, {2, 3}), {attribute("extrapolation_value", 9.f)}),
           {1, -.5, 0, -.5, 1.375, 1.25, -1, .40625, -1.75, 9, 9, 9}));
  const tensor numbers = f({1, 1, 3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  CHECK(is(crop({numbers, f({1, 4}, {.1f, 0, .9f, .8f}), word({1}, {0})}, word({2}, {1, 2}), {text("mode", "nearest")}),
           {4, 6}));
}

TEST_CASE("Pad, UnfoldTensor, Unique and MatMulInteger16 of com.microsoft") {
  const tensor x = f({2, 2}, {1, 2, 3, 4});
  CHECK(is(run("Pad", {x, whole({1, 4}, {0, 1, 0, 0}), f({}, {9})})[0], {9, 1, 2, 9, 3, 4}));
  CHECK(is(run("Pad", {x, whole({4}, {1, 0, 0, 0})}, {text("mode", "edge")})[0], {1, 2, 1, 2, 3, 4}));
  const tensor windows = run("UnfoldTensor", {f({5, 1}, {0, 1, 2, 3, 4})},
                             {attribute("dim", i64{0}), attribute("size", i64{3}), attribute("step", i64{2})})[0];
  CHECK(windows.shape() == std::vector<i64>{2, 1, 3});
  CHECK(is(windows, {0, 1, 2, 2, 3, 4}));
  CHECK_THROWS_WITH_AS(run("UnfoldTensor", {x}, {attribute("size", i64{3})}), doctest::Contains("window"), tn::error);
  const auto unique = run("Unique", {f({6}, {2, 1, 1, 3, 4, 3})}, {}, 3);
  CHECK(is(unique[0], {2, 1, 3, 4}));
  CHECK(is(unique[1], {0, 1, 1, 2, 3, 2}));
  CHECK(is(unique[2], {1, 2, 2, 1}));
  CHECK(is(run("MatMulInteger16", {tensor::from<tn::i16>({1, 2}, std::vector<tn::i16>{300, -200}),
                                   tensor::from<tn::i16>({2, 1}, std::vector<tn::i16>{300, 200})})[0],
           {50000}));
}

TEST_CASE("NGramRepeatBlock takes the chance of tokens that would repeat") {
  const double never = -std::numeric_limits<double>::infinity();
  const tensor tokens = whole({2, 5}, {1, 2, 3, 1, 2, 0, 0, 1, 0, 0}), scores = f({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  const auto block = [&](i64 n) { return run("NGramRepeatBlock", {tokens, scores}, {attribute("ngram_size", n)})[0]; };
  const auto same = [&](const tensor& got, const std::vector<double>& want) {
    for (i64 k = 0; k < got.size(); ++k) CHECK(got.at_f64(k) == want[static_cast<size_t>(k)]);
  };
  same(block(3), {0, 1, 2, never, 4, never, 6, 7});      // 1 2 3, and 0 0 1
  same(block(2), {0, 1, 2, never, never, never, 6, 7});  // 2 3, and 0 0, 0 1
  same(block(1), {0, never, never, never, never, never, 6, 7});
  same(block(9), {0, 1, 2, 3, 4, 5, 6, 7});  // of fewer tokens none repeats
  CHECK_THROWS_WITH_AS(block(0), doctest::Contains("ngram_size is 0"), tn::error);
}

TEST_CASE("IsAllFinite looks at all of its inputs") {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  const auto finite = [&](float v, std::vector<std::string> attributes = {}) {
    const tensor y = run("IsAllFinite", {f({2}, {1, 2}), f({1, 2}, {3, v})}, std::move(attributes))[0];
    CHECK(y.rank() == 0);
    return y.at_i64(0) == 1;
  };
  CHECK(finite(4));
  CHECK_FALSE(finite(nan));
  CHECK_FALSE(finite(-infinity));
  CHECK(finite(nan, {attribute("isinf_only", i64{1})}));
  CHECK_FALSE(finite(infinity, {attribute("isinf_only", i64{1})}));
  CHECK(finite(infinity, {attribute("isnan_only", i64{1})}));
  CHECK_THROWS_AS(finite(1, {attribute("isinf_only", i64{1}), attribute("isnan_only", i64{1})}), tn::error);
}

TEST_CASE("MurmurHash3 is positive unless it says otherwise") {
  const auto hash = [&](const tensor& x, i64 positive) {
    return run("MurmurHash3", {x}, {attribute("positive", positive)})[0].at_i64(0);
  };
  CHECK(hash(tensor::from<tn::i32>({1}, std::vector<tn::i32>{3}), 1) == 847579505);  // as ONNX Runtime has it
  const tensor three = whole({1}, {3});
  CHECK(run("MurmurHash3", {three})[0].at_i64(0) == hash(three, 1));
  CHECK(hash(three, 1) > INT32_MAX);
  CHECK(hash(three, 0) == static_cast<tn::i32>(hash(three, 1)));
}

TEST_CASE("ConvTransposeWithDynamicPads takes its pads as an input, which is a constant") {
  const tensor x = f({1, 1, 2, 2}, {1, 2, 3, 4}), w = f({1, 1, 2, 2}, {1, 1, 1, 1});
  const tensor all = run("ConvTransposeWithDynamicPads", {x, w})[0];
  CHECK(is(all, {1, 3, 2, 4, 10, 6, 3, 7, 4}));
  const std::vector<tensor> given{x, w};
  const auto padded = [&](const tensor& pads) {
    model m;
    m.inputs = {value("x", x.shape()), value("w", w.shape())};
    m.outputs = {open_value("y")};
    m.initializers = {onnx::encode_tensor(pads, "pads")};
    m.nodes = {node("ConvTransposeWithDynamicPads", {"x", "w", "pads"}, {"y"}, {}, {}, "com.microsoft")};
    const auto module = onnx::import_model(onnx::decode_model(m.text(), nullptr, "test.onnx"), {});
    const std::vector<tensor> y = tn::interpret(module.body(), "main", given);
    check_on_cpu(m.text(), given, y);
    return y[0];
  };
  const tensor inner = padded(whole({4}, {1, 1, 0, 0}));
  CHECK(inner.shape() == std::vector<i64>{1, 1, 2, 2});
  CHECK(is(inner, {10, 6, 7, 4}));
  CHECK_THROWS_WITH_AS(padded(whole({2}, {1, 1})), doctest::Contains("there are 2 pads for 2 dimensions"), tn::error);
}
