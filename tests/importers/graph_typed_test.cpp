// Tensors with shapes in their types: operators, layers, control flow and functions give the types that the graph
// infers, and what untyped code computes.
#include <algorithm>
#include <cmath>

#include <tenon/importers/typed_graph.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/text/print.hpp>

#include "graph_runs.hpp"

using namespace graph_runs;
using nn::typed;
using nn::variable;

namespace {

constexpr const char* file = "graph_typed_test.cpp";

/// That a tensor is of a type; making it asked the graph whether it knows the same.
template <class T, nn::dimension... D>
void is(const auto& x) {
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(x)>, typed<T, D...>>);
}

numbers negated(numbers list) {
  for (double& n : list) n = -n;
  return list;
}

}  // namespace

TEST_CASE("types of operators") {
  nn::graph g;
  const auto x = nn::input<float, "N", 3, 4>(g, "x");
  const auto i = nn::input<i64, "N", 5>(g, "i");
  const auto y = nn::input<float, 3, 1>(g, "y");
  is<bool, "N", 3, 4>(less(x, y));
  is<bool, "N", 3, 4>(is_nan(x));
  is<float, "N", 3, 4>(where(greater(x, 0), x, y));
  is<i64, "N", 3, 4>(nn::cast<i64>(x));
  is<float, "N", 3, 4>(pow(x, nn::constant<i64>(g, tensor::scalar<i64>(2))));
  is<float, "N", 3, 4>(maximum(0, x)), is<float, "N", 3, 4>(atan(mish(x)));
  is<float, 3, "N", 4>(nn::transpose<1, 0, 2>(x)), is<float, "N", 4, 3>(nn::transpose(x));
  is<float, 4, "N", 3>(nn::reshape<4, "N", 3>(nn::transpose<2, 0, 1>(x)));
  is<float, "N", 12>(nn::reshape<"N", 12>(x)), is<float, "N", 2, 6>(nn::reshape<"N", 2, 6>(x));
  is<float, "N", 3, 9>(nn::concat<-1>(x, nn::concat<2>(x, nn::slice<2, 1, 2>(x))));
  is<float, "N", 3>(nn::reduce_prod<2>(x)), is<i64, "N", 4>(nn::arg_min<1>(x));
  is<float, "N", 5, 4>(embedding(nn::constant<float, 7, 4>(g, floats({7, 4}, some(28))), i));
  is<float, "N", 2, 3, 2>(nn::split_heads<2>(x)), is<float, "N", 3, 4>(merge_heads(nn::split_heads<2>(x)));
  is<float, "N", 3, 4>(attention(x, x, x));
  is<float, "N", 3, 4>(rms_norm(x, nn::constant<float, 4>(g, floats({4}, some(4)))));
  const auto image = nn::input<float, "N", 3, 8, 6>(g, "image");
  const auto c = nn::constant<float, 3>(g, floats({3}, numbers(3, 2)));
  is<float, "N", 3, 4, 3>(max_pool(image)), is<float, "N", 3, 4, 3>(nn::average_pool<nn::pooling{3, 2, 1}>(image));
  is<float, "N", 3, 1, 1>(global_average_pool(image)), is<float, "N", 3, 1, 1>(global_max_pool(image));
  is<float, "N", 3, 8, 6>(batch_norm(image, c, c, c, c));
  is<float, "N", 3, 8, 6>(
      nn::conv<nn::sliding{.pad = 1}>(image, nn::constant<float, 3, 3, 3, 3>(g, floats({3, 3, 3, 3}, some(81))), c));
  const auto w = nn::constant<float, 4, 8>(g, floats({4, 8}, some(32)));
  const auto r = nn::constant<float, 2, 8>(g, floats({2, 8}, some(16)));
  const auto b = nn::constant<float, 8>(g, floats({8}, some(8)));
  const auto made = lstm(x, w, r, b);
  is<float, "N", 3, 2>(made.all), is<float, "N", 2>(made.last), is<float, "N", 2>(made.cell);
}

