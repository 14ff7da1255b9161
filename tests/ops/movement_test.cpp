#include <algorithm>
#include <array>

#include <doctest/doctest.h>

#include <tenon/ir/dims.hpp>
#include <tenon/ops/graph/movement.hpp>

#include "support/expected.hpp"

namespace tn = tenon;
using namespace tenon::testing;
using tn::dtype;
using tn::i64;
using tn::tensor;

namespace {
const tensor six = tensor::from<float>({2, 3}, {1, 2, 3, 4, 5, 6});
tensor ints(std::vector<i64> v) { return tensor::from<i64>({static_cast<i64>(v.size())}, v); }
}  // namespace

TEST_CASE("reshape keeps the elements and computes one extent") {
  CHECK(gives(tn::op::reshape{{3, -1}}, {six}, {tensor::from<float>({3, 2}, {1, 2, 3, 4, 5, 6})}));
  CHECK(gives(tn::op::reshape{{0, 1, 3}}, {six}, {tensor::from<float>({2, 1, 3}, {1, 2, 3, 4, 5, 6})}));
  CHECK(gives(tn::op::reshape{{1, 6}}, {six}, {tensor::from<float>({1, 6}, {1, 2, 3, 4, 5, 6})}));
  CHECK(gives(tn::op::reshape{}, {tensor::from<tn::u8>({1, 1}, {7})}, {tensor::scalar<tn::u8>(7)}));
  CHECK(gives(tn::op::reshape{{0, 4}, true}, {tensor(dtype::f32, {3, 0})}, {tensor(dtype::f32, {0, 4})}));
  CHECK(lowering_error(tn::op::reshape{{4, 1, 3, 2, 5}}, {random_tensor(dtype::i32, {2, 6, 10}, 1)}) == 0);
  CHECK(lowering_error(tn::op::reshape{{5, 24}}, {random_tensor(dtype::i32, {2, 3, 4, 5}, 1)}) == 0);
  CHECK(evaluates(tn::op::reshape{}, {six, ints({6})}, {tensor::from<float>({6}, {1, 2, 3, 4, 5, 6})}));
  CHECK_THROWS_WITH_AS(type_of(tn::op::reshape{{4, 2}}, {six}),
                       doctest::Contains("6 elements cannot be reshaped to [4,2]"), tn::error);
  CHECK_THROWS_AS(type_of(tn::op::reshape{{-1, -1}}, {six}), tn::error);
  CHECK_THROWS_AS(type_of(tn::op::reshape{{2, 3, 0}}, {six}), tn::error);
  CHECK_THROWS_AS(type_of(tn::op::reshape{{-2}}, {six}), tn::error);
}

TEST_CASE("what a reshape copies has no part in -1, even where it is 0") {
  CHECK(gives(tn::op::reshape{{0, -1}}, {tensor(dtype::f32, {0, 9, 17})}, {tensor(dtype::f32, {0, 153})}));
  CHECK(gives(tn::op::reshape{{0, 3, -1}}, {tensor(dtype::f32, {0, 9, 2})}, {tensor(dtype::f32, {0, 3, 6})}));
  CHECK(gives(tn::op::reshape{{-1, 0}}, {tensor(dtype::f32, {0, 5})}, {tensor(dtype::f32, {0, 5})}));
  CHECK(gives(tn::op::reshape{{0, 7}}, {tensor(dtype::f32, {0, 5})}, {tensor(dtype::f32, {0, 7})}));
  CHECK(gives(tn::op::reshape{{0, -1}}, {tensor(dtype::f32, {3, 0, 4})}, {tensor(dtype::f32, {3, 0})}));
}

