// Models written in C++: operators and layers against formulas in f64, control flow, and errors that name the line.
#include <algorithm>
#include <cmath>

#include <tenon/importers/typed_graph.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/npy.hpp>
#include <tenon/text/print.hpp>

#include "graph_runs.hpp"

using namespace graph_runs;
using nn::variable;

TEST_CASE("operators, and numbers beside tensors") {
  nn::graph g;
  const variable x = g.input<float>("x", {2, 3});
  g.output("y", 2 * x + 1 - -x / 4);
  g.output("z", where(less(x, 0), exp(x), maximum(x, 0.5)));
  const numbers in = some(6);
  const auto r = run(g, {floats({2, 3}, in)});
  numbers y, z;
  for (double v : in) y.push_back(2 * v + 1 + v / 4), z.push_back(v < 0 ? std::exp(v) : std::max(v, 0.5));
  check_near(r[0], {2, 3}, y);
  check_near(r[1], {2, 3}, z);
}

TEST_CASE("activations") {
  nn::graph g;
  const variable x = g.input<float>("x", {9});
  g.output("relu", relu(x)), g.output("leaky", leaky_relu(x, 0.2)), g.output("gelu", gelu(x));
  g.output("silu", silu(x)), g.output("clip", clip(x, -0.5, 0.75));
  const numbers in = some(9);
  const auto r = run(g, {floats({9}, in)});
  numbers want[5];
  for (double v : in) {
    want[0].push_back(std::max(v, 0.0)), want[1].push_back(v < 0 ? 0.2 * v : v);
    want[2].push_back(v * 0.5 * (1 + std::erf(v / std::sqrt(2.0)))), want[3].push_back(v / (1 + std::exp(-v)));
    want[4].push_back(std::clamp(v, -0.5, 0.75));
  }
  for (size_t i = 0; i < 5; ++i) check_near(r[i], {9}, want[i]);
}

TEST_CASE("a batch of any size through dense layers, softmax and means") {
  nn::graph g("mlp");
  const variable x = g.input<float>("x", {"N", 3});
  const variable h = g.scope("hidden", [&] {
    return relu(dense(x, g.constant(floats({3, 4}, some(12, 2))), g.constant(floats({4}, some(4, 3)))));
  });
  g.output("p", softmax(h)), g.output("m", reduce_mean(h, {0}, false)), g.output("flat", flatten(h));
  const numbers in = some(6), w = some(12, 2), b = some(4, 3);
  const auto r = run(g, {floats({2, 3}, in)});
  numbers hidden(8), p(8), m(4);
  for (size_t n = 0; n < 2; ++n) {
    double sum = 0;
    for (size_t o = 0; o < 4; ++o) {
      double s = b[o];
      for (size_t i = 0; i < 3; ++i) s += in[n * 3 + i] * w[i * 4 + o];
      hidden[n * 4 + o] = std::max(s, 0.0), m[o] += hidden[n * 4 + o] / 2, sum += std::exp(hidden[n * 4 + o]);
    }
    for (size_t o = 0; o < 4; ++o) p[n * 4 + o] = std::exp(hidden[n * 4 + o]) / sum;
  }
  check_near(r[0], {2, 4}, p);
  check_near(r[1], {4}, m);
  check_near(r[2], {2, 4}, hidden);
}

TEST_CASE("images: convolution, batch normalization, pools") {
  nn::graph g;
  const variable x = g.input<float>("x", {1, 2, 4, 4});
  const variable w = g.constant(floats({2, 1, 3, 3}, some(18, 2))), bias = g.constant(floats({2}, some(2, 3)));
  const auto list = [&](const numbers& n) { return g.constant(floats({2}, n)); };
  const variable y = conv(x, w, bias, {.pads = {1, 1, 1, 1}, .group = 2});
  g.output("conv", y);
  g.output("norm", batch_norm(x, list({2, 3}), list({0.5, -1}), list({0.25, 0}), list({4, 0.25}), 0));
  g.output("max", max_pool(x, {.kernel = {2, 2}, .strides = {2, 2}}));
  g.output("mean", average_pool(x, {.kernel = {2, 2}, .strides = {2, 2}}));
  g.output("all", global_average_pool(x));
  const numbers in = some(32), k = some(18, 2), b = some(2, 3);
  const auto r = run(g, {floats({1, 2, 4, 4}, in)});
  numbers want(32), norm(32), most(8, -9), mean(8), all(2);
  const double scale[] = {2, 3}, shift[] = {0.5, -1}, middle[] = {0.25, 0}, root[] = {2, 0.5};
  for (size_t c = 0; c < 2; ++c)
    for (size_t i = 0; i < 4; ++i)
      for (size_t j = 0; j < 4; ++j) {
        const size_t at = c * 16 + i * 4 + j, pooled = c * 4 + i / 2 * 2 + j / 2;
        double s = b[c];
        for (size_t u = 0; u < 3; ++u)
          for (size_t v = 0; v < 3; ++v)
            if (i + u >= 1 && i + u <= 4 && j + v >= 1 && j + v <= 4)
              s += in[c * 16 + (i + u - 1) * 4 + j + v - 1] * k[c * 9 + u * 3 + v];
        want[at] = s, norm[at] = (in[at] - middle[c]) / root[c] * scale[c] + shift[c];
        most[pooled] = std::max(most[pooled], in[at]), mean[pooled] += in[at] / 4, all[c] += in[at] / 16;
      }
  check_near(r[0], {1, 2, 4, 4}, want);
  check_near(r[1], {1, 2, 4, 4}, norm);
  check_near(r[2], {1, 2, 2, 2}, most);
  check_near(r[3], {1, 2, 2, 2}, mean);
  check_near(r[4], {1, 2, 1, 1}, all);
}

