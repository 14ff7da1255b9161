// Functions of graphs written in C++: written once, called with other tensors and other extents, and their errors.
#include <algorithm>
#include <cmath>

#include <tenon/ops/all.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/text/print.hpp>

#include "graph_runs.hpp"

using namespace graph_runs;
using nn::concat;
using nn::parameter;
using nn::variable;

namespace {

constexpr const char* file = "graph_functions_test.cpp";

/// y[r, o] = max(sum of x[r, i] w[i, o], 0) + x[r, o] for square w.
numbers block_of(const numbers& x, const numbers& w, size_t n) {
  numbers y(x.size());
  for (size_t r = 0; r < x.size() / n; ++r)
    for (size_t o = 0; o < n; ++o) {
      double s = 0;
      for (size_t i = 0; i < n; ++i) s += x[r * n + i] * w[i * n + o];
      y[r * n + o] = std::max(s, 0.0) + x[r * n + o];
    }
  return y;
}
size_t calls(const ir::module& m) {
  const std::string text = print(m);
  size_t n = 0;
  for (size_t at = text.find("= call("); at != std::string::npos; at = text.find("= call(", at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a function is written once, and called with other tensors, extents and numbers") {
  nn::graph g("net");
  const auto block = g.function("block", {parameter<float>("x", {"n", 3}), parameter<float>("w", {3, 3})},
                                [](const variable& x, const variable& w) { return relu(matmul(x, w)) + x; });
  const auto scaled = g.function("scaled", {parameter<float>("x", {"n", "m"}), parameter<float>("by", {})},
                                 [](variable x, variable by) { return x * by; });
  const variable x = g.input<float>("x", {"N", 3}), z = g.input<float>("z", {2, 3});
  const variable w = g.constant(floats({3, 3}, some(9, 2))), v = g.constant(floats({3, 3}, some(9, 4)));
  const variable y = block(block(x, w), v);
  CHECK(y.type() == x.type());  // in the extents of the caller
  CHECK(block(z, v).type().extents() == std::vector<i64>{2, 3});
  g.output("y", y);
  g.output("z", scaled(block(z, v), 0.5));
  g.output("same", block(scaled(x, 2), w));

  CHECK(g.body().functions().size() == 3);
  CHECK(calls(g.body()) == 7);
  const numbers a = some(12, 3), b = some(6, 5), c = some(9, 2), d = some(9, 4);
  for (const auto& r :
       run_each(g, {{floats({4, 3}, a), floats({2, 3}, b)}, {floats({1, 3}, numbers(3, 1)), floats({2, 3}, b)}})) {
    const numbers in = r[0].shape()[0] == 4 ? a : numbers(3, 1);
    check_near(r[0], {static_cast<i64>(in.size() / 3), 3}, block_of(block_of(in, c, 3), d, 3));
    numbers half = block_of(b, d, 3), twice = in;
    for (double& e : half) e /= 2;
    for (double& e : twice) e *= 2;
    check_near(r[1], {2, 3}, half);
    check_near(r[2], {static_cast<i64>(in.size() / 3), 3}, block_of(twice, c, 3));
  }
}

TEST_CASE("functions call functions, give several results, hold control flow, and see constants from around them") {
  nn::graph g;
  const variable two = g.constant(floats({2}, {2, 3}));
  const auto twice = g.function("twice", {parameter<float>("x", {"k", 2})}, [&](variable x) { return x * two; });
  const auto powers =
      g.function("powers", {parameter<float>("x", {"k", 2}), parameter<i64>("n", {})}, [&](variable x, variable n) {
        const variable p = g.repeat(n, x, [&](variable, variable s) { return twice(s); });
        return std::pair{p, reduce_sum(p, {0}, false)};
      });
  const auto nothing = g.function("seven", [&] { return g.constant(floats({2}, {7, 7})); });
  const variable x = g.input<float>("x", {"rows", 2});
  const auto [p, sum] = powers(x, 3);
  CHECK(p.type() == x.type());
  g.output("p", p), g.output("sum", sum + nothing());
  const numbers in = some(6);
  const auto r = run(g, {floats({3, 2}, in)});
  numbers want = in, total(2, 7);
  for (size_t i = 0; i < 6; ++i) want[i] *= i % 2 == 0 ? 8 : 27, total[i % 2] += want[i];
  check_near(r[0], {3, 2}, want);
  check_near(r[1], {2}, total);
}

TEST_CASE("a function's names of extents are its own: they may be those of others in its callers") {
  nn::graph g;
  // In the body, "a" is the caller's "b", and the other way round; the loop's state has them in its type.
  const auto swap = g.function("swap", {parameter<float>("x", {"a", "b"})}, [&](variable x) {
    return transpose(g.repeat(2, x, [](variable, variable s) { return s + 1; }));
  });
  const variable x = g.input<float>("x", {"b", "a"});
  const variable y = swap(x);
  CHECK(y.type().shape[0] == x.type().shape[1]);
  CHECK(y.type().shape[1] == x.type().shape[0]);
  g.output("y", y);
  g.output("odd", swap(concat({x, x}, 1)));
  const numbers in = some(6);
  const auto r = run(g, {floats({2, 3}, in)});
  numbers want(6), odd;
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < 3; ++j) want[j * 2 + i] = in[i * 3 + j] + 2;
  odd = want, odd.insert(odd.end(), want.begin(), want.end());
  check_near(r[0], {3, 2}, want);
  check_near(r[1], {6, 2}, odd);
}

TEST_CASE("functions stay functions until calls are inlined, and then bodies speak of the caller's extents") {
  nn::graph g;
  const auto f = g.function("f", {parameter<float>("x", {"n", 2})}, [](variable x) { return exp(x); });
  const variable all = g.input<float>("x", {"N", 2});
  g.output("y", f(concat({all, all}, 0)));
  const std::string text = print(g.body());
  CHECK(text.find("func @f(") != std::string::npos);
  CHECK(text.find("{callee = @f} : tensor<\"2*N\"x2xf32>") != std::string::npos);
  context cx;
  auto m = passes::lift_lambdas{}.run(std::move(g).finish(), cx);
  passes::inline_calls{}.run(m, cx);
  CHECK(print(m.body()).find("exp(%1) : tensor<\"2*N\"x2xf32>") != std::string::npos);
  CHECK(m.body().functions().size() == 1);
}

TEST_CASE("what does not fit a function names the line of the call, and the parameter") {
  nn::graph g("net");
  const auto f = g.function("f", {parameter<float>("x", {"n", 3}), parameter<float>("b", {"n"})},
                            [](variable x, variable) { return x; });
  const variable x = g.input<float>("x", {2, 3}), n = g.input<float>("n", {"N"}), i = g.input<i64>("i", {2, 3});
  const auto refused = [&](auto&& call) { return testing::caught(call); };
  const int line = __LINE__ + 1;
  const error rank = refused([&] { f(n, n); });
  CHECK(rank.code() == "graph.call");
  CHECK(is_at(rank, file, line, "net"));
  CHECK(rank.message() == "parameter 'x' of function 'f' is f32[n,3], and is given f32[N]");
  CHECK(refused([&] { f(i, n); }).message() == "parameter 'x' of function 'f' is f32[n,3], and is given i64[2,3]");
  CHECK(refused([&] { f(transpose(x), n); }).message() ==
        "parameter 'x' of function 'f' is f32[n,3], and is given f32[3,2]");
  CHECK(refused([&] { f(x, g.constant(floats({4}, some(4)))); }).message() ==
        "parameter 'b' of function 'f' is f32[n], and is given f32[4], where 'n' is 2 already");
  CHECK(refused([&] { (void)g.call("f", {x}); }).message() == "function 'f' takes 2 tensors, and is given 1");
  CHECK(testing::code_of([&] { (void)g.call("h", {x}); }) == "graph.function");
  // An extent that only a run knows is asked for before it: N has to be 2.
  g.output("y", f(x, n));
  CHECK(print(g.body()).find("conditions(") != std::string::npos);
}

TEST_CASE("names are taken once, and functions do not call themselves") {
  nn::graph g;
  const auto f = g.function("f", {parameter<float>("x", {3})}, [](variable x) { return x; });
  const auto same = [](variable x) { return x; };
  CHECK(testing::code_of([&] { g.function("f", {parameter<float>("x", {3})}, same); }) == "graph.name");
  CHECK(testing::code_of([&] { g.function("main", {parameter<float>("x", {3})}, same); }) == "graph.name");
  CHECK(testing::code_of([&] { g.function("", {parameter<float>("x", {3})}, same); }) == "graph.name");
  CHECK(testing::code_of([&] {
          g.function("h", {parameter<float>("x", {3}), parameter<float>("x", {3})},
                     [](variable x, variable) { return x; });
        }) == "graph.name");
  CHECK(testing::code_of([&] { g.function("h", {parameter<float>("x", {-3})}, same); }) == "graph.shape");
  const variable x = g.input<float>("x", {3});
  const error e = testing::caught(
      [&] { g.function("h", {parameter<float>("x", {3})}, [&](variable v) { return g.call("h", {v})[0]; }); });
  CHECK(e.code() == "graph.recursion");
  CHECK(is_at(e, file, __LINE__ - 2, "h"));
  CHECK(testing::code_of([&] { (void)g.call("main", {x}); }) == "graph.recursion");
  // What was taken back leaves its name.
  const auto h = g.function("h", {parameter<float>("x", {3})}, [](variable v) { return v + 1; });
  g.output("y", h(f(x)));
  CHECK(g.body().functions().size() == 3);
  check_near(run(g, {floats({3}, {1, 2, 3})})[0], {3}, {2, 3, 4});
}

TEST_CASE("a function sees what it is given, and gives what it returns") {
  nn::graph g("net");
  const variable x = g.input<float>("x", {3});
  std::optional<variable> inside;
  const error in =
      testing::caught([&] { g.function("f", {parameter<float>("y", {3})}, [&](variable y) { return y + x; }); });
  CHECK(in.code() == "graph.scope");
  CHECK(is_at(in, file, __LINE__ - 2, "net/f"));
  CHECK(in.message() == "a tensor of function 'main' is used in function 'f'");
  g.function("h", {parameter<float>("y", {3})}, [&](variable y) { return *(inside = exp(y)); });
  const error out = testing::caught([&] { g.output("y", *inside); });
  CHECK(out.code() == "graph.scope");
  CHECK(out.message() == "a tensor of function 'h' is used in function 'main'");
  CHECK(testing::code_of([&] {
          g.function("k", {parameter<float>("y", {3})}, [&](variable y) {
            g.output("y", y);
            return y;
          });
        }) == "graph.open");
  CHECK(testing::code_of([&] {
          g.function("k", {parameter<float>("y", {3})}, [&](variable y) {
            (void)std::move(g).finish();
            return y;
          });
        }) == "graph.open");
}