TEST_CASE("reshape with symbolic extents") {
  tn::ir::module m;
  const tn::ir::dim n = tn::ir::dim::symbol(m.symbol("n"));
  const auto shape = [&](std::vector<tn::ir::dim> from, std::vector<i64> to) {
    const tn::type_id t[1] = {m.intern(tn::ir::type::tensor(dtype::f32, from))};
    const tn::function_id f = m.add_function("f", tn::ir::function_kind::graph, t);
    tn::ir::builder<> b(m, m[f].body);
    return m.type_of(b.make(tn::op::reshape{to}, {m[m[f].body].arguments[0]})).shape;
  };
  CHECK(shape({n, 2, 3}, {0, -1}) == std::vector<tn::ir::dim>{n, 6});
  CHECK(shape({n, 2, 3}, {-1, 6}) == std::vector<tn::ir::dim>{n, 6});
  const tn::ir::dim k = tn::ir::dim::symbol(m.symbol("k")), unknown;
  CHECK(shape({n, 9, k}, {0, 9, -1}) == std::vector<tn::ir::dim>{n, 9, k});
  CHECK(shape({unknown, 2, 3}, {0, -1}) == std::vector<tn::ir::dim>{unknown, 6});
  CHECK(m.conditions.empty());
  CHECK(shape({n, 2, 3}, {-1, 3}) == std::vector<tn::ir::dim>{tn::ir::dim::symbol(m.symbol("2*n")), 3});
  CHECK(shape({tn::ir::dim::unknown(), 4}, {2, 2}) == std::vector<tn::ir::dim>{2, 2});
}

TEST_CASE("transpose: every order of dimensions, of elements of every size, also where several threads do it") {
  const std::vector<std::vector<i64>> shapes{{5, 1, 33, 3}, {2, 18, 3, 3}, {1, 1, 1, 1}, {0, 2, 3, 4}, {70, 130, 3, 3}};
  for (const std::vector<i64>& shape : shapes)
    for (dtype t : {dtype::u8, dtype::f16, dtype::f32, dtype::f64}) {
      std::vector<i64> order{0, 1, 2, 3};
      const tensor from = random_tensor(t, shape, 1);
      do {
        const tensor to = one_op<tn::op::transpose>({order}, {from}).evaluated()[0];
        const auto extent = [&](size_t d) { return shape[static_cast<size_t>(order[d])]; };
        REQUIRE(to.shape() == std::vector<i64>{extent(0), extent(1), extent(2), extent(3)});
        bool same = true;
        i64 n = 0;
        std::array<i64, 4> at{};
        for (at[0] = 0; at[0] < extent(0); ++at[0])
          for (at[1] = 0; at[1] < extent(1); ++at[1])
            for (at[2] = 0; at[2] < extent(2); ++at[2])
              for (at[3] = 0; at[3] < extent(3); ++at[3], ++n) {
                std::array<i64, 4> in{};
                for (size_t d = 0; d < 4; ++d) in[static_cast<size_t>(order[d])] = at[d];
                same = same &&
                       to.at_f64(n) == from.at_f64(((in[0] * shape[1] + in[1]) * shape[2] + in[2]) * shape[3] + in[3]);
              }
        CHECK(same);
      } while (std::next_permutation(order.begin(), order.end()));
    }
}

TEST_CASE("transpose") {
  CHECK(gives(tn::op::transpose{{1, 0}}, {six}, {tensor::from<float>({3, 2}, {1, 4, 2, 5, 3, 6})}));
  CHECK(gives(tn::op::transpose{}, {six}, {tensor::from<float>({3, 2}, {1, 4, 2, 5, 3, 6})}));
  const tensor x = tensor::from<bool>({1, 2, 3}, {true, false, false, false, true, true});
  CHECK(gives(tn::op::transpose{{2, 0, 1}}, {x},
              {tensor::from<bool>({3, 1, 2}, {true, false, false, true, false, true})}));
  CHECK_THROWS_AS(type_of(tn::op::transpose{{0, 0}}, {six}), tn::error);
  CHECK_THROWS_AS(type_of(tn::op::transpose{{0}}, {six}), tn::error);
}

