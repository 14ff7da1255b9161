// Control flow of graphs written in C++: branches, loops with a condition, scans, and what their bodies may not do.
#include <cmath>
#include <tuple>

#include <tenon/ops/all.hpp>
#include <tenon/text/print.hpp>

#include "graph_runs.hpp"

using namespace graph_runs;
using nn::concat;
using nn::variable;

namespace { constexpr const char* file = "graph_control_test.cpp"; }

TEST_CASE("branches give tensors, pairs, tuples and arrays of them") {
  nn::graph g;
  const variable x = g.input<float>("x", {2}), n = g.input<i64>("n", {});
  const auto [a, b] =
      g.if_else(greater(n, 0), [&] { return std::pair{x + 1, n}; }, [&] { return std::pair{x - 1, -n}; });
  const auto c = g.if_else(
      greater(n, 0), [&] { return std::tuple{x, std::array{x, x * 2}}; },
      [&] { return std::tuple{-x, std::array{x * 3, x}}; });
  g.output("a", a), g.output("b", b), g.output("c", std::get<0>(c)), g.output("d", std::get<1>(c)[1]);
  const auto r = run_each(g, {{floats({2}, {1, 2}), integers({}, {5})}, {floats({2}, {1, 2}), integers({}, {-5})}});
  check_near(r[0][0], {2}, {2, 3}), check_near(r[1][0], {2}, {0, 1});
  check_near(r[0][1], {}, {5}), check_near(r[1][1], {}, {5});
  check_near(r[0][2], {2}, {1, 2}), check_near(r[1][2], {2}, {-1, -2});
  check_near(r[0][3], {2}, {2, 4}), check_near(r[1][3], {2}, {1, 2});
}

TEST_CASE("a loop runs while its condition holds, at most as often as it is told") {
  nn::graph g;
  const variable x = g.input<float>("x", {}), most = g.input<i64>("most", {});
  // The power of two from x up that is at least 100.
  const auto below = [](const variable& v) { return less(v, 100); };
  const auto twice = [](const variable& v) { return v * 2; };
  g.output("power", g.repeat_while(x, below, twice));
  g.output("bounded", g.repeat_while(most, x, below, twice));
  // With the number of the run, and two values: 0 + 1 + … until the sum is above x.
  const variable zero = g.constant(tensor::scalar(0.f));
  const auto [sum, runs] = g.repeat_while(
      std::pair{zero, zero}, [&](const std::pair<variable, variable>& s) { return less_equal(s.first, x); },
      [](variable i, const std::pair<variable, variable>& s) {
        return std::pair{s.first + cast(i, dtype::f32), s.second + 1};
      });
  g.output("sum", sum), g.output("runs", runs);
  std::vector<std::vector<tensor>> inputs;
  const std::pair<double, i64> cases[] = {{3, 2}, {250, 9}, {0.5, 0}, {0.5, 100}};
  for (const auto& [in, n] : cases) inputs.push_back({tensor::scalar(static_cast<float>(in)), tensor::scalar(n)});
  const auto results = run_each(g, inputs);
  for (size_t k = 0; k < std::size(cases); ++k) {
    double power = cases[k].first, bounded = power, s = 0, i = 0;
    while (power < 100) power *= 2;
    for (i64 n = 0; n < cases[k].second && bounded < 100; ++n) bounded *= 2;
    while (s <= cases[k].first) s += i++;
    check_near(results[k][0], {}, {power}), check_near(results[k][1], {}, {bounded});
    check_near(results[k][2], {}, {s}), check_near(results[k][3], {}, {i});
  }
}

TEST_CASE("a scan carries a state over the parts of a tensor, and stacks what its body gives") {
  nn::graph g;
  const variable x = g.input<float>("x", {"n", 2}), zero = g.constant(floats({2}, {0, 0}));
  const auto running = [](variable sum, variable part) { return std::pair{sum + part, sum}; };
  const auto [total, before] = g.scan(x, zero, running);
  CHECK(total.type() == zero.type());
  CHECK(before.type() == x.type());  // as many parts as x has, and as long
  g.output("total", total), g.output("before", before);
  g.output("after", g.scan<nn::scanning{.reverse = true}>(x, zero, running).second);
  // Along the other dimension, of two tensors, with two results.
  const auto columns = g.scan<nn::scanning{.axis = -1}>(
      std::pair{x, x * 2}, std::tuple<>{}, [](std::tuple<>, const std::pair<variable, variable>& c) {
        return std::pair{std::tuple<>{}, std::array{c.first + c.second, c.first}};
      });
  g.output("columns", columns.second[0]), g.output("same", columns.second[1]);
  CHECK(columns.second[1].type() == x.type());

  const numbers in = some(8);
  const auto results = run_each(g, {{floats({4, 2}, in)}, {floats({1, 2}, {1, 2})}, {tensor(dtype::f32, {0, 2})}});
  for (const auto& r : results) {
    const size_t n = static_cast<size_t>(r[1].shape()[0]);
    const numbers given = n == 1 ? numbers{1, 2} : numbers(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(2 * n));
    numbers sum(2), prefix(2 * n), suffix(2 * n), three(2 * n);
    for (size_t i = 0; i < 2 * n; ++i) prefix[i] = sum[i % 2], sum[i % 2] += given[i], three[i] = 3 * given[i];
    numbers back(2);
    for (size_t i = 2 * n; i-- > 0;) suffix[i] = back[i % 2], back[i % 2] += given[i];
    check_near(r[0], {2}, sum);
    check_near(r[1], {static_cast<i64>(n), 2}, prefix);
    check_near(r[2], {static_cast<i64>(n), 2}, suffix);
    check_near(r[3], {static_cast<i64>(n), 2}, three);
    check_near(r[4], {static_cast<i64>(n), 2}, given);
  }
}