TEST_CASE("heads are split and merged with no batch, and with batches of batches") {
  nn::graph g;
  const variable words = g.input<float>("words", {"n", 4}), many = g.input<float>("many", {2, 1, "n", 4});
  g.output("split", split_heads(words, 2));
  g.output("merged", merge_heads(split_heads(words, 2)));
  g.output("many_split", split_heads(many, 2));
  g.output("many_merged", merge_heads(split_heads(many, 2)));
  CHECK(testing::code_of([&] { split_heads(g.constant(floats({4}, some(4))), 2); }) == "graph.heads");
  CHECK(testing::code_of([&] { merge_heads(words); }) == "graph.heads");
  const numbers a = some(12), b = some(24, 3);
  const auto r = run(g, {floats({3, 4}, a), floats({2, 1, 3, 4}, b)});
  numbers split(12), many_split(24);
  for (size_t n = 0; n < 3; ++n)
    for (size_t c = 0; c < 4; ++c) {
      split[c / 2 * 6 + n * 2 + c % 2] = a[n * 4 + c];
      for (size_t k = 0; k < 2; ++k) many_split[k * 12 + c / 2 * 6 + n * 2 + c % 2] = b[k * 12 + n * 4 + c];
    }
  check_near(r[0], {2, 3, 2}, split);
  check_near(r[1], {3, 4}, a);
  check_near(r[2], {2, 1, 2, 3, 2}, many_split);
  check_near(r[3], {2, 1, 3, 4}, b);
}

TEST_CASE("sequences: embedding, layer and root-mean-square normalization, attention with a mask") {
  nn::graph g;
  const variable tokens = g.input<i64>("tokens", {1, "n"});
  const variable x = embedding(g.constant(floats({5, 4}, some(20, 4))), tokens);
  g.output("norm", layer_norm(x, g.constant(floats({4}, {1, 2, 3, 4})), g.constant(floats({4}, {0, 1, 0, 1}))));
  g.output("rms", rms_norm(x, g.constant(floats({4}, {1, 2, 3, 4})), 0));
  const variable mask = g.constant(floats({3, 3}, {0, -1e9, -1e9, 0, 0, -1e9, 0, 0, 0}));
  const variable q = split_heads(x, 2);
  g.output("attention", merge_heads(attention(q, q, q, mask)));
  const i64 ids[] = {3, 0, 4};
  const auto r = run(g, {tensor::from<i64>({1, 3}, ids)});
  const numbers table = some(20, 4);
  numbers norm(12), rms(12), attended(12);
  const auto at = [&](size_t t, size_t c) { return table[static_cast<size_t>(ids[t]) * 4 + c]; };
  for (size_t t = 0; t < 3; ++t) {
    double mean = 0, square = 0, variance = 0;
    for (size_t c = 0; c < 4; ++c) mean += at(t, c) / 4, square += at(t, c) * at(t, c) / 4;
    for (size_t c = 0; c < 4; ++c) variance += (at(t, c) - mean) * (at(t, c) - mean) / 4;
    for (size_t c = 0; c < 4; ++c) {
      norm[t * 4 + c] =
          (at(t, c) - mean) / std::sqrt(variance + 1e-5) * static_cast<double>(c + 1) + static_cast<double>(c % 2);
      rms[t * 4 + c] = at(t, c) / std::sqrt(square) * static_cast<double>(c + 1);
    }
    for (size_t head = 0; head < 2; ++head) {
      double weight[3] = {}, sum = 0;
      for (size_t s = 0; s <= t; ++s) {
        double dot = 0;
        for (size_t c = 0; c < 2; ++c) dot += at(t, head * 2 + c) * at(s, head * 2 + c);
        sum += weight[s] = std::exp(dot / std::sqrt(2.0));
      }
      for (size_t s = 0; s <= t; ++s)
        for (size_t c = 0; c < 2; ++c) attended[t * 4 + head * 2 + c] += weight[s] / sum * at(s, head * 2 + c);
    }
  }
  check_near(r[0], {1, 3, 4}, norm);
  check_near(r[1], {1, 3, 4}, rms);
  check_near(r[2], {1, 3, 4}, attended);
}

