// Operators and layers of graphs written in C++ that graph_test.cpp has not, against formulas in f64.
#include <algorithm>
#include <cmath>

#include <tenon/ops/all.hpp>

#include "graph_runs.hpp"

using namespace graph_runs;
using nn::concat;
using nn::stack;
using nn::variable;

TEST_CASE("more activations") {
  nn::graph g;
  const variable x = g.input<float>("x", {7});
  g.output("gelu_tanh", gelu_tanh(x)), g.output("elu", elu(x, 0.5)), g.output("celu", celu(x, 2));
  g.output("selu", selu(x)), g.output("prelu", prelu(x, g.constant(floats({7}, some(7, 3)))));
  g.output("softplus", softplus(x)), g.output("softsign", softsign(x)), g.output("mish", mish(x));
  g.output("hard_sigmoid", hard_sigmoid(x)), g.output("hard_swish", hard_swish(x)), g.output("is_inf", is_inf(x));
  const numbers in{-90, -2, -0.5, 0, 0.25, 3, 90}, slope = some(7, 3);
  const auto r = run(g, {floats({7}, in)});
  numbers want[11];
  for (size_t i = 0; i < 7; ++i) {
    const double v = in[i], e = std::min(v, 0.0), soft = v > 40 ? v : std::log1p(std::exp(v)),
                 hard = std::clamp(v / 6 + 0.5, 0.0, 1.0), pi = 3.14159265358979323846;
    want[0].push_back(v / 2 * (1 + std::tanh(std::sqrt(2 / pi) * (v + 0.044715 * v * v * v))));
    want[1].push_back(std::max(v, 0.0) + 0.5 * (std::exp(e) - 1));
    want[2].push_back(std::max(v, 0.0) + 2 * (std::exp(e / 2) - 1));
    want[3].push_back(1.0507009873554805 * (std::max(v, 0.0) + 1.6732632423543772 * (std::exp(e) - 1)));
    want[4].push_back(v < 0 ? v * slope[i] : v), want[5].push_back(soft);
    want[6].push_back(v / (1 + std::fabs(v))), want[7].push_back(v * std::tanh(soft));
    want[8].push_back(hard), want[9].push_back(v * hard), want[10].push_back(0);
  }
  for (size_t i = 0; i < 11; ++i) {
    INFO("activation " << i);
    check_near(r[i], {7}, want[i]);
  }
}

TEST_CASE("dimensions of 1 come and go, whatever is known of the others") {
  nn::graph g("net");
  const variable x = g.input<float>("x", {"n", 1, "m"}), y = g.input<float>("y", {2, 3});
  const variable s = squeeze(x, {1}), u = unsqueeze(s, {0, -1});
  CHECK(s.type().shape == std::vector{x.type().shape[0], x.type().shape[2]});
  CHECK(u.type().shape == std::vector{ir::dim(1), s.type().shape[0], s.type().shape[1], ir::dim(1)});
  g.output("s", s), g.output("u", u), g.output("y", unsqueeze(y, {1})), g.output("stack", stack({y, y * 2}, 1));
  CHECK(testing::code_of([&] { squeeze(y, {0}); }) == "graph.axis");
  CHECK(testing::code_of([&] { squeeze(y, {2}); }) == "graph.axis");
  CHECK(testing::code_of([&] { unsqueeze(y, {1, 1}); }) == "graph.axis");
  const numbers in = some(6);
  const auto r = run(g, {floats({2, 1, 3}, in), floats({2, 3}, in)});
  check_near(r[0], {2, 3}, in), check_near(r[1], {1, 2, 3, 1}, in), check_near(r[2], {2, 1, 3}, in);
  numbers stacked;
  for (size_t i = 0; i < 2; ++i)
    for (const double by : {1, 2})
      for (size_t j = 0; j < 3; ++j) stacked.push_back(in[i * 3 + j] * by);
  check_near(r[3], {2, 2, 3}, stacked);
}