TEST_CASE("what does not fit a loop or a branch names its line, and is taken back") {
  nn::graph g("net");
  const variable x = g.input<float>("x", {2, 3}), y = g.input<float>("y", {4, 3}), n = g.input<i64>("n", {});
  const int line = __LINE__ + 1;
  const error grown = testing::caught([&] { g.repeat(2, x, [](variable, variable s) { return concat({s, s}, 0); }); });
  CHECK(grown.code() == "graph.repeat");
  CHECK(is_at(grown, file, line, "net"));
  CHECK(grown.message() == "value 0 of the state is f32[2,3] before a run and f32[4,3] after it");
  CHECK(grown.hint().find("let scan stack what each run adds") != std::string::npos);
  CHECK(testing::caught([&] { g.repeat(2, x, [](variable, variable s) { return cast(s, dtype::f64); }); }).message() ==
        "value 0 of the state is f32[2,3] before a run and f64[2,3] after it");
  CHECK(testing::code_of([&] { g.repeat(1.5, x, [](variable, variable s) { return s; }); }) == "graph.repeat");

  const auto keep = [](variable s) { return s; };
  const error no_bool = testing::caught([&] { g.repeat_while(x, [](variable s) { return s; }, keep); });
  CHECK(no_bool.message().find("the condition is not one bool") != std::string::npos);
  CHECK(is_at(no_bool, file, __LINE__ - 2, "net"));
  const error types = testing::caught([&] { g.if_else(less(n, 1), [&] { return x; }, [&] { return n; }); });
  CHECK(types.message().find("different element types") != std::string::npos);
  CHECK(is_at(types, file, __LINE__ - 2, "net"));
  CHECK(testing::code_of([&] { g.if_else(x, [&] { return x; }, [&] { return x; }); }) == "ir.infer");

  const auto both = [](variable s, const std::array<variable, 2>&) { return std::pair{s, s}; };
  const error length = testing::caught([&] { g.scan(std::array{x, y}, n, both); });
  CHECK(length.code() == "graph.scan");
  CHECK(is_at(length, file, __LINE__ - 2, "net"));
  CHECK(length.message() == "tensors of 2 and 4 parts are scanned together");
  CHECK(testing::code_of([&] { g.scan(n, n, [](variable s, variable) { return std::pair{s, s}; }); }) == "graph.scan");

  std::optional<variable> inside;
  (void)g.repeat(2, x, [&](variable, variable s) { return *(inside = s + 1); });
  const error outside = testing::caught([&] { (void)exp(*inside); });
  CHECK(outside.code() == "graph.scope");
  CHECK(is_at(outside, file, __LINE__ - 2, "net"));
  CHECK(testing::code_of([&] {
          g.repeat(2, x, [&](variable, variable s) -> variable {
            inside = s + 1;
            throw error("mine", "left");
          });
        }) == "mine");
  CHECK(testing::code_of([&] { (void)exp(*inside); }) == "graph.scope");

  // All of that left nothing but the one loop, which nobody uses.
  g.output("z", x + 1);
  const std::string text = print(g.body());
  CHECK(text.find("if_else") == std::string::npos);
  CHECK(text.find("repeat") == text.rfind("repeat"));
  check_near(run(g, {floats({2, 3}, numbers(6, 1)), floats({4, 3}, numbers(12, 1)), integers({}, {1})})[0], {2, 3},
             numbers(6, 2));
}

TEST_CASE("tensors that are scanned together are asked before a run to be as long as one another") {
  nn::graph g;
  const variable x = g.input<float>("x", {"n"}), y = g.input<float>("y", {"m"}), zero = g.constant(tensor::scalar(0.f));
  const auto dot = [](variable s, const std::array<variable, 2>& p) { return std::pair{s + p[0] * p[1], s}; };
  g.output("dot", g.scan(std::array{x, y}, zero, dot).first);
  CHECK(print(g.body()).find("conditions(") != std::string::npos);
  check_near(run(g, {floats({3}, {1, 2, 3}), floats({3}, {4, 5, 6})})[0], {}, {32});
}