TEST_CASE("typed operators with axes and numbers compute what untyped ones do") {
  nn::graph g;
  const auto x = nn::input<float, "N", 4>(g, "x");
  const auto i = nn::input<i64, "N", 2>(g, "i");
  const variable u = x, k = i;
  int outputs = 0;
  // Two outputs, which are to be equal.
  const auto same = [&](const variable& typed_one, const variable& untyped_one) {
    g.output("t" + std::to_string(outputs), typed_one), g.output("u" + std::to_string(outputs++), untyped_one);
  };
  is<float, "N", 4>(-x), same(-x, -u);
  is<i64, "N", 2>(-i), same(-i, -k);
  is<float, "N", 4>(leaky_relu(x, 0.25)), same(leaky_relu(x, 0.25), leaky_relu(u, 0.25));
  same(elu(x), elu(u)), same(celu(x, 0.5), celu(u, 0.5)), same(hard_sigmoid(x), hard_sigmoid(u));
  is<float, "N", 4>(clip(x, -0.5, 1)), same(clip(x, -0.5, 1), clip(u, -0.5, 1));
  const auto slope = nn::constant<float, 4>(g, floats({4}, some(4, 3)));
  is<float, "N", 4>(prelu(x, slope)), same(prelu(x, slope), prelu(u, slope));
  is<float, "N", 4>(nn::softmax<0>(x)), same(nn::softmax<0>(x), softmax(u, 0));
  same(nn::log_softmax<-1>(x), log_softmax(u, -1));
  is<float, "N", 4>(nn::cumulative_sum<0>(x, true)), same(nn::cumulative_sum<0>(x, true), cumulative_sum(u, 0, true));
  same(nn::cumulative_prod<1>(x, false, true), cumulative_prod(u, 1, false, true));
  is<bool, "N", 4>(is_inf(x)), same(is_inf(x / 0), is_inf(u / 0));
  is<float, "N", 4>(where(greater(x, 0), x, -1)), same(where(greater(x, 0), x, -1), where(greater(u, 0), u, -1));
  is<float, "N", 4>(where(greater(x, 0), 2, x)), same(where(greater(x, 0), 2, x), where(greater(u, 0), 2, u));
  is<float, "N", 1>(nn::reduce_max<1, true>(x)), same(nn::reduce_max<1, true>(x), reduce_max(u, {1}));
  is<i64, 1, 4>(nn::arg_max<0, true>(x)), same(nn::arg_max<0, true>(x), arg_max(u, 0, true));

  const auto deep = nn::unsqueeze<1>(x);
  is<float, "N", 1, 4>(deep), same(deep, unsqueeze(u, {1}));
  is<float, "N", 4>(nn::squeeze<-2>(deep)), same(nn::squeeze<-2>(deep), u);
  is<float, 3, "N", 2, 4>(nn::expand<3, "N", 2, 4>(deep)),
      same(nn::expand<3, "N", 2, 4>(deep), expand(unsqueeze(u, {1}), {3, 1, 2, 4}));
  is<float, "N", 12>(nn::tile<1, 3>(x)), same(nn::tile<1, 3>(x), tile(u, {1, 3}));
  is<float, "N", 6>(nn::pad<1, 3, -1>(x, 7)), same(nn::pad<1, 3, -1>(x, 7), pad(u, {0, 3}, {0, -1}, 7));
  is<float, "N", 4>(triu(x, 1)), same(triu(x, 1), triu(u, 1)), same(tril(x), tril(u));
  const auto [first, rest] = nn::split<1, 1, 3>(x);
  is<float, "N", 1>(first), is<float, "N", 3>(rest), same(rest, split(u, {1, 3}, 1)[1]);
  is<float, "N", 6>(nn::concat<1>(std::array{rest, -rest})),
      same(nn::concat<1>(std::array{rest, -rest}), nn::concat({rest, -variable(rest)}, 1));
  is<float, 2, "N", 4>(nn::stack<0>(std::array{x, x + 1})),
      same(nn::stack<0>(std::array{x, x + 1}), nn::stack({u, u + 1}));
  is<float, "N", "N", 2>(nn::gather<1>(x, i)), same(nn::gather<1>(x, i), gather(u, k, 1));
  is<float, "N", 2, 5>(nn::one_hot<5>(i)), same(nn::one_hot<5>(i), one_hot(k, 5));
  const auto [best, places] = nn::top_k<2>(x);
  is<float, "N", 2>(best), is<i64, "N", 2>(places), same(places, nn::top_k(u, 2).second);

  const auto r = run(g, {floats({2, 4}, some(8)), integers({2, 2}, {3, 0, 1, 2})});
  REQUIRE(r.size() == 2 * static_cast<size_t>(outputs));
  for (size_t n = 0; n < r.size(); n += 2) {
    REQUIRE(r[n].shape() == r[n + 1].shape());
    for (i64 e = 0; e < r[n].size(); ++e)
      CHECK_MESSAGE(r[n].at_f64(e) == r[n + 1].at_f64(e), "output " << n / 2 << ", element " << e);
  }
  check_near(r[0], {2, 4}, negated(some(8)));
}

