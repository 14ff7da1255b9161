// The loop interpreter: every op of kernels, and that each wrong access is caught.
#include <doctest/doctest.h>

#include <cmath>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/loop_builder.hpp>

#include <support/caught.hpp>

using namespace tenon;
using ir::function_kind;
using ir::index_expr;
using ir::index_list;
using ir::loop_builder;
using ir::type;
using testing::code_of;

namespace {

struct kernel_fixture {
  ir::module m;
  function_id f;
  std::vector<value_id> args;
  loop_builder b;

  explicit kernel_fixture(std::initializer_list<type> buffers)
      : f(make(buffers)), args(m[m[f].body].arguments), b(m, m[f].body) {}
  function_id make(std::initializer_list<type> buffers) {
    std::vector<type_id> t;
    for (const type& x : buffers) t.push_back(m.intern(x));
    return m.add_function("k", function_kind::kernel, t);
  }
  std::vector<tensor> run(std::initializer_list<tensor> inputs, const interpret_options& options = {}) {
    b.make_op(op::return_{}, {}, {});
    return interpret(m, "k", std::span<const tensor>(inputs.begin(), inputs.size()), options);
  }
};

}  // namespace

TEST_CASE("a sum over rows uses carried values") {
  kernel_fixture k{type::buffer(dtype::f32, {2, 3}), type::buffer(dtype::f32, {2})};
  k.b.for_(0, 2, [&](index_expr i) {
    const auto s = k.b.reduce(0, 3, {k.b.real(dtype::f32, 0.5)},
                              [&](index_expr j, auto& acc) { acc[0] = k.b.add(acc[0], k.b.load(k.args[0], {i, j})); });
    k.b.store(s[0], k.args[1], {i});
  });
  const auto y = k.run({tensor::from<float>({2, 3}, {1, 2, 3, 4, 5, 6})});
  REQUIRE(y.size() == 1);
  CHECK(same_bits(y[0], tensor::from<float>({2}, {6.5f, 15.5f})));
}

TEST_CASE("carried values may change places") {
  kernel_fixture k{type::buffer(dtype::i64, {2})};
  const auto r = k.b.reduce(0, 5, {k.b.integer(dtype::i64, 0), k.b.integer(dtype::i64, 1)}, [&](index_expr, auto& acc) {
    const value_id next = k.b.add(acc[0], acc[1]);
    acc[0] = acc[1];
    acc[1] = next;
  });
  k.b.store(r[0], k.args[0], {0});
  k.b.store(r[1], k.args[0], {1});
  CHECK(same_bits(k.run({})[0], tensor::from<i64>({2}, {5, 8})));
}

TEST_CASE("a loop that never runs gives its initial values") {
  kernel_fixture k{type::buffer(dtype::i64, {1})};
  const auto r = k.b.reduce(3, 3, {k.b.integer(dtype::i64, 7)},
                            [&](index_expr, auto& acc) { acc[0] = k.b.integer(dtype::i64, 1); });
  k.b.store(r[0], k.args[0], {0});
  CHECK(k.run({})[0].at_i64(0) == 7);
}

TEST_CASE("guarded loads give the fill outside of the buffer") {
  kernel_fixture k{type::buffer(dtype::i32, {3}), type::buffer(dtype::i32, {5})};
  const value_id fill = k.b.integer(dtype::i32, -1);
  k.b.for_(0, 5, [&](index_expr i) { k.b.store(k.b.load_or(fill, k.args[0], {i - 1}), k.args[1], {i}); });
  CHECK(same_bits(k.run({tensor::from<i32>({3}, {10, 11, 12})})[0], tensor::from<i32>({5}, {-1, 10, 11, 12, -1})));
}

TEST_CASE("branches give values") {
  kernel_fixture k{type::buffer(dtype::f64, {4})};
  k.b.for_(0, 4, [&](index_expr i) {
    const auto v = k.b.if_(
        k.b.less(i, 2), [&] { return std::vector{k.b.real(dtype::f64, 1)}; },
        [&] { return std::vector{k.b.convert(k.b.index(i * 10 + 1), dtype::f64)}; });
    k.b.store(v[0], k.args[0], {i});
  });
  CHECK(same_bits(k.run({})[0], tensor::from<double>({4}, {1, 1, 21, 31})));
}