TEST_CASE("expand broadcasts both ways") {
  const tensor column = tensor::from<tn::i16>({2, 1}, {1, 2});
  CHECK(gives(tn::op::expand{{2, 1, 3}}, {column},
              {tensor::from<tn::i16>({2, 2, 3}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2})}));
  CHECK(gives(tn::op::expand{{1}}, {column}, {column}));
  CHECK(evaluates(tn::op::expand{}, {column, ints({2, 2})}, {tensor::from<tn::i16>({2, 2}, {1, 1, 2, 2})}));
  CHECK_THROWS_AS(type_of(tn::op::expand{{3, 1}}, {column}), tn::error);
}

TEST_CASE("slice clamps its bounds and walks backwards") {
  CHECK(gives(tn::op::slice{{1}, {100}, {1}, {}}, {six}, {tensor::from<float>({2, 2}, {2, 3, 5, 6})}));
  CHECK(gives(tn::op::slice{{-1, 0}, {INT64_MIN, 3}, {}, {-1, 2}}, {six}, {tensor::from<float>({2, 2}, {4, 6, 1, 3})}));
  CHECK(gives(tn::op::slice{{5}, {-100}, {-1}, {-2}}, {six}, {tensor::from<float>({2, 2}, {3, 1, 6, 4})}));
  CHECK(gives(tn::op::slice{{2}, {1}, {1}, {}}, {six}, {tensor(dtype::f32, {2, 0})}));
  CHECK(gives(tn::op::slice{{0}, {INT64_MAX}, {0}, {INT64_MAX}}, {six}, {tensor::from<float>({1, 3}, {1, 2, 3})}));
  CHECK(gives(tn::op::slice{{10}, {INT64_MIN}, {0}, {INT64_MIN}}, {six}, {tensor::from<float>({1, 3}, {4, 5, 6})}));
  CHECK(evaluates(tn::op::slice{}, {six, ints({0}), ints({1}), tensor(), ints({1})},
                  {tensor::from<float>({1, 3}, {1, 2, 3})}));
  CHECK_THROWS_AS(type_of(tn::op::slice{{0}, {1}, {0}, {0}}, {six}), tn::error);
  CHECK_THROWS_AS(type_of(tn::op::slice{{0, 0}, {1}, {}, {}}, {six}), tn::error);
  CHECK_THROWS_AS(type_of(tn::op::slice{{0, 0}, {1, 1}, {0, -2}, {}}, {six}), tn::error);
}

TEST_CASE("slices of symbolic extents clamp numbers") {
  for (const i64 start : {-1000, -2, 3}) {
    tn::ir::module m;
    const tn::type_id t[1] = {m.intern(tn::ir::type::tensor(dtype::f32, {tn::ir::dim::symbol(m.symbol("n"))}))};
    const tn::function_id f = m.add_function("f", tn::ir::function_kind::graph, t);
    tn::ir::builder<> b(m, m[f].body);
    const tn::value_id y = b.make(tn::op::slice{{start}, {INT64_MAX}, {0}, {}}, {m[m[f].body].arguments[0]});
    CHECK(m.conditions.empty());
    const tn::extent_expr got = tn::ir::expression_of(m, m.type_of(y).shape[0]);
    for (const i64 size : {0, 1, 2, 3, 7, 999, 1000, 1001, 5000})
      CHECK(got.evaluate([&](const std::string&) { return size; }) ==
            (start < 0 ? std::min(size, -start) : std::max<i64>(size - start, 0)));
  }
}

TEST_CASE("concat") {
  const tensor one = tensor::from<float>({2, 1}, {7, 8});
  CHECK(gives(tn::op::concat{1}, {six, one, six},
              {tensor::from<float>({2, 7}, {1, 2, 3, 7, 1, 2, 3, 4, 5, 6, 8, 4, 5, 6})}));
  CHECK(gives(tn::op::concat{-2}, {six, tensor(dtype::f32, {0, 3}), six},
              {tensor::from<float>({4, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6})}));
  CHECK_THROWS_WITH_AS(type_of(tn::op::concat{0}, {six, one}), doctest::Contains("dimension 1 of operand 1 is 1"),
                       tn::error);
  CHECK_THROWS_AS(type_of(tn::op::concat{0}, {six, ints({1})}), tn::error);
}