TEST_CASE("typed code computes what untyped code computes, and says the line of the caller") {
  nn::graph g("net");
  const auto x = nn::input<float, "N", 4>(g, "x");
  const variable u = x;
  const int line = __LINE__ + 1;
  const auto y = nn::concat<1>(nn::slice<1, 1, 3>(x * 2 - x), nn::reshape<"N", 4>(maximum(x, 0.25) / x));
  const auto scope = "net";
  const ir::module& m = g.body();
  CHECK(m.text(m[m[y.get().id()].definition].location) ==
        std::string(file) + ":" + std::to_string(line) + ", in '" + scope + "'");
  const auto sum = x + x;
  CHECK(m.text(m[m[sum.get().id()].definition].location).starts_with(file));
  g.output("y", y);
  g.output("u", nn::concat({slice(u * 2 - u, 1, 1, 3), maximum(u, 0.25) / u}, 1));
  // The two mix: operators of untyped tensors take typed ones.
  g.output("mixed", clip(x, -1, 1) + x * u + leaky_relu(sum, 0.5));
  const numbers in = some(8);
  const auto r = run(g, {floats({2, 4}, in)});
  CHECK(compare(r[0], r[1], {0, 0, 0}).ok);
  numbers mixed;
  for (const double v : in) mixed.push_back(std::clamp(v, -1.0, 1.0) + v * v + (v < 0 ? v : 2 * v));
  check_near(r[2], {2, 4}, mixed);
}

