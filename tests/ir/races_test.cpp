// Iterations of parallel loops that surely share an element are found; those that do not, or may not, are left alone.
#include <doctest/doctest.h>

#include <tenon/facts/loops_scheduled.hpp>
#include <tenon/ir/loop_builder.hpp>
#include <tenon/ops/all.hpp>

#include <support/caught.hpp>

using namespace tenon;
using ir::index_expr;
using ir::index_list;
using ir::type;

namespace {

loop::for_loop parallel(i64 step = 1) {
  loop::for_loop l;
  l.kind = loop::loop_kind::parallel, l.step = step;
  return l;
}

/// What the checker says of one parallel loop of `trips` iterations over two buffers.
template <class F>
std::string race(i64 trips, F&& body, const loop::for_loop& how = parallel(), std::vector<ir::dim> shape = {64}) {
  ir::module m;
  const type_id t[] = {m.intern(type::buffer(dtype::i64, shape)), m.intern(type::buffer(dtype::i64, shape))};
  const function_id f = m.add_function("k", ir::function_kind::kernel, t);
  ir::loop_builder b(m, m[f].body);
  const value_id x = m[m[f].body].arguments[0], y = m[m[f].body].arguments[1];
  b.for_(0, trips, [&](index_expr i) { body(b, x, y, i); }, how);
  b.make_op(op::return_{}, {}, {});
  try {
    fact::loops_scheduled::check(m);
  } catch (const error& e) {
    CHECK(e.code() == "fact.loops_scheduled");
    return e.message();
  }
  return "";
}
using builder = ir::loop_builder&;
value_id one(builder b) { return b.integer(dtype::i64, 1); }

}  // namespace

TEST_CASE("iterations that write one element") {
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr) { b.store(one(b), y, {3}); }) ==
        "kernel 'k': of a parallel loop, iterations 0 (loop.store) and 1 (loop.store) touch one element of argument 1 "
        "of the kernel");
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr i) {
          b.for_(0, 5, [&](index_expr j) { b.store(one(b), y, {i * 4 + j}); });
        }) != "");
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr i) {
          b.for_(0, 4, [&](index_expr j) { b.store(one(b), y, {i * 4 + j}); });
        }) == "");
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr) {
          b.for_(0, 4, [&](index_expr j) { b.store(one(b), y, {j}); });
        }) != "");
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr i) { b.store(one(b), y, {i}); }) == "");
  CHECK(race(1, [](builder b, value_id, value_id y, index_expr) { b.store(one(b), y, {3}); }) ==
        "");  // one iteration alone
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr i) {
          b.store(one(b), y, {i * 2}), b.store(one(b), y, {i * 2 + 1});
        }) == "");
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr i) {
          b.store(one(b), y, {i * 2}), b.store(one(b), y, {i * 2 + 2});
        }) != "");
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr i) {
          b.store(one(b), y, {i}), b.store(one(b), y, {i * -1 + 7});
        }) != "");
}

TEST_CASE("iterations that read what another one writes") {
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr i) { b.store(b.load(y, {i + 1}), y, {i}); }) ==
        "kernel 'k': of a parallel loop, iterations 1 (loop.store) and 0 (loop.load) touch one element of argument 1 "
        "of the kernel");
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr i) { b.store(b.load(y, {i}), y, {i}); }) == "");
  CHECK(race(8, [](builder b, value_id x, value_id y, index_expr i) { b.store(b.load(x, {i + 1}), y, {i}); }) == "");
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr i) { b.store(b.load(y, {0}), y, {i + 1}); }) == "");
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr i) { b.store(b.load(y, {4}), y, {i}); }) != "");
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr i) { b.store(b.load(y, {i + 8}), y, {i}); }) == "");
}

TEST_CASE("steps, and several dimensions") {
  const auto wide = [](builder b, value_id, value_id y, index_expr i) {
    b.for_(0, 3, [&](index_expr j) { b.store(one(b), y, {i + j}); });
  };
  CHECK(race(16, wide, parallel(2)) != "");
  CHECK(race(16, wide, parallel(3)) == "");
  CHECK(race(4,
             [](builder b, value_id, value_id y, index_expr i) {
               b.for_(0, 8, [&](index_expr j) { b.store(one(b), y, {i, j}); });
             },
             parallel(), {8, 8}) == "");
  CHECK(race(4,
             [](builder b, value_id, value_id y, index_expr i) {
               b.for_(0, 5, [&](index_expr j) { b.store(one(b), y, {j, i}); });
             },
             parallel(), {8, 8}) == "");
  CHECK(race(4,
             [](builder b, value_id, value_id y, index_expr) {
               b.for_(0, 8, [&](index_expr j) { b.store(one(b), y, {j, j}); });
             },
             parallel(), {8, 8}) != "");
  // One index in two dimensions: they move together, and the iterations do not meet.
  CHECK(race(4,
             [](builder b, value_id, value_id y, index_expr i) {
               b.for_(0, 4, [&](index_expr j) { b.store(one(b), y, {i + j, j}); });
             },
             parallel(), {8, 8}) == "");
  // Steps of 2 leave the odd ones to others.
  loop::for_loop two;
  two.step = 2;
  CHECK(race(2, [&](builder b, value_id, value_id y, index_expr i) {
          b.for_(0, 6, [&](index_expr j) { b.store(one(b), y, {i + j}); }, two);
        }) == "");
}