TEST_CASE("parts, repetitions, borders, triangles, ranges") {
  nn::graph g("net");
  const variable x = g.input<float>("x", {2, 3});
  const auto parts = split(x, {1, 2}, 1);
  g.output("a", parts[0]), g.output("b", parts[1]), g.output("tile", tile(x, {1, 2}));
  g.output("pad", pad(x, {0, 1}, {1, 0}, 9)), g.output("edge", pad(x, {0, 1}, {0, 1}, op::pad_mode::edge));
  g.output("triu", triu(x)), g.output("tril", tril(x, -1)), g.output("eye", eye_like(x, 1));
  g.output("range", range(extent_of(x, 0), 7, 2)), g.output("expand", expand(reduce_sum(x, {0}), {2, 3}));
  g.output("like", reshape(expand(g.constant(floats({1}, {4})), shape_of(x)), shape_of(x)));
  g.output("bits", bit_cast(x, dtype::i32));
  const error e = testing::caught([&] { split(x, {1, 1}, 1); });
  CHECK(e.code() == "graph.split");
  CHECK(is_at(e, "graph_operators_test.cpp", __LINE__ - 2, "net"));
  const auto r = run(g, {floats({2, 3}, {1, 2, 3, 4, 5, 6})});
  check_near(r[0], {2, 1}, {1, 4}), check_near(r[1], {2, 2}, {2, 3, 5, 6});
  check_near(r[2], {2, 6}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6});
  check_near(r[3], {3, 4}, {9, 1, 2, 3, 9, 4, 5, 6, 9, 9, 9, 9});
  check_near(r[4], {2, 5}, {1, 1, 2, 3, 3, 4, 4, 5, 6, 6});
  check_near(r[5], {2, 3}, {1, 2, 3, 0, 5, 6}), check_near(r[6], {2, 3}, {0, 0, 0, 4, 0, 0});
  check_near(r[7], {2, 3}, {0, 1, 0, 0, 0, 1}), check_near(r[8], {3}, {2, 4, 6});
  check_near(r[9], {2, 3}, {5, 7, 9, 5, 7, 9}), check_near(r[10], {2, 3}, numbers(6, 4));
  CHECK(r[11].at_i64(0) == 0x3f800000);
}

TEST_CASE("elements by their indices") {
  nn::graph g;
  const variable x = g.input<float>("x", {2, 3}), at = g.input<i64>("at", {2, 1});
  g.output("elements", gather_elements(x, at, 1));
  g.output("nd", gather_nd(x, concat({at, at}, 1)));
  g.output("scatter", scatter_elements(x, at, g.constant(floats({2, 1}, {10, 20})), 1, op::scatter_reduction::add));
  g.output("scatter_nd", scatter_nd(x, at, g.constant(floats({2, 3}, {7, 7, 7, 8, 8, 8}))));
  g.output("one_hot", one_hot(at, 3)), g.output("hot", one_hot(reshape(at, {2}), 2, 0, dtype::i64));
  const auto [best, where] = top_k(x, 2);
  g.output("best", best), g.output("where", where), g.output("worst", top_k(x, 1, 0, false).first);
  g.output("reversed", reverse_sequence(x, reshape(at + 1, {2}), 0, 1));
  const auto r = run(g, {floats({2, 3}, {3, 1, 2, 6, 4, 5}), integers({2, 1}, {1, 0})});
  check_near(r[0], {2, 1}, {1, 6}), check_near(r[1], {2}, {4, 3});
  check_near(r[2], {2, 3}, {3, 11, 2, 26, 4, 5}), check_near(r[3], {2, 3}, {8, 8, 8, 7, 7, 7});
  check_near(r[4], {2, 1, 3}, {0, 1, 0, 1, 0, 0}), check_near(r[5], {2, 2}, {0, 1, 1, 0});
  check_near(r[6], {2, 2}, {3, 2, 6, 5}), check_near(r[7], {2, 2}, {0, 2, 0, 2});
  check_near(r[8], {1, 3}, {3, 1, 2}), check_near(r[9], {2, 3}, {1, 3, 2, 6, 4, 5});
}