TEST_CASE("scalars of every width keep to it") {
  kernel_fixture k{type::buffer(dtype::u8, {2}), type::buffer(dtype::f16, {1}), type::buffer(dtype::boolean, {2}),
                   type::buffer(dtype::u8, {2}), type::buffer(dtype::f16, {1}), type::buffer(dtype::boolean, {2})};
  auto& b = k.b;
  b.store(b.add(b.load(k.args[0], {0}), b.load(k.args[0], {1})), k.args[3], {0});
  b.store(b.sub(b.load(k.args[0], {0}), b.load(k.args[0], {1})), k.args[3], {1});
  const value_id h = b.load(k.args[1], {0});
  b.store(b.mul(h, h), k.args[4], {0});
  b.store(b.apply(loop::scalar_fn::bit_not, {b.load(k.args[2], {0})}), k.args[5], {0});
  b.store(b.apply(loop::scalar_fn::gt, {h, b.real(dtype::f16, 1)}), k.args[5], {1});
  const auto y = k.run({tensor::from<u8>({2}, {200, 201}), tensor::from<half>({1}, {half(1.1f)}),
                        tensor::from<bool>({2}, {true, false})});
  CHECK(same_bits(y[0], tensor::from<u8>({2}, {145, 255})));
  const float x = half(1.1f);
  CHECK(y[1].at_f64(0) == static_cast<double>(static_cast<float>(half(x * x))));
  CHECK(y[2].at_i64(0) == 0);
  CHECK(y[2].at_i64(1) == 1);
}

TEST_CASE("integer division by zero does not stop the interpreter") {
  kernel_fixture k{type::buffer(dtype::i32, {1}), type::buffer(dtype::i32, {1})};
  k.b.store(k.b.div(k.b.integer(dtype::i32, 5), k.b.load(k.args[0], {0})), k.args[1], {0});
  CHECK_NOTHROW(k.run({tensor::from<i32>({1}, {0})}));
}

TEST_CASE("a contraction is a matrix product, and its region sees each element") {
  kernel_fixture k{type::buffer(dtype::f32, {2, 3}), type::buffer(dtype::f32, {3, 4}),
                   type::buffer(dtype::f32, {2, 4})};
  k.b.contract(
      {.a = k.args[0], .b = k.args[1], .m = {2}, .k = {3}, .n = 4},
      [](const index_list& m, const index_list& kk) { return index_list{m[0], kk[0]}; },
      [](const index_expr& n, const index_list& kk) { return index_list{kk[0], n}; },
      [&](value_id acc, const index_list& m, const index_expr& n) {
        k.b.store(k.b.add(acc, k.b.real(dtype::f32, 100)), k.args[2], {m[0], n});
      });
  const auto y = k.run({tensor::from<float>({2, 3}, {1, 2, 3, 4, 5, 6}),
                        tensor::from<float>({3, 4}, {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1})});
  CHECK(same_bits(y[0], tensor::from<float>({2, 4}, {101, 102, 103, 106, 104, 105, 106, 115})));
}

TEST_CASE("a contraction of small integers accumulates wide, at an outer offset") {
  kernel_fixture k{type::buffer(dtype::u8, {2, 2}), type::buffer(dtype::i8, {2, 2}), type::buffer(dtype::i32, {2, 2})};
  k.b.for_(0, 2, [&](index_expr i) {
    k.b.contract(
        {.a = k.args[0], .b = k.args[1], .m = {}, .k = {2}, .n = 2, .accumulate = dtype::i32},
        [&](const index_list&, const index_list& kk) { return index_list{i, kk[0]}; },
        [](const index_expr& n, const index_list& kk) { return index_list{kk[0], n}; },
        [&](value_id acc, const index_list&, const index_expr& n) { k.b.store(acc, k.args[2], {i, n}); });
  });
  const auto y = k.run({tensor::from<u8>({2, 2}, {255, 255, 1, 2}), tensor::from<i8>({2, 2}, {-128, 1, -128, 2})});
  CHECK(same_bits(y[0], tensor::from<i32>({2, 2}, {-65280, 765, -384, 5})));
}