TEST_CASE("pad: the modes") {
  using tn::op::pad_mode;
  const tensor x = tensor::from<float>({3}, {1, 2, 3});
  const auto row = [](std::vector<float> v) {
    return tensor::from<float>({static_cast<i64>(v.size())}, std::span<const float>(v));
  };
  CHECK(gives(tn::op::pad{pad_mode::constant, {2}, {1}, 9}, {x}, {row({9, 9, 1, 2, 3, 9})}));
  CHECK(gives(tn::op::pad{pad_mode::edge, {2}, {1}}, {x}, {row({1, 1, 1, 2, 3, 3})}));
  CHECK(gives(tn::op::pad{pad_mode::reflect, {2}, {1}}, {x}, {row({3, 2, 1, 2, 3, 2})}));
  CHECK(gives(tn::op::pad{pad_mode::reflect, {5}, {4}}, {x}, {row({2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3})}));
  CHECK(gives(tn::op::pad{pad_mode::wrap, {4}, {2}}, {x}, {row({3, 1, 2, 3, 1, 2, 3, 1, 2})}));
  CHECK(gives(tn::op::pad{pad_mode::constant, {-1}, {2}}, {x}, {row({2, 3, 0, 0})}));
  CHECK(gives(tn::op::pad{pad_mode::wrap, {-1}, {3}}, {x}, {row({2, 3, 2, 3, 2})}));
  CHECK(gives(tn::op::pad{pad_mode::edge, {-1}, {-1}}, {x}, {row({2})}));
  CHECK(gives(tn::op::pad{pad_mode::constant, {1}, {0}, 0, {-1}}, {six},
              {tensor::from<float>({2, 4}, {0, 1, 2, 3, 0, 4, 5, 6})}));
  CHECK(gives(tn::op::pad{pad_mode::constant, {1}, {0}},
              {tensor::from<bool>({1}, {true}), tensor(), tensor::scalar(true)},
              {tensor::from<bool>({2}, {true, true})}));
  CHECK(evaluates(tn::op::pad{}, {six, ints({0, 1, 0, 0}), tensor::scalar(5.0f)},
                  {tensor::from<float>({2, 4}, {5, 1, 2, 3, 5, 4, 5, 6})}));
  CHECK(evaluates(tn::op::pad{}, {six, ints({1, 0}), tensor(), ints({-1})},
                  {tensor::from<float>({2, 4}, {0, 1, 2, 3, 0, 4, 5, 6})}));
  CHECK_THROWS_AS(type_of(tn::op::pad{pad_mode::constant, {-2}, {-2}}, {x}), tn::error);
  CHECK_THROWS_AS(type_of(tn::op::pad{pad_mode::constant, {1}, {1}}, {six}), tn::error);
  CHECK_THROWS_AS(type_of(tn::op::pad{pad_mode::edge, {1, 0}, {1, 0}}, {tensor(dtype::f32, {0, 2})}), tn::error);
}