TEST_CASE("results whose size follows from values") {
  nn::graph g;
  const variable x = g.input<float>("x", {2, 3}), keep = g.input<bool>("keep", {3});
  g.output("places", non_zero(x)), g.output("kept", compress(x, keep, 1));
  const auto different = unique(x);
  g.output("elements", different[0]), g.output("counts", different[3]);
  const variable boxes = g.constant(floats({1, 3, 4}, {0, 0, 1, 1, 0, 0, 1, 0.9, 2, 2, 3, 3}));
  g.output("boxes", non_max_suppression(boxes, g.constant(floats({1, 1, 3}, {0.5, 0.75, 0.25})), 3, 0.5));
  tensor flags(dtype::boolean, {3});
  flags.set_f64(0, 1), flags.set_f64(2, 1);
  const auto r = run(g, {floats({2, 3}, {0, 2, 0, 2, 0, 1}), flags});
  check_near(r[0], {2, 3}, {0, 1, 1, 1, 0, 2}), check_near(r[1], {2, 2}, {0, 0, 2, 1});
  check_near(r[2], {3}, {0, 1, 2}), check_near(r[3], {3}, {3, 1, 2});
  check_near(r[4], {2, 3}, {0, 0, 1, 0, 0, 2});
}

TEST_CASE("determinants and inverses of square matrices") {
  nn::graph g;
  const variable x = g.input<float>("x", {2, 2, 2});
  g.output("determinant", determinant(x)), g.output("inverse", inverse(x));
  const auto r = run(g, {floats({2, 2, 2}, {1, 2, 3, 4, 0, 2, 4, 0})});
  check_near(r[0], {2}, {-2, -8}), check_near(r[1], {2, 2, 2}, {-2, 1, 1.5, -0.5, 0, 0.25, 0.5, 0});
}

TEST_CASE("products and running sums, and where the smallest is") {
  nn::graph g;
  const variable x = g.input<float>("x", {2, 3});
  g.output("prod", reduce_prod(x, {1}, false)), g.output("min", arg_min(x));
  g.output("sum", cumulative_sum(x)), g.output("before", cumulative_sum(x, 0, true)),
      g.output("down", cumulative_prod(x, 1, false, true));
  const auto r = run(g, {floats({2, 3}, {3, 1, 2, 6, 5, 4})});
  check_near(r[0], {2}, {6, 120}), check_near(r[1], {2}, {1, 2});
  check_near(r[2], {2, 3}, {3, 4, 6, 6, 11, 15}), check_near(r[3], {2, 3}, {0, 0, 0, 3, 1, 2});
  check_near(r[4], {2, 3}, {6, 2, 2, 120, 20, 4});
}