TEST_CASE("what is not sure is not said") {
  CHECK(race(8, [](builder b, value_id x, value_id y, index_expr i) {
          b.store(one(b), y, {index_expr(b.convert(b.load(x, {i}), dtype::index))});
        }) == "");
  CHECK(race(8, [](builder b, value_id, value_id y, index_expr i) {
          b.if_(
              b.less(i, 1), [&] { return b.store(one(b), y, {0}), std::vector<value_id>{}; },
              [] { return std::vector<value_id>{}; });
        }) == "");
  CHECK(race(
            8, [](builder b, value_id, value_id y, index_expr) { b.store(one(b), y, {0}); }, loop::for_loop{}) ==
        "");  // a serial loop
}

TEST_CASE("where indices and bounds are no sums, iterations run in another order, and are watched") {
  const auto nothing = [] { return std::vector<value_id>{}; };
  const auto behind_a_branch = [&](i64 index) {
    return [=](builder b, value_id, value_id y, index_expr i) {
      b.if_(b.less(4, i), [&] { return b.store(one(b), y, {index}), std::vector<value_id>{}; }, nothing);
      b.store(one(b), y, {i});
    };
  };
  CHECK(race(8, behind_a_branch(3)) ==
        "kernel 'k': loop.store: iterations 7 and 6 of a parallel loop touch one element, and one of them writes it");
  CHECK(race(5, behind_a_branch(3)) == "");  // no iteration takes it
  CHECK(race(8, behind_a_branch(30)) != "");
  CHECK(race(6, behind_a_branch(30)) == "");  // one alone
  const auto halves = [](builder b, value_id, value_id y, index_expr i) { b.store(one(b), y, {b.floor_div(i, 2)}); };
  CHECK(race(2, halves) != "");
  CHECK(race(1, halves) == "");
  const auto triangle = [](i64 apart) {
    return [=](builder b, value_id, value_id y, index_expr i) {
      b.for_(0, i + 1, [&](index_expr j) { b.store(one(b), y, {i * apart + j}); });
    };
  };
  CHECK(race(7, triangle(7)) == "");
  CHECK(race(7, triangle(6)) == "");
  CHECK(race(7, triangle(5)) != "");
  // A loop that is said to be independent is no other; one that says nothing may do as it likes.
  loop::for_loop said;
  said.independent = true;
  CHECK(race(2, halves, said) ==
        "kernel 'k': loop.store: iterations 0 and 1 of a loop that is said to be independent "
        "touch one element, and one of them writes it");
  CHECK(race(2, halves, loop::for_loop{}) == "");
}

TEST_CASE("what callers may promise of elements, and what takes long, is not tried") {
  CHECK(race(8, [](builder b, value_id x, value_id y, index_expr i) {  // a branch that an element decides
          b.if_(
              b.less(b.load(x, {i}), one(b)), [&] { return b.store(one(b), y, {0}), std::vector<value_id>{}; },
              [] { return std::vector<value_id>{}; });
        }) == "");
  const auto meet = [](builder b, value_id, value_id y, index_expr i) { b.store(one(b), y, {b.max(i, 1 << 15)}); };
  CHECK(race(8, meet, parallel(), {1 << 16}) != "");
  CHECK(race((1 << 15) + 1, meet, parallel(), {1 << 16}) == "");  // more iterations than are run
  CHECK(race(8, meet, parallel(), {1 << 17}) == "");              // more memory than is given
}

TEST_CASE("a contraction in a parallel loop") {
  const auto rows = [](i64 of_each, i64 apart) {
    return race(
        2,
        [=](builder b, value_id x, value_id y, index_expr p) {
          b.contract(
              {.a = x, .b = x, .m = {of_each}, .k = {2}, .n = 8, .accumulate = dtype::i64},
              [](const index_list& m, const index_list& k) { return index_list{m[0], k[0]}; },
              [](const index_expr& n, const index_list& k) { return index_list{k[0], n}; },
              [&](value_id acc, const index_list& m, const index_expr& n) { b.store(acc, y, {p * apart + m[0], n}); });
        },
        parallel(), {8, 8});
  };
  CHECK(rows(4, 4) == "");
  CHECK(rows(4, 3) != "");
}