TEST_CASE("tile") {
  CHECK(gives(tn::op::tile{{2, 1}}, {six}, {tensor::from<float>({4, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6})}));
  CHECK(gives(tn::op::tile{{1, 2}}, {six}, {tensor::from<float>({2, 6}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6})}));
  CHECK(gives(tn::op::tile{{0, 2}}, {six}, {tensor(dtype::f32, {0, 6})}));
  CHECK_THROWS_AS(type_of(tn::op::tile{{1}}, {six}), tn::error);
  // In runs, gathered, one element repeated, and nothing at all.
  for (const auto& [shape, times] : std::vector<std::pair<std::vector<i64>, std::vector<i64>>>{{{3, 20}, {2, 3}},
                                                                                               {{3, 20}, {1, 4}},
                                                                                               {{2, 3, 4}, {2, 1, 3}},
                                                                                               {{4, 1}, {1, 9}},
                                                                                               {{2, 1, 9}, {1, 5, 1}},
                                                                                               {{2, 3, 5}, {3, 2, 1}},
                                                                                               {{5}, {0}},
                                                                                               {{0, 9}, {2, 2}},
                                                                                               {{}, {}}})
    CHECK(lowering_error(tn::op::tile{times}, {random_tensor(dtype::f32, shape, 3)}) == 0);
}

TEST_CASE("elements of any width move as their loops move them, in rows and one by one") {
  for (const dtype t : {dtype::f64, dtype::f32, dtype::f16, dtype::u8, dtype::boolean}) {
    CAPTURE(tn::name_of(t));
    const tensor x = random_tensor(t, {4, 6, 7}, 1), y = random_tensor(t, {4, 2, 7}, 2);
    CHECK(lowering_error(tn::op::slice{{1}, {5}, {1}, {}}, {x}) == 0);
    CHECK(lowering_error(tn::op::slice{{1, 5}, {4, 0}, {0, 2}, {2, -3}}, {x}) == 0);
    CHECK(lowering_error(tn::op::slice{{2, 3, 1}, {3, 4, 2}, {}, {}}, {x}) == 0);
    CHECK(lowering_error(tn::op::slice{{-1}, {INT64_MIN}, {0}, {-1}}, {x}) == 0);
    CHECK(lowering_error(tn::op::expand{{3, 4, 6, 7}}, {x}) == 0);
    CHECK(lowering_error(tn::op::expand{{4, 5, 7}}, {random_tensor(t, {4, 1, 7}, 3)}) == 0);
    CHECK(lowering_error(tn::op::expand{{4, 6, 5}}, {random_tensor(t, {4, 6, 1}, 3)}) == 0);
    CHECK(lowering_error(tn::op::tile{{2, 1, 3}}, {x}) == 0);
    CHECK(lowering_error(tn::op::concat{1}, {x, y, x}) == 0);
    CHECK(lowering_error(tn::op::concat{-1}, {y, y}) == 0);
  }
}

TEST_CASE("range") {
  const auto scalar = [](auto v) { return tensor::scalar(v); };
  CHECK(evaluates(tn::op::range{}, {scalar(3.0f), scalar(0.5f), scalar(-1.0f)}, {tensor::from<float>({3}, {3, 2, 1})}));
  CHECK(evaluates(tn::op::range{}, {scalar(i64{1}), scalar(i64{8}), scalar(i64{3})}, {ints({1, 4, 7})}));
  CHECK(evaluates(tn::op::range{}, {scalar(i64{8}), scalar(i64{1}), scalar(i64{3})}, {ints({})}));
  CHECK_THROWS_AS(evaluates(tn::op::range{}, {scalar(i64{8}), scalar(i64{1}), scalar(i64{0})}, {ints({})}), tn::error);
}

TEST_CASE("shape_of and count_of") {
  CHECK(gives(tn::op::shape_of{}, {six}, {ints({2, 3})}));
  CHECK(gives(tn::op::shape_of{-1, 100}, {six}, {ints({3})}));
  CHECK(gives(tn::op::shape_of{1, -1}, {six}, {ints({})}));
  CHECK(gives(tn::op::count_of{}, {six}, {tensor::scalar<i64>(6)}));
  tensor v;
  CHECK(tn::op::value_from_type(tn::op::shape_of{1}, tn::ir::type::tensor(dtype::f32, {tn::ir::dim::unknown(), 4}), v));
  CHECK(tn::same_bits(v, ints({4})));
  CHECK_FALSE(
      tn::op::value_from_type(tn::op::shape_of{}, tn::ir::type::tensor(dtype::f32, {tn::ir::dim::unknown()}), v));
}

