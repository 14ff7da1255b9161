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