TEST_CASE("control flow: a branch, and a loop that carries two values") {
  nn::graph g;
  const variable x = g.input<float>("x", {2});
  const variable big = greater(reduce_max(x, {}, false), 1);
  g.output("branch", g.if_else(big, [&] { return x / 2; }, [&] { return -x; }));
  // Fibonacci numbers, elementwise.
  const std::array<variable, 2> last = g.repeat(
      5, std::array{x, x}, [&](variable, const std::array<variable, 2>& s) { return std::array{s[1], s[0] + s[1]}; });
  g.output("f", last[0]);
  g.output("sum", g.repeat(4, x, [&](variable i, variable s) { return s + cast(i, dtype::f32); }));
  const auto r = run(g, {floats({2}, {3, -1})});
  check_near(r[0], {2}, {1.5, -0.5});
  check_near(r[1], {2}, {8 * 3, 8 * -1});
  check_near(r[2], {2}, {9, 5});
}

TEST_CASE("a branch or a body that throws is taken back") {
  nn::graph g;
  const variable x = g.input<float>("x", {2});
  const variable big = greater(reduce_max(x, {}, false), 1);
  const auto fail = [&]() -> variable {
    (void)exp(x);
    throw std::runtime_error("left");
  };
  CHECK_THROWS_AS((void)g.if_else(big, [&] { return x / 2; }, fail), std::runtime_error);
  CHECK_THROWS_AS((void)g.repeat(3, x, [&](variable, variable) { return fail(); }), std::runtime_error);
  // The first one's state is of another type after a run.
  CHECK_THROWS_AS((void)g.repeat(2, x, [&](variable, variable s) { return slice(s, 0, 0, 1); }), error);
  g.output("y", g.if_else(big, [&] { return x / 2; }, [&] { return -x; }));
  CHECK(print(g.body()).find("exp") == std::string::npos);
  check_near(run(g, {floats({2}, {3, -1})})[0], {2}, {1.5, -0.5});
}

TEST_CASE("weights of a file, and values of any op") {
  write_npy("graph_test.npy", floats({3}, {1, 2, 3}));
  nn::graph g;
  const variable x = g.input<float>("x", {3});
  g.output("y", g.make(op::cumulative_sum{.axis = 0}, {x * g.load("graph_test.npy")}));
  check_near(run(g, {floats({3}, {1, 1, 1})})[0], {3}, {1, 3, 6});
  std::remove("graph_test.npy");
}

TEST_CASE("constants of lists and spans, which have as many elements as their shapes") {
  nn::graph g("net");
  const std::vector<float> list{1, 2, 3, 4, 5, 6};
  const variable x = g.input<float>("x", {3});
  g.output("y", x + g.constant<float>({2, 3}, list) * g.constant({3}, {1.f, 10.f, 100.f}));
  const error e = testing::caught([&] { g.constant<float>({2, 2}, list); });
  CHECK(e.code() == "graph.constant");
  CHECK(is_at(e, "graph_test.cpp", __LINE__ - 2, "net"));
  CHECK(e.message() == "6 elements for the shape [2,2]");
  const error no_file = testing::caught([&] { g.load("there_is_no.npy"); });
  CHECK(is_at(no_file, "graph_test.cpp", __LINE__ - 1, "net"));
  CHECK(no_file.message().find("there_is_no.npy") != std::string::npos);
  check_near(run(g, {floats({3}, {0, 0, 1})})[0], {2, 3}, {1, 20, 301, 4, 50, 601});
}

