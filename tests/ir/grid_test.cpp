// Which kernels can be launched as grids, and what is said of those that cannot.
#include <doctest/doctest.h>

#include <tenon/facts/threads_bound.hpp>
#include <tenon/ir/grid.hpp>
#include <tenon/ir/loop_builder.hpp>
#include <tenon/ops/all.hpp>

#include <support/caught.hpp>

using namespace tenon;
using ir::index_expr;
using ir::type;

namespace {

const loop::for_loop bound{.kind = loop::loop_kind::parallel, .independent = true};
const loop::for_loop serial{};

struct kernel {
  ir::module m;
  function_id f;
  ir::loop_builder b;
  value_id x, y;

  kernel() : f(function()), b(m, m[f].body), x(m[m[f].body].arguments[0]), y(m[m[f].body].arguments[1]) {}
  /// "" where it can be launched.
  std::string problem() {
    b.make_op(op::return_{}, {}, {});
    const auto found = ir::grid_problem(m, f);
    CHECK(found.has_value() == (testing::code_of([&] { fact::threads_bound::check(m); }) == "fact.threads_bound"));
    return found.value_or("");
  }
  /// What the checker says of a kernel that is a grid.
  std::string problem_of_threads() {
    b.make_op(op::return_{}, {}, {});
    CHECK(!ir::grid_problem(m, f).has_value());
    try {
      fact::threads_bound::check(m);
    } catch (const error& e) {
      CHECK(e.code() == "fact.threads_bound");
      return e.message();
    }
    return "";
  }
  void copy(index_expr i, index_expr j) { b.store(b.load(x, {i, j}), y, {i, j}); }

 private:
  function_id function() {
    const type_id t = m.intern(type::buffer(dtype::f32, {8, 8}));
    const type_id types[] = {t, t};
    return m.add_function("k", ir::function_kind::kernel, types);
  }
};

}  // namespace

TEST_CASE("a nest is a grid, and what stands between two of them is for one thread") {
  kernel k;
  k.b.for_(0, 8, [&](index_expr i) { k.b.for_(0, 8, [&](index_expr j) { k.copy(i, j); }, bound); }, bound);
  k.b.store(k.b.real(dtype::f32, 1), k.y, {0, 0});
  k.b.for_(0, 8, [&](index_expr i) { k.copy(i, 1); }, serial);
  k.b.for_(0, 8, [&](index_expr i) { k.b.for_(0, 8, [&](index_expr j) { k.copy(i, j); }, serial); }, bound);
  CHECK(k.problem() == "");
  const auto steps = ir::grid_steps(k.m, k.f);
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].loops.size() == 2);
  CHECK(steps[1].loops.empty());
  CHECK(steps[1].ops.size() == 2);
  CHECK(steps[2].loops.size() == 1);
}

TEST_CASE("a bound loop carries nothing") {
  kernel k;
  const value_id sum = k.b.reduce(
      0, 8, {k.b.real(dtype::f32, 0)}, [&](index_expr i, auto& s) { s[0] = k.b.add(s[0], k.b.load(k.x, {i, 0})); },
      bound)[0];
  k.b.store(sum, k.y, {0, 0});
  CHECK(k.problem() == "a parallel loop carries values from one iteration to the next");
}

TEST_CASE("iterations of a bound loop share no element that one of them writes") {
  kernel k;
  k.b.for_(0, 8, [&](index_expr i) { k.b.store(k.b.load(k.x, {i, 0}), k.y, {0, 0}); }, bound);
  CHECK(k.problem_of_threads().find("of a bound loop, ") != std::string::npos);
  kernel own;
  own.b.for_(0, 8, [&](index_expr i) { own.b.store(own.b.load(own.x, {0, 0}), own.y, {i, 0}); }, bound);
  CHECK(own.problem_of_threads() == "");
}

TEST_CASE("how often it runs is known ahead") {
  kernel k;
  k.b.for_(0, 8, [&](index_expr i) { k.b.for_(0, i, [&](index_expr j) { k.copy(i, j); }, bound); }, bound);
  CHECK(k.problem() == "how often a parallel loop runs is not known before the kernel runs");
}

TEST_CASE("a nest does nothing else") {
  kernel two, store, load, deep;
  two.b.for_(
      0, 8,
      [&](index_expr i) {
        two.b.for_(0, 8, [&](index_expr j) { two.copy(i, j); }, bound);
        two.b.for_(0, 8, [&](index_expr j) { two.copy(i, j); }, bound);
      },
      bound);
  CHECK(two.problem() == "two parallel loops stand beside each other inside of a third one");
  store.b.for_(
      0, 8,
      [&](index_expr i) {
        store.copy(i, 0);
        store.b.for_(1, 8, [&](index_expr j) { store.copy(i, j); }, bound);
      },
      bound);
  CHECK(store.problem() == "a parallel loop that holds another one does more than that");
  load.b.for_(
      0, 8,
      [&](index_expr i) {
        const value_id v = load.b.load(load.y, {i, 0});
        load.b.for_(0, 8, [&](index_expr j) { load.b.store(v, load.y, {i, j}); }, bound);
      },
      bound);
  CHECK(load.problem() == "between two parallel loops a value is loaded that the inner one may store");
  deep.b.for_(
      0, 8,
      [&](index_expr i) {
        deep.b.for_(
            0, 8, [&](index_expr j) { deep.b.for_(0, 1, [&](index_expr) { deep.copy(i, j); }, bound); }, serial);
      },
      bound);
  CHECK(deep.problem() == "a parallel loop is inside of an op that a single thread runs");
}

TEST_CASE("what one grid computes another does not use") {
  kernel k;
  const value_id sum = k.b.reduce(
      0, 8, {k.b.real(dtype::f32, 0)}, [&](index_expr i, auto& s) { s[0] = k.b.add(s[0], k.b.load(k.x, {i, 0})); },
      serial)[0];
  const value_id twice = k.b.add(sum, sum);
  k.b.for_(0, 8, [&](index_expr i) { k.b.store(twice, k.y, {i, 0}); }, bound);
  CHECK(k.problem() == "a value that one grid computes is used by another");
}

TEST_CASE("a contraction is no grid") {
  kernel k;
  ir::contract_spec s{k.x, k.x, {8}, {8}, 8, dtype::f32};
  k.b.contract(
      s, [](const ir::index_list& m, const ir::index_list& c) { return ir::index_list{m[0], c[0]}; },
      [](index_expr n, const ir::index_list& c) { return ir::index_list{c[0], n}; },
      [&](value_id acc, const ir::index_list& m, index_expr n) { k.b.store(acc, k.y, {m[0], n}); });
  CHECK(k.problem() == "a contraction is left: its points are bound as loops");
}

TEST_CASE("bounds have values before a kernel runs") {
  kernel k;
  const value_id n = k.b.index(k.b.min(k.b.floor_div(index_expr(k.b.integer(dtype::index, 17)), 2), 7));
  CHECK(ir::follows_from_sizes(k.m, n));
  CHECK(ir::value_for_sizes(k.m, n, {}) == 7);
  const value_id size =
      k.m.result(k.b.make_op(loop::extent{"N"}, {}, std::vector{k.m.intern(type::scalar(dtype::index))}));
  CHECK(ir::follows_from_sizes(k.m, size));
  k.m.symbol("N");
  const i64 sizes[] = {5};
  CHECK(ir::value_for_sizes(k.m, size, sizes) == 5);
  CHECK(testing::code_of([&] { (void)ir::value_for_sizes(k.m, size, {}); }) == "program.sizes");
  CHECK(!ir::follows_from_sizes(k.m, k.b.load(k.x, {0, 0})));
}