TEST_CASE("wrong accesses are caught") {
  SUBCASE("load") {
    kernel_fixture k{type::buffer(dtype::f32, {2}), type::buffer(dtype::f32, {3})};
    k.b.for_(0, 3, [&](index_expr i) { k.b.store(k.b.load(k.args[0], {i}), k.args[1], {i}); });
    CHECK(code_of([&] { k.run({tensor::from<float>({2}, {1, 2})}); }) == "interpret.out_of_bounds");
  }
  SUBCASE("store, below") {
    kernel_fixture k{type::buffer(dtype::f32, {3})};
    k.b.for_(0, 3, [&](index_expr i) { k.b.store(k.b.real(dtype::f32, 1), k.args[0], {i - 1}); });
    try {
      k.run({});
      FAIL("no error");
    } catch (const error& e) {
      CHECK(e.code() == "interpret.out_of_bounds");
      CHECK(e.message() == "kernel 'k': loop.store: index [-1] is outside of buffer 0, f32[3]");
    }
  }
  SUBCASE("one dimension too far, though inside of the memory") {
    kernel_fixture k{type::buffer(dtype::f32, {2, 2}), type::buffer(dtype::f32, {1})};
    k.b.store(k.b.load(k.args[0], {0, 3}), k.args[1], {0});
    CHECK(code_of([&] { k.run({tensor(dtype::f32, {2, 2})}); }) == "interpret.out_of_bounds");
  }
  SUBCASE("contraction") {
    kernel_fixture k{type::buffer(dtype::f32, {2, 3}), type::buffer(dtype::f32, {3, 4}),
                     type::buffer(dtype::f32, {2, 4})};
    k.b.contract(
        {.a = k.args[0], .b = k.args[1], .m = {2}, .k = {3}, .n = 4},
        [](const index_list& m, const index_list& kk) { return index_list{m[0], kk[0] + 1}; },
        [](const index_expr& n, const index_list& kk) { return index_list{kk[0], n}; },
        [&](value_id acc, const index_list& m, const index_expr& n) { k.b.store(acc, k.args[2], {m[0], n}); });
    CHECK(code_of([&] { k.run({tensor(dtype::f32, {2, 3}), tensor(dtype::f32, {3, 4})}); }) ==
          "interpret.out_of_bounds");
  }
  SUBCASE("places that wrap modulo 2^64") {
    for (const i64 factor : {i64{1} << 62, INT64_MAX, INT64_MIN}) {
      kernel_fixture k{type::buffer(dtype::f32, {8, 3}), type::buffer(dtype::f32, {3, 4}),
                       type::buffer(dtype::f32, {8, 4})};
      k.b.contract(
          {.a = k.args[0], .b = k.args[1], .m = {8}, .k = {3}, .n = 4},
          [&](const index_list& m, const index_list& kk) { return index_list{m[0] * factor, kk[0]}; },
          [](const index_expr& n, const index_list& kk) { return index_list{kk[0], n}; },
          [&](value_id acc, const index_list& m, const index_expr& n) { k.b.store(acc, k.args[2], {m[0], n}); });
      CHECK(code_of([&] { k.run({tensor(dtype::f32, {8, 3}), tensor(dtype::f32, {3, 4})}); }) ==
            "interpret.out_of_bounds");
      kernel_fixture one{type::buffer(dtype::f32, {3})};
      one.b.for_(1, 5, [&](index_expr i) { one.b.store(one.b.real(dtype::f32, 1), one.args[0], {i * factor}); });
      CHECK(code_of([&] { one.run({}); }) == "interpret.out_of_bounds");
    }
  }
  SUBCASE("an input is not written") {
    kernel_fixture k{type::buffer(dtype::f32, {1})};
    k.b.store(k.b.real(dtype::f32, 1), k.args[0], {0});
    CHECK(code_of([&] { k.run({tensor(dtype::f32, {1})}); }) == "interpret.read_only");
  }
  SUBCASE("a buffer of another shape") {
    kernel_fixture k{type::buffer(dtype::f32, {2})};
    CHECK(code_of([&] { k.run({tensor(dtype::f32, {3})}); }) == "interpret.kernel_arguments");
  }
}

TEST_CASE("an element that is never written shows") {
  kernel_fixture k{type::buffer(dtype::f32, {2})};
  k.b.store(k.b.real(dtype::f32, 1), k.args[0], {0});
  const auto y = k.run({});
  CHECK(y[0].at_f64(0) == 1);
  CHECK(std::isnan(y[0].at_f64(1)));
}

namespace {
const loop::for_loop parallel{.kind = loop::loop_kind::parallel};
const interpret_options watched{.find_races = true};

/// A parallel loop over `x` (the positions to write) and `y`.
template <class F>
std::string race(const tensor& x, F&& body) {
  kernel_fixture k{type::buffer(dtype::i64, {x.size()}), type::buffer(dtype::i64, {8})};
  k.b.for_(0, x.size(), [&](index_expr i) { body(k, i); }, parallel);
  return code_of([&] { k.run({x}, watched); });
}
index_expr position(kernel_fixture& k, index_expr i) { return k.b.convert(k.b.load(k.args[0], {i}), dtype::index); }
}  // namespace

TEST_CASE("iterations of parallel loops that meet in an element are found when they run") {
  const auto scatter = [](kernel_fixture& k, index_expr i) {
    k.b.store(k.b.integer(dtype::i64, 1), k.args[1], {position(k, i)});
  };
  CHECK(race(tensor::from<i64>({3}, {4, 2, 7}), scatter) == "none");
  CHECK(race(tensor::from<i64>({3}, {4, 2, 4}), scatter) == "interpret.race");
  const auto shift = [](kernel_fixture& k, index_expr i) {
    k.b.store(k.b.load(k.args[1], {position(k, i)}), k.args[1], {i});
  };
  CHECK(race(tensor::from<i64>({3}, {0, 1, 2}), shift) == "none");
  CHECK(race(tensor::from<i64>({3}, {3, 3, 3}), shift) == "none");            // many read what nobody writes
  CHECK(race(tensor::from<i64>({3}, {3, 3, 1}), shift) == "interpret.race");  // written before it is read
  CHECK(race(tensor::from<i64>({3}, {2, 3, 3}), shift) == "interpret.race");  // read before it is written
}