TEST_CASE("errors name the line and the scopes") {
  nn::graph g("mlp");
  const variable x = g.input<float>("x", {2, 3});
  const variable w = g.constant(floats({4, 2}, some(8)));
  const auto line = std::to_string(__LINE__ + 1);
  const error e = testing::caught([&] { g.scope("encoder", [&] { return dense(x, w, w); }); });
  CHECK(e.code() == "ir.infer");
  CHECK_MESSAGE(std::string(e.what()).find("graph_test.cpp:" + line + ", in 'mlp/encoder'") != std::string::npos,
                e.what());
  // Layers stand where they are called, and so do all ops that they are made of.
  CHECK(std::string(testing::caught([&] { layer_norm(x, w, w); }).what()).find("graph_test.cpp:") != std::string::npos);
  CHECK(testing::code_of([&] { g.input<float>("x", {1}); }) == "graph.name");
  CHECK(testing::code_of([&] { g.input<float>("z", {-1}); }) == "graph.shape");
  CHECK(testing::code_of([&] { nn::exp(2.0); }) == "graph.number");
  CHECK(testing::code_of([&] { cast(x, dtype::i64) + 0.5; }) == "graph.number");
  CHECK(testing::code_of([&] { reduce_mean(x, {2}); }) == "graph.axis");
  CHECK(testing::code_of([&] { g.repeat(2, x, [&](variable, variable s) { return slice(s, 0, 0, 1); }); }) ==
        "graph.repeat");
  nn::graph other;
  CHECK(testing::code_of([&] { other.make(op::exp{}, {x}); }) == "graph.other");
  CHECK(testing::code_of([&] { std::move(other).finish(); }) == "graph.empty");
  nn::graph done;
  const variable z = done.input<float>("z", {2});
  done.output("y", exp(z));
  const auto taken = std::move(done).finish();
  CHECK(testing::code_of([&] { exp(z); }) == "graph.finished");
  CHECK(testing::code_of([&] { z + 1; }) == "graph.finished");
  CHECK(testing::code_of([&] { done.input<float>("x", {2}); }) == "graph.finished");
  CHECK(testing::code_of([&] { done.output("x", z); }) == "graph.finished");
  CHECK(testing::code_of([&] { done.constant(floats({1}, {1})); }) == "graph.finished");
  CHECK(testing::code_of([&] { std::move(done).finish(); }) == "graph.finished");
  CHECK(testing::code_of([&] { done.function("f", {nn::parameter<float>("x", {2})}, [](variable v) { return v; }); }) ==
        "graph.finished");
}

TEST_CASE("shapes in types are those that the graph infers, and the values are those of untyped code") {
  nn::graph g;
  const auto image = nn::input<float, "N", 2, 5, 5>(g, "image");
  const auto w = nn::constant<float, 4, 1, 3, 3>(g, floats({4, 1, 3, 3}, some(36)));
  const auto c = conv<nn::sliding{.stride = 2, .pad = 1, .group = 2}>(image, w);
  static_assert(std::is_same_v<decltype(c), const nn::typed<float, "N", 4, 3, 3>>);
  const auto flat = flatten(relu(2 * c - 1));
  static_assert(std::is_same_v<decltype(flat), const nn::typed<float, "N", 36>>);
  const auto v = nn::constant<float, 36, 3>(g, floats({36, 3}, some(108)));
  const auto b = nn::constant<float, 3>(g, floats({3}, some(3)));
  const auto y = dense(flat, v, b);
  const auto mean = reduce_mean<0>(y);
  static_assert(std::is_same_v<decltype(mean), const nn::typed<float, 3>>);
  const auto scores = matmul(y, transpose(y - mean));
  static_assert(std::is_same_v<decltype(scores), const nn::typed<float, "N", "N">>);
  g.output("typed", softmax(layer_norm(y, b, b)));
  g.output("scores", scores);

  const variable x = image, k = w;
  const variable h = relu(2 * conv(x, k, {.strides = {2, 2}, .pads = {1, 1, 1, 1}, .group = 2}) - 1);
  const variable d = dense(flatten(h), v.get(), b.get());
  g.output("untyped", softmax(layer_norm(d, b.get(), b.get())));
  const auto r = run(g, {floats({2, 2, 5, 5}, some(100))});
  CHECK(compare(r[0], r[2], {0, 0, 0}).ok);
  CHECK(r[1].shape() == std::vector<i64>{2, 2});
}

TEST_CASE("a variable gets its type back where the graph knows no other") {
  nn::graph g;
  const variable x = g.input<float>("x", {"N", 4});
  CHECK(nn::as<float, "N", 4>(x).get().id() == x.id());
  CHECK(testing::code_of([&] { (void)nn::as<float, "N", 5>(x); }) == "graph.typed");
  CHECK(testing::code_of([&] { (void)nn::as<double, "N", 4>(x); }) == "graph.typed");
  CHECK(testing::code_of([&] { (void)nn::as<float, 3, 4>(exp(x + g.constant(floats({1, 4}, some(4))))); }) == "none");
  CHECK(testing::code_of([&] { (void)nn::as<float, "N", "C">(x); }) == "graph.typed");
}
