/// @file onnx_microsoft_states_test: com.microsoft's operators of models with a state, and masks of pools and
/// attention, on values computed by ONNX Runtime 1.30 where nothing else is said.
#include <limits>
#include <string>
#include <vector>

#include "microsoft_node.hpp"

using namespace microsoft_node;

namespace {

tensor whole(std::vector<i64> shape, const std::vector<i64>& v) { return tensor::from<i64>(shape, v); }
tensor ints(std::vector<i64> shape, const std::vector<tn::i32>& v) { return tensor::from<tn::i32>(shape, v); }

}  // namespace

TEST_CASE("CausalConvWithState has gaps between taps, and channels that are last") {
  const tensor x = f({1, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), w = f({2, 1, 2}, {1, 10, 2, -1}), bias = f({2}, {.5f, 0});
  const std::vector<std::string> last{attribute("dilation", i64{2}), attribute("channels_last", i64{1})};
  const auto y = run("CausalConvWithState", {x, w, bias, f({1, 2, 2}, {-1, -2, 1, 0})}, last, 2);
  CHECK(is(y[0], {9.5, -6, 31.5, -4, 51.5, -2, 73.5, 0}));
  CHECK(is(y[1], {5, 6, 7, 8}));
  // Channels in several dimensions are the same numbers: by definition.
  const auto z = run("CausalConvWithState",
                     {f({1, 4, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8}), w, bias, f({1, 2, 2, 1}, {-1, -2, 1, 0})}, last, 2);
  CHECK(z[0].shape() == std::vector<i64>{1, 4, 2, 1});
  CHECK(is(z[0], {9.5, -6, 31.5, -4, 51.5, -2, 73.5, 0}));
  CHECK_THROWS_WITH_AS(run("CausalConvWithState", {x, w}, {attribute("ndim", i64{2})}),
                       doctest::Contains("more than one dimension"), tn::error);
}

TEST_CASE("LinearAttention: a query head shares the states of several key heads, over any number of steps") {
  const std::vector<std::string> heads{attribute("q_num_heads", i64{1}), attribute("kv_num_heads", i64{2})};
  const tensor q = f({1, 3, 2}, {1, .5f, -1, 2, .25f, 1}),
               k = f({1, 3, 4}, {.6f, .8f, 1, 0, 0, 1, .8f, -.6f, 1, 0, .6f, .8f}),
               v = f({1, 3, 2}, {1, 2, -1, 3, 2, .5f}), state = f({1, 2, 2, 1}, {1, 0, -1, .5f}),
               decay = f({1, 3, 2}, {-.1f, -.2f, -.3f, -.4f, -.5f, -.6f}), beta = f({1, 3, 1}, {.5f, 1, .25f});
  const auto y = run("LinearAttention", {q, k, v, state, decay, beta}, heads, 2);
  CHECK(is(y[0], {.801425, .5623743, -1.960035, -3.919441, -.2784204, -.255333}));
  CHECK(is(y[1], {.8511393, -.6065307, 1.505029, -.7373527}));

  // A loop of 20 steps is two times 10 that are written one after the other, with the state between them.
  const auto numbers = [](i64 steps, i64 width, int seed, double by) {
    tensor t(tn::dtype::f32, {1, steps, width});
    for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, by * std::sin(0.7 * static_cast<double>(i + 1) * seed));
    return t;
  };
  const auto part = [](const tensor& t, i64 from, i64 steps) {
    tensor r(t.type(), {1, steps, t.shape()[2]});
    for (i64 i = 0; i < r.size(); ++i) r.set_f64(i, t.at_f64(from * t.shape()[2] + i));
    return r;
  };
  const std::vector<tensor> all{numbers(20, 2, 1, 1),  numbers(20, 4, 2, .5), numbers(20, 2, 3, 1), state,
                                numbers(20, 2, 5, .1), numbers(20, 1, 7, .4)};
  const auto run_part = [&](i64 from, i64 steps, const tensor& before) {
    std::vector<tensor> some;
    for (const tensor& t : all) some.push_back(t.rank() == 4 ? before : part(t, from, steps));
    return run("LinearAttention", some, heads, 2);
  };
  const auto whole_run = run_part(0, 20, state), first = run_part(0, 10, state), second = run_part(10, 10, first[1]);
  for (i64 i = 0; i < 20; ++i) {
    CHECK(whole_run[0].at_f64(i) == doctest::Approx(first[0].at_f64(i)).epsilon(1e-5));
    CHECK(whole_run[0].at_f64(20 + i) == doctest::Approx(second[0].at_f64(i)).epsilon(1e-5));
  }
  for (i64 i = 0; i < 4; ++i) CHECK(whole_run[1].at_f64(i) == doctest::Approx(second[1].at_f64(i)).epsilon(1e-5));
}