TEST_CASE("a race is found under the products of a contraction") {
  for (bool meet : {false, true}) {
    kernel_fixture k{type::buffer(dtype::f32, {4, 4}), type::buffer(dtype::f32, {4, 4})};
    k.b.for_(
        0, 2,
        [&](index_expr p) {
          k.b.contract(
              {.a = k.args[0], .b = k.args[meet ? 1 : 0], .m = {2}, .k = {4}, .n = 4},
              [&](const index_list& m, const index_list& kk) { return index_list{p * 2 + m[0], kk[0]}; },
              [](const index_expr& n, const index_list& kk) { return index_list{kk[0], n}; },
              [&](value_id acc, const index_list& m, const index_expr& n) {
                k.b.store(acc, k.args[1], {p * 2 + m[0], n});
              });
        },
        parallel);
    CHECK(code_of([&] { k.run({tensor(dtype::f32, {4, 4})}, watched); }) == (meet ? "interpret.race" : "none"));
  }
}

TEST_CASE("parallel iterations run in another order when that is asked for, and serial ones never do") {
  for (const loop::for_loop& how : {parallel, loop::for_loop{}}) {
    kernel_fixture k{type::buffer(dtype::i64, {1}), type::buffer(dtype::i64, {1})};
    k.b.for_(0, 20, [&](index_expr i) { k.b.store(k.b.convert(k.b.index(i), dtype::i64), k.args[1], {0}); }, how);
    bool other = false;
    k.b.make_op(op::return_{}, {}, {});
    for (u64 seed = 1; seed < 6; ++seed)
      other = other ||
              interpret(k.m, "k", {{tensor(dtype::i64, {1})}}, interpret_options{.shuffle_parallel = seed})[0].at_i64(
                  0) != 19;
    CHECK(other == (how.kind == loop::loop_kind::parallel));
  }
}

TEST_CASE("each iteration runs once in any order, whatever the step") {
  kernel_fixture k{type::buffer(dtype::i64, {1}), type::buffer(dtype::i64, {11})};
  loop::for_loop how = parallel;
  how.step = 3;
  const value_id zero = k.b.integer(dtype::i64, 0);
  k.b.for_(0, 11, [&](index_expr i) { k.b.store(zero, k.args[1], {i}); });
  k.b.for_(
      1, 11,
      [&](index_expr i) { k.b.store(k.b.add(k.b.load(k.args[1], {i}), k.b.integer(dtype::i64, 1)), k.args[1], {i}); },
      how);
  const auto y = k.run({tensor(dtype::i64, {1})}, {.shuffle_parallel = 7, .find_races = true});
  CHECK(same_bits(y[0], tensor::from<i64>({11}, {0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1})));
}

TEST_CASE("extents of a contraction that nobody has memory for are an error, or no problem") {
  kernel_fixture k{type::buffer(dtype::i64, {1}), type::buffer(dtype::f32, {2, 2})};
  const index_expr huge = position(k, 0);
  k.b.contract(
      {.a = k.args[1], .b = k.args[1], .m = {huge}, .k = {2}, .n = huge},
      [](const index_list& m, const index_list& kk) { return index_list{m[0], kk[0]}; },
      [](const index_expr& n, const index_list& kk) { return index_list{kk[0], n}; },
      [&](value_id acc, const index_list& m, const index_expr& n) { k.b.store(acc, k.args[1], {m[0], n}); });
  CHECK(code_of([&] { k.run({tensor::from<i64>({1}, {i64{1} << 62})}); }) == "interpret.out_of_bounds");
  kernel_fixture none{type::buffer(dtype::i64, {1}), type::buffer(dtype::f32, {2, 2}), type::buffer(dtype::f32, {2})};
  const index_expr many = position(none, 0);
  none.b.contract(
      {.a = none.args[1], .b = none.args[1], .m = {}, .k = {0}, .n = many},
      [](const index_list&, const index_list& kk) { return index_list{0, kk[0]}; },
      [](const index_expr& n, const index_list& kk) { return index_list{kk[0], n}; },
      [&](value_id acc, const index_list&, const index_expr& n) { none.b.store(acc, none.args[2], {n}); });
  CHECK(code_of([&] { none.run({tensor::from<i64>({1}, {i64{1} << 62}), tensor(dtype::f32, {2, 2})}); }) ==
        "interpret.out_of_bounds");
}