TEST_CASE("control flow keeps types") {
  nn::graph g;
  const auto x = nn::input<float, "n", 2>(g, "x");
  const auto zero = nn::constant<float, 2>(g, floats({2}, {0, 0}));
  const auto total = nn::reduce_sum<0>(nn::reduce_sum<0>(x));
  const auto chosen = g.if_else(greater(total, 1), [&] { return x * 2; }, [&] { return x + 1; });
  is<float, "n", 2>(chosen);
  const auto doubled = g.repeat(3, chosen, [](auto, const auto& s) { return s * 2; });
  is<float, "n", 2>(doubled);
  const auto [large, runs] = g.repeat_while(
      std::pair{total, nn::constant<i64>(g, tensor::scalar<i64>(0))}, [](const auto& s) { return less(s.first, 100); },
      [](const auto& s) { return std::pair{s.first * s.first + 2, s.second + 1}; });
  is<float>(large), is<i64>(runs);
  const auto [last, before] = g.scan(x, zero, [](const auto& sum, const auto& part) {
    is<float, 2>(part);
    return std::pair{sum + part, sum};
  });
  is<float, 2>(last), is<float, "n", 2>(before);
  const auto columns = g.scan<nn::scanning{.axis = 1, .reverse = true}>(
      std::tuple{x, chosen}, std::tuple<>{}, [](std::tuple<>, const auto& c) {
        return std::pair{std::tuple<>{}, std::get<0>(c) + nn::reduce_max<0>(std::get<1>(c))};
      });
  is<float, "n", 2>(columns.second);
  // A body may give what is untyped: it is looked at when it is written.
  is<float, "n", 2>(g.repeat(1, x, [](auto, const auto& s) -> variable { return clip(s, 0, 1); }));
  CHECK(testing::code_of([&] {
          g.repeat(1, x, [](auto, const auto& s) -> variable { return reduce_sum(variable(s), {0}); });
        }) == "graph.typed");
  g.output("doubled", doubled), g.output("large", large), g.output("runs", runs);
  g.output("last", last), g.output("before", before), g.output("columns", columns.second);
  const numbers in = some(6);
  const auto r = run(g, {floats({3, 2}, in)});
  double s = 0, n = 0;
  numbers first(6), sums(2), prefix(6), most{-99, -99}, both(6);
  for (const double v : in) s += v;
  for (size_t i = 0; i < 6; ++i) {
    first[i] = s > 1 ? in[i] * 2 : in[i] + 1;
    prefix[i] = sums[i % 2], sums[i % 2] += in[i], most[i % 2] = std::max(most[i % 2], first[i]);
  }
  for (size_t i = 0; i < 6; ++i) both[i] = in[i] + most[i % 2], first[i] *= 8;
  while (s < 100) s = s * s + 2, ++n;
  check_near(r[0], {3, 2}, first), check_near(r[1], {}, {s}), check_near(r[2], {}, {n});
  check_near(r[3], {2}, sums), check_near(r[4], {3, 2}, prefix), check_near(r[5], {3, 2}, both);
}

TEST_CASE("functions say what they take in the types of their bodies' parameters") {
  nn::graph g("net");
  const auto block = g.function("block", {"x", "w"}, [](const typed<float, "n", 3>& x, typed<float, 3, "m"> w) {
    return std::pair{relu(matmul(x, w)), nn::reduce_sum<1>(x)};
  });
  const auto x = nn::input<float, "N", 3>(g, "x");
  const auto w = nn::constant<float, 3, 2>(g, floats({3, 2}, some(6, 2)));
  const int line = __LINE__ + 1;
  const auto [y, sum] = block(x, w);
  is<float, "N", 2>(y), is<float, "N">(sum);
  is<float, 3, "N">(block(nn::constant<float, 3, 3>(g, floats({3, 3}, some(9))), nn::transpose(x)).first);
  const ir::module& m = g.body();
  CHECK(m.text(m[m[y.get().id()].definition].location) ==
        std::string(file) + ":" + std::to_string(line) + ", in 'net'");
  CHECK(print(m).find("func @block(") != std::string::npos);
  CHECK(m[m.find_function("block")].argument_names == std::vector<std::string>{"x", "w"});
  g.output("y", y), g.output("sum", sum);
  // By its name, from untyped code.
  g.output("again", g.call("block", {x, w})[0]);
  const numbers in = some(6), k = some(6, 2);
  const auto r = run(g, {floats({2, 3}, in)});
  numbers want(4), sums(2);
  for (size_t n = 0; n < 2; ++n)
    for (size_t i = 0; i < 3; ++i) {
      sums[n] += in[n * 3 + i];
      for (size_t o = 0; o < 2; ++o) want[n * 2 + o] += in[n * 3 + i] * k[i * 2 + o];
    }
  for (double& v : want) v = std::max(v, 0.0);
  check_near(r[0], {2, 2}, want), check_near(r[1], {2}, sums), check_near(r[2], {2, 2}, want);
}