TEST_CASE("LinearAttentionGate, GatedRMSNorm, GatedAdd") {
  const auto gate =
      run("LinearAttentionGate",
          {f({1, 1, 3}, {0, 2, -40}), f({3}, {0, 1, 0}), f({3}, {-1, -.5f, 1}), f({1, 1, 3}, {0, 1, -2})}, {}, 2);
  CHECK(is(gate[0], {-.6931472, -1.524294, 0}));
  CHECK(is(gate[1], {.5, .7310586, .1192029}));
  const tensor x = f({1, 4}, {3, 4, .001f, 0}), scale = f({2}, {1, 2}), beside = f({1, 4}, {0, 1, -1, 2});
  CHECK(is(run("GatedRMSNorm", {x, scale, beside})[0], {0, 1.654196, -.08299713, 0}));
  CHECK_THROWS_WITH_AS(run("GatedRMSNorm", {f({1, 3}, {1, 2, 3}), scale, f({1, 3}, {1, 2, 3})}),
                       doctest::Contains("no multiple of the 2 scales"), tn::error);
  CHECK(is(run("GatedAdd", {f({2, 2}, {1, 2, 3, 4}), f({2, 2}, {1, 1, 2, 2}), f({2, 1}, {10, -1})})[0],
           {11, 12, 1, 2}));  // by definition
}

TEST_CASE("LinearAttentionGate and GatedRMSNorm of f64 are computed in f64") {
  const auto d = [](std::vector<i64> shape, const std::vector<double>& v) { return tensor::from<double>(shape, v); };
  const tensor x = d({1, 2}, {1 + 1e-12, 0}), scale = d({2}, {1, 1}), half = d({1, 2}, {.5, .5});
  const double silu = .5 / (1 + std::exp(-.5)), root = std::sqrt((1 + 1e-12) * (1 + 1e-12) / 2 + double{1e-5f});
  const tensor y = run("GatedRMSNorm", {x, scale, half})[0];
  CHECK(y.type() == tn::dtype::f64);
  CHECK(y.at_f64(0) == doctest::Approx((1 + 1e-12) / root * silu).epsilon(1e-14));
  const tensor zero = d({2}, {0, 0});
  const auto gate = run("LinearAttentionGate", {x, zero, scale, x}, {}, 2);
  CHECK(gate[0].at_f64(0) == doctest::Approx(std::log1p(std::exp(1 + 1e-12))).epsilon(1e-14));
  CHECK(gate[1].at_f64(0) == doctest::Approx(1 / (1 + std::exp(-(1 + 1e-12)))).epsilon(1e-14));
}

TEST_CASE("MRotaryEmbedding: columns go by time, height or width") {
  std::vector<float> cosines(12), sines(12);
  for (size_t i = 0; i < 12; ++i) cosines[i] = static_cast<float>(i), sines[i] = static_cast<float>(1 + i / 4);
  const auto rotated = [&](i64 layout, std::initializer_list<i64> sections) {
    return run(
        "MRotaryEmbedding",
        {f({1, 1, 1, 8}, {1, 2, 3, 4, 5, 6, 7, 8}), whole({3, 1, 1}, {0, 1, 2}), f({3, 4}, cosines), f({3, 4}, sines)},
        {attribute("mrope_section", sections), attribute("mrope_layout", layout)})[0];
  };
  CHECK(is(rotated(0, {2, 1, 1}), {-5, -4, 4, 20, 1, 8, 48, 100}));
  CHECK(is(rotated(1, {2, 1, 1}), {-5, -2, 9, 4, 1, 34, 79, 28}));
  CHECK_THROWS_WITH_AS(rotated(0, {2, 1, 2}), doctest::Contains("of 5 columns, not of 4"), tn::error);
}

TEST_CASE("MaxpoolWithMask leaves masked elements out") {
  const tensor x = f({1, 1, 2, 4}, {1, 5, 3, 9, 2, 8, 4, 7}), mask = ints({1, 1, 2, 4}, {1, 1, 0, 0, 1, 0, 0, 0});
  const tensor y = run("MaxpoolWithMask", {x, mask}, {attribute("kernel_shape", {2, 2})})[0];
  CHECK(is(y, {5, 5, -static_cast<double>(std::numeric_limits<float>::max())}));
}

TEST_CASE("Attention's mask may say which key of a batch is the first one") {
  const tensor x = f({2, 3, 2}, {1, 0, 0, 1, 1, 1, -1, 0, 0, 2, 1, -1}),
               w = f({2, 6}, {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}), bias = f({6}, {0, 0, 0, 0, 0, 0});
  const tensor y = run("Attention", {x, w, bias, ints({4}, {3, 2, 1, 0})}, {attribute("num_heads", i64{1})})[0];
  CHECK(is(y, {.5, 1, .6697615, 1, .6697615, 1, -.8044297, .3911406, -.1955703, 1.608859, -.3302385, 1.339523}));
}