TEST_CASE("trilu, eye_like, constant_of_shape, reverse_sequence") {
  CHECK(gives(tn::op::trilu{true, 0}, {six}, {tensor::from<float>({2, 3}, {1, 2, 3, 0, 5, 6})}));
  CHECK(gives(tn::op::trilu{false, 1}, {six}, {tensor::from<float>({2, 3}, {1, 2, 0, 4, 5, 6})}));
  CHECK(
      gives(tn::op::trilu{true, 5}, {six, tensor::scalar<i64>(2)}, {tensor::from<float>({2, 3}, {0, 0, 3, 0, 0, 0})}));
  CHECK(gives(tn::op::eye_like{1}, {six}, {tensor::from<float>({2, 3}, {0, 1, 0, 0, 0, 1})}));
  CHECK(gives(tn::op::eye_like{-1, dtype::boolean}, {six},
              {tensor::from<bool>({2, 3}, {false, false, false, true, false, false})}));
  CHECK(gives(tn::op::constant_of_shape{{2, 2}}, {ints({7})}, {tensor::from<i64>({2, 2}, {7, 7, 7, 7})}));
  CHECK(evaluates(tn::op::constant_of_shape{}, {ints({7}), ints({1})}, {ints({7})}));
  CHECK(gives(tn::op::constant_of_shape{}, {ints({7})}, {tensor::scalar<i64>(7)}));
  CHECK(gives(tn::op::reverse_sequence{0, 1}, {six, ints({2, 3})}, {tensor::from<float>({2, 3}, {2, 1, 3, 6, 5, 4})}));
  CHECK(
      gives(tn::op::reverse_sequence{1, 0}, {six, ints({1, 2, 2})}, {tensor::from<float>({2, 3}, {1, 5, 6, 4, 2, 3})}));
  CHECK(gives(tn::op::reverse_sequence{0, 1}, {six, ints({2, 4})}, {tensor::from<float>({2, 3}, {2, 1, 3, 6, 6, 5})}));
}

TEST_CASE("a constant operand becomes the attribute") {
  tn::op::slice s{{0}, {}, {}, {}};
  CHECK(tn::op::absorb(s, 2, ints({1})));
  CHECK(s.ends == std::vector<i64>{1});
  CHECK(tn::op::absorb(s, 1, ints({5})));
  CHECK(s.starts == std::vector<i64>{0});
  CHECK_FALSE(tn::op::absorb(s, 0, ints({5})));
  tn::op::pad p;
  CHECK(tn::op::absorb(p, 1, ints({1, 2, 3, 4})));
  CHECK(p.before == std::vector<i64>{1, 2});
  CHECK(p.after == std::vector<i64>{3, 4});
}

TEST_CASE("movement of every element type") {
  for (int t = 0; t < tn::dtype_count - 1; ++t) {
    if (t == static_cast<int>(dtype::index) || t == static_cast<int>(dtype::f8e8m0))
      continue;  // f8e8m0 has no zero to fill with
    const tensor x = random_tensor(static_cast<dtype>(t), {2, 3, 4}, 7);
    CAPTURE(tn::dtype_names[t]);
    CHECK(lowering_error(tn::op::transpose{{2, 0, 1}}, {x}) == 0);
    CHECK(lowering_error(tn::op::slice{{1}, {4}, {2}, {2}}, {x}) == 0);
    CHECK(lowering_error(tn::op::concat{1}, {x, x}) == 0);
    CHECK(lowering_error(tn::op::pad{tn::op::pad_mode::constant, {1, 0, 2}, {0, 1, 1}, 1}, {x}) == 0);
    CHECK(lowering_error(tn::op::trilu{false, 0}, {x}) == 0);
    CHECK(lowering_error(tn::op::tile{{1, 2, 2}}, {x}) == 0);
  }
}