TEST_CASE("images: transposed convolutions, other pools and normalizations, sampling") {
  nn::graph g("net");
  const variable x = g.input<float>("x", {1, 2, 2, 2});
  const variable w = g.constant(floats({2, 1, 2, 2}, some(8, 2))), b = g.constant(floats({1}, {0.5}));
  g.output("up", conv_transpose(x, w, b, {.strides = {2, 2}}));
  g.output("most", global_max_pool(x)), g.output("lp", lp_pool(x, {.kernel = {2, 2}}));
  const variable scale = g.constant(floats({2}, {2, 3})), shift = g.constant(floats({2}, {1, -1}));
  g.output("group", group_norm(x, 1, scale, shift, 0)), g.output("instance", instance_norm(x, scale, shift, 0));
  g.output("response", local_response_norm(x, 3, 0.3, 0.5, 2));
  g.output("overhang", max_pool(x, {.kernel = {2, 2}, .strides = {2, 2}, .pads = {1, 1, 0, 0}, .ceil_mode = true}));
  g.output("bigger", resize(x, {.mode = op::interpolation::nearest, .scales = {1, 1, 2, 1}}));
  const variable identity = g.constant(floats({1, 2, 3}, {1, 0, 0, 0, 1, 0}));
  g.output("sampled", grid_sample(x, affine_grid(identity, {1, 2, 2, 2})));
  g.output("numbers", dequantize(g.constant(tensor::from<i8>({2}, {-3, 5})), g.constant(tensor::scalar(0.5f)),
                                 g.constant(tensor::scalar<i8>(1))));
  CHECK(testing::code_of([&] { group_norm(x, 3, scale, shift); }) == "graph.groups");
  const numbers in = some(8), k = some(8, 2);
  const auto r = run(g, {floats({1, 2, 2, 2}, in)});
  numbers up(16, 0.5), most(2, -9), lp(2), group, instance, response, bigger;
  for (size_t c = 0; c < 2; ++c)
    for (size_t i = 0; i < 4; ++i)
      for (size_t j = 0; j < 4; ++j) up[i * 4 + j] += in[c * 4 + i / 2 * 2 + j / 2] * k[c * 4 + i % 2 * 2 + j % 2];
  double mean = 0, variance = 0, scales[] = {2, 3}, shifts[] = {1, -1};
  for (const double v : in) mean += v / 8;
  for (const double v : in) variance += (v - mean) * (v - mean) / 8;
  for (size_t c = 0; c < 2; ++c) {
    double m = 0, s = 0;
    for (size_t i = 0; i < 4; ++i) m += in[c * 4 + i] / 4, lp[c] += in[c * 4 + i] * in[c * 4 + i];
    for (size_t i = 0; i < 4; ++i) s += (in[c * 4 + i] - m) * (in[c * 4 + i] - m) / 4;
    lp[c] = std::sqrt(lp[c]);
    for (size_t i = 0; i < 4; ++i) {
      const double v = in[c * 4 + i], squares = in[i] * in[i] + in[4 + i] * in[4 + i];
      most[c] = std::max(most[c], v);
      group.push_back((v - mean) / std::sqrt(variance) * scales[c] + shifts[c]);
      instance.push_back((v - m) / std::sqrt(s) * scales[c] + shifts[c]);
      response.push_back(v / std::sqrt(2 + 0.3 / 3 * squares));
    }
    for (size_t i = 0; i < 4; ++i)
      for (size_t j = 0; j < 2; ++j) bigger.push_back(in[c * 4 + i / 2 * 2 + j]);
  }
  check_near(r[0], {1, 1, 4, 4}, up), check_near(r[1], {1, 2, 1, 1}, most), check_near(r[2], {1, 2, 1, 1}, lp);
  check_near(r[3], {1, 2, 2, 2}, group), check_near(r[4], {1, 2, 2, 2}, instance);
  check_near(r[5], {1, 2, 2, 2}, response), check_near(r[6], {1, 2, 2, 2}, in);
  check_near(r[7], {1, 2, 4, 2}, bigger), check_near(r[8], {1, 2, 2, 2}, in);
  check_near(r[9], {2}, {-2, 2});
}

TEST_CASE("windows that are put back, and regions of images") {
  nn::graph g;
  const variable x = g.input<float>("x", {1, 1, 2, 4});
  const auto [most, at] = max_pool_with_indices(x, {.kernel = {2, 2}, .strides = {2, 2}});
  g.output("at", at), g.output("back", max_unpool(most, at, {.kernel_shape = {2, 2}, .strides = {2, 2}}));
  g.output("image", col2im(reshape(x, {1, 4, 2}), {.image_shape = {2, 3}, .block_shape = {2, 2}}));
  g.output("regions", roi_align(x, g.constant({1, 4}, {0.f, 0.f, 4.f, 2.f}), g.constant({1}, {i64{0}}),
                                {.output_height = 1, .output_width = 2, .sampling_ratio = 2}));
  const auto r = run(g, {floats({1, 1, 2, 4}, {1, 2, 3, 4, 8, 7, 6, 5})});
  check_near(r[0], {1, 1, 1, 2}, {4, 6}), check_near(r[1], {1, 1, 2, 4}, {0, 0, 0, 0, 8, 0, 6, 0});
  // Columns [1 2], [3 4], [8 7], [6 5] are the four corners of the windows at 0 and at 1.
  check_near(r[2], {1, 1, 2, 3}, {1, 2 + 3, 4, 8, 7 + 6, 5});
  check_near(r[3], {1, 1, 1, 2}, {4.5, 4.5});
}
