#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <tenon/ops/graph/indexing.hpp>

#include "support/expected.hpp"

namespace tn = tenon;
using namespace tenon::testing;
using tn::dtype;
using tn::i64;
using tn::tensor;
using tn::op::scatter_reduction;

namespace {
const tensor six = tensor::from<float>({2, 3}, {1, 2, 3, 4, 5, 6});
tensor ints(std::vector<i64> v) { return tensor::from<i64>({static_cast<i64>(v.size())}, v); }
}  // namespace

TEST_CASE("gather replaces a dimension by those of the indices") {
  CHECK(gives(tn::op::gather{0}, {six, ints({1, -2})}, {tensor::from<float>({2, 3}, {4, 5, 6, 1, 2, 3})}));
  CHECK(gives(tn::op::gather{-1}, {six, tensor::from<tn::i32>({1, 2}, {2, 0})},
              {tensor::from<float>({2, 1, 2}, {3, 1, 6, 4})}));
  CHECK(gives(tn::op::gather{1}, {six, tensor::scalar<tn::u8>(1)}, {tensor::from<float>({2}, {2, 5})}));
  CHECK_THROWS_AS(type_of(tn::op::gather{2}, {six, ints({0})}), tn::error);
  // The transpose of a table of 3 rows of 2 in panels of 2 columns, the last of which is half full.
  const tensor panels = tensor::from<float>({2, 2, 2}, {1, 3, 2, 4, 5, 0, 6, 0});
  CHECK(gives(tn::op::gather{0, 2, 3}, {panels, ints({1, 2, -3, 9})},
              {tensor::from<float>({4, 2}, {3, 4, 5, 6, 1, 2, 5, 6})}));
  CHECK_THROWS_AS(type_of(tn::op::gather{0, 2, 5}, {panels, ints({0})}), tn::error);
  CHECK_THROWS_AS(type_of(tn::op::gather{1, 2, 3}, {panels, ints({0})}), tn::error);
  CHECK_THROWS_AS(type_of(tn::op::gather{0}, {six, six}), tn::error);
}

TEST_CASE("an index that is data and out of range is the nearest element") {
  CHECK(gives(tn::op::gather{1}, {six, ints({100, -100})}, {tensor::from<float>({2, 2}, {3, 1, 6, 4})}));
  CHECK(gives(tn::op::gather_elements{1}, {six, tensor::from<i64>({1, 3}, {INT64_MIN, INT64_MAX, 3})},
              {tensor::from<float>({1, 3}, {1, 3, 3})}));
  CHECK(
      gives(tn::op::gather_nd{}, {six, tensor::from<i64>({2, 2}, {0, 3, 2, -4})}, {tensor::from<float>({2}, {3, 4})}));
  CHECK(gives(tn::op::gather{0}, {tensor(dtype::f32, {0, 2}), ints({0, 9})}, {tensor(dtype::f32, {2, 2})}));
}

TEST_CASE("gather_elements and gather_nd") {
  CHECK(gives(tn::op::gather_elements{1}, {six, tensor::from<i64>({2, 2}, {0, 2, -1, 1})},
              {tensor::from<float>({2, 2}, {1, 3, 6, 5})}));
  CHECK(gives(tn::op::gather_elements{0}, {six, tensor::from<i64>({1, 3}, {1, 0, 1})},
              {tensor::from<float>({1, 3}, {4, 2, 6})}));
  CHECK(
      gives(tn::op::gather_nd{}, {six, tensor::from<i64>({2, 2}, {0, 1, 1, -1})}, {tensor::from<float>({2}, {2, 6})}));
  CHECK(gives(tn::op::gather_nd{}, {six, tensor::from<i64>({2, 1}, {1, 0})},
              {tensor::from<float>({2, 3}, {4, 5, 6, 1, 2, 3})}));
  CHECK(gives(tn::op::gather_nd{1}, {six, tensor::from<i64>({2, 1}, {2, 0})}, {tensor::from<float>({2}, {3, 4})}));
  CHECK(gives(tn::op::gather_nd{1},
              {tensor::from<tn::i8>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), tensor::from<i64>({2, 1}, {1, 0})},
              {tensor::from<tn::i8>({2, 2}, {3, 4, 5, 6})}));
  CHECK_THROWS_AS(type_of(tn::op::gather_nd{}, {six, tensor::from<i64>({1, 3}, {0, 0, 0})}), tn::error);
}

TEST_CASE("scatter_elements") {
  const tensor where = tensor::from<i64>({2, 2}, {0, 0, -1, 1}), what = tensor::from<float>({2, 2}, {10, 20, 30, 40});
  CHECK(gives(tn::op::scatter_elements{1}, {six, where, what}, {tensor::from<float>({2, 3}, {20, 2, 3, 4, 40, 30})}));
  CHECK(gives(tn::op::scatter_elements{1, scatter_reduction::add}, {six, where, what},
              {tensor::from<float>({2, 3}, {31, 2, 3, 4, 45, 36})}));
  CHECK(gives(tn::op::scatter_elements{1, scatter_reduction::mul}, {six, where, what},
              {tensor::from<float>({2, 3}, {200, 2, 3, 4, 200, 180})}));
  CHECK(gives(tn::op::scatter_elements{0, scatter_reduction::min}, {six, where, what}, {six}));
  CHECK(gives(tn::op::scatter_elements{0, scatter_reduction::max},
              {six, tensor::from<i64>({1, 3}, {1, 0, 1}), tensor::from<float>({1, 3}, {3, 9, 8})},
              {tensor::from<float>({2, 3}, {1, 9, 3, 4, 5, 8})}));
  CHECK(gives(tn::op::scatter_elements{0, scatter_reduction::add},
              {tensor::from<tn::u8>({2}, {250, 1}), ints({0}), tensor::from<tn::u8>({1}, {10})},
              {tensor::from<tn::u8>({2}, {4, 1})}));
  CHECK_THROWS_AS(type_of(tn::op::scatter_elements{1}, {six, where, ints({1})}), tn::error);
}

TEST_CASE("an update whose index is data and out of range is left out") {
  CHECK(gives(tn::op::scatter_elements{0}, {tensor::from<i64>({3}, {1, 2, 3}), ints({5, 1, -4}), ints({7, 8, 9})},
              {ints({1, 8, 3})}));
  CHECK(gives(tn::op::scatter_nd{}, {ints({1, 2}), tensor::from<i64>({3, 1}, {2, INT64_MIN, -1}), ints({7, 8, 9})},
              {ints({1, 9})}));
}

TEST_CASE("scatter_nd") {
  CHECK(gives(tn::op::scatter_nd{}, {six, tensor::from<i64>({1, 1}, {1}), tensor::from<float>({1, 3}, {7, 8, 9})},
              {tensor::from<float>({2, 3}, {1, 2, 3, 7, 8, 9})}));
  CHECK(gives(tn::op::scatter_nd{scatter_reduction::add},
              {six, tensor::from<i64>({3, 2}, {0, 0, 0, 0, 1, -1}), tensor::from<float>({3}, {1, 2, 3})},
              {tensor::from<float>({2, 3}, {4, 2, 3, 4, 5, 9})}));
  CHECK_THROWS_AS(type_of(tn::op::scatter_nd{}, {six, tensor::from<i64>({1, 1}, {1}), ints({1})}), tn::error);
  CHECK_THROWS_AS(type_of(tn::op::scatter_nd{}, {six, tensor::from<i64>({1, 1}, {1}), six}), tn::error);
}

TEST_CASE("scatter in every element type") {
  for (int t = 0; t < static_cast<int>(dtype::index); ++t)
    for (int r = 0; r < 5; ++r) {
      const tensor x = random_tensor(static_cast<dtype>(t), {3, 4}, 7),
                   y = random_tensor(static_cast<dtype>(t), {2, 4}, 8);
      CAPTURE(tn::dtype_names[t]);
      CAPTURE(r);
      CHECK(lowering_error(tn::op::scatter_elements{0, static_cast<scatter_reduction>(r)},
                           {x, random_tensor(dtype::i64, {2, 4}, 9, -3, 2), y}) == 0);
    }
}

TEST_CASE("top_k: best first, equals by index") {
  const tensor x = tensor::from<float>({2, 4}, {1, 3, 3, 2, -1, -5, 0, -1});
  CHECK(gives(tn::op::top_k{3}, {x},
              {tensor::from<float>({2, 3}, {3, 3, 2, 0, -1, -1}), tensor::from<i64>({2, 3}, {1, 2, 3, 2, 0, 3})}));
  CHECK(gives(tn::op::top_k{2, -1, false}, {x},
              {tensor::from<float>({2, 2}, {1, 2, -5, -1}), tensor::from<i64>({2, 2}, {0, 3, 1, 0})}));
  CHECK(gives(tn::op::top_k{1, 0}, {x},
              {tensor::from<float>({1, 4}, {1, 3, 3, 2}), tensor::from<i64>({1, 4}, {0, 0, 0, 0})}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const tensor odd = tensor::from<float>({4}, {1, nan, std::numeric_limits<float>::infinity(), nan});
  CHECK(gives(tn::op::top_k{4}, {odd},
              {tensor::from<float>({4}, {nan, nan, std::numeric_limits<float>::infinity(), 1}), ints({1, 3, 2, 0})}));
  CHECK(gives(tn::op::top_k{2, 0}, {tensor::from<tn::u64>({3}, {1, ~tn::u64{0}, 5})},
              {tensor::from<tn::u64>({2}, {~tn::u64{0}, 5}), ints({1, 2})}));
  CHECK(evaluates(tn::op::top_k{}, {ints({4, 6}), ints({1})}, {ints({6}), ints({1})}));
  CHECK(lowering_error(tn::op::top_k{7, 1}, {random_tensor(dtype::f16, {3, 20, 2}, 4)}) == 0);
  CHECK_THROWS_AS(type_of(tn::op::top_k{5}, {x}), tn::error);
  CHECK_THROWS_AS(type_of(tn::op::top_k{}, {x}), tn::error);
}

TEST_CASE("top_k: rows of all lengths, most of them equal to others, with NaN and infinities") {
  const auto same = [](const tn::op::top_k& op, const tensor& x) {
    CAPTURE(op.k);
    CAPTURE(op.axis);
    CAPTURE(op.largest);
    CAPTURE(x.describe());
    CHECK(lowering_error(op, {x}) == 0);
  };
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (dtype t : {dtype::f32, dtype::f16, dtype::f64, dtype::i8, dtype::u8, dtype::i64, dtype::u64})
    for (i64 n : {1, 2, 7, 64, 300})
      for (bool largest : {true, false}) {
        tensor x = random_tensor(t, {2, n}, static_cast<unsigned>(n));
        for (i64 k : {i64{1}, std::min<i64>(2, n), (n + 1) / 2, n}) {
          same({k, -1, largest}, x);
          if (!is_float(t)) continue;
          tensor odd = x.clone();
          odd.set_f64(n / 2, inf), odd.set_f64(n - 1, nan), odd.set_f64(2 * n - 1, -inf), odd.set_f64(n + n / 3, nan);
          same({k, -1, largest}, odd);
        }
      }
  for (i64 k : {1, 8, 9, 20})
    for (bool largest : {true, false}) same({k, 1, largest}, random_tensor(dtype::f32, {2, 20, 3}, 7));
  // More rows than parts, of several dimensions, and one behind the row's own.
  for (bool largest : {true, false}) {
    same({5, 2, largest}, random_tensor(dtype::f32, {5, 7, 130}, 8, -50, 50));
    same({4, 1, largest}, random_tensor(dtype::i32, {33, 64, 1}, 9, -50, 50));
    same({8, -1, largest}, random_tensor(dtype::boolean, {17, 100}, 10));
  }
  // Each better than all before, or worse.
  tensor up(dtype::f32, {1, 400}), down(dtype::f32, {1, 400}), none(dtype::f32, {1, 400});
  for (i64 i = 0; i < 400; ++i) up.set_i64(i, i), down.set_i64(i, -i), none.set_f64(i, i % 2 ? nan : -inf);
  for (bool largest : {true, false})
    for (const tensor& x : {up, down, none}) same({33, -1, largest}, x);
}

TEST_CASE("one_hot") {
  const tensor values = tensor::from<float>({2}, {-1, 1});
  CHECK(gives(tn::op::one_hot{-1, 3}, {ints({1, -1, 7}), tensor(), values},
              {tensor::from<float>({3, 3}, {-1, 1, -1, -1, -1, 1, -1, -1, -1})}));
  CHECK(gives(tn::op::one_hot{0, 2}, {ints({1, 0}), tensor(), values}, {tensor::from<float>({2, 2}, {-1, 1, 1, -1})}));
  CHECK(evaluates(tn::op::one_hot{}, {tensor::from<float>({1}, {1}), tensor::scalar<float>(2), values},
                  {tensor::from<float>({1, 2}, {-1, 1})}));
}

TEST_CASE("results whose extents are data") {
  CHECK(evaluates(tn::op::non_zero{}, {tensor::from<tn::i32>({2, 2}, {1, 0, 0, -1})},
                  {tensor::from<i64>({2, 2}, {0, 1, 0, 1})}));
  CHECK(evaluates(tn::op::non_zero{}, {tensor::scalar(true)}, {tensor(dtype::i64, {0, 1})}));
  CHECK(evaluates(tn::op::compress{1}, {six, tensor::from<bool>({3}, {true, false, true})},
                  {tensor::from<float>({2, 2}, {1, 3, 4, 6})}));
  CHECK(evaluates(tn::op::compress{0, true}, {six, tensor::from<bool>({5}, {false, true, false, false, true})},
                  {tensor::from<float>({2}, {2, 5})}));
  const tensor x = tensor::from<tn::i16>({5}, {4, 2, 4, 1, 2});
  CHECK(evaluates(tn::op::unique{}, {x},
                  {tensor::from<tn::i16>({3}, {1, 2, 4}), ints({3, 1, 0}), ints({2, 1, 2, 0, 1}), ints({1, 2, 2})}));
  CHECK(evaluates(tn::op::unique{0, true, false}, {x},
                  {tensor::from<tn::i16>({3}, {4, 2, 1}), ints({0, 1, 3}), ints({0, 1, 0, 2, 1}), ints({2, 2, 1})}));
  CHECK(evaluates(tn::op::unique{0, false}, {tensor::from<float>({3, 2}, {5, 0, 1, 0, 5, 0})},
                  {tensor::from<float>({2, 2}, {1, 0, 5, 0}), ints({1, 0}), ints({1, 0, 1}), ints({1, 2})}));
}

TEST_CASE("non_zero and compress of many, in rows of many lengths") {
  for (const std::vector<i64>& shape : {std::vector<i64>{5000}, {3, 2050}, {7, 1, 3}, {2, 0, 3}, {0}, {4, 2, 2, 2}}) {
    tensor x(dtype::f32, shape);
    for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, i % 6 == 5 ? NAN : i * i % 3 == 1 ? 0.5 : -0.0);
    std::vector<std::vector<i64>> at(shape.size());
    std::vector<bool> is(static_cast<size_t>(x.size()));
    std::vector<i64> chosen;
    for (i64 i = 0; i < x.size(); ++i) {
      if (!(x.at_f64(i) != 0)) continue;
      is[static_cast<size_t>(i)] = true, chosen.push_back(i);
      i64 rest = i;
      for (size_t d = shape.size(); d-- > 0; rest /= shape[d]) at[d].push_back(rest % shape[d]);
    }
    std::vector<i64> all;
    for (const auto& a : at) all.insert(all.end(), a.begin(), a.end());
    const i64 n = static_cast<i64>(chosen.size());
    CHECK(evaluates(tn::op::non_zero{}, {x}, {tensor::from<i64>({static_cast<i64>(shape.size()), n}, all)}));

    tensor values(dtype::f64, {2, x.size(), 1}), kept(dtype::f64, {2, n, 1});
    for (i64 i = 0; i < values.size(); ++i) values.set_f64(i, static_cast<double>(i));
    for (i64 k = 0; k < 2; ++k)
      for (i64 i = 0; i < n; ++i)
        kept.set_f64(k * n + i, static_cast<double>(k * x.size() + chosen[static_cast<size_t>(i)]));
    tensor condition(dtype::boolean, {x.size()});
    for (size_t i = 0; i < is.size(); ++i) condition.set_i64(static_cast<i64>(i), is[i]);
    CHECK(evaluates(tn::op::compress{1}, {values, condition}, {kept}));
  }
}

TEST_CASE("compress keeps parts of any size") {
  for (const i64 inner : {1, 2, 3, 5})
    for (const dtype t : {dtype::u8, dtype::f16, dtype::i32}) {
      tensor x(t, {4, inner}), kept(t, {2, inner});
      for (i64 i = 0; i < x.size(); ++i) x.set_i64(i, i);
      for (i64 i = 0; i < inner; ++i) kept.set_i64(i, inner + i), kept.set_i64(inner + i, 3 * inner + i);
      CHECK(evaluates(tn::op::compress{0}, {x, tensor::from<bool>({4}, {false, true, false, true})}, {kept}));
    }
  CHECK_THROWS_AS(evaluates(tn::op::compress{1}, {six, tensor::from<bool>({5}, {true, false, false, false, true})}, {}),
                  tn::error);
}

TEST_CASE("unique sorts numbers of every type") {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> reals{3, -0.0, NAN, -inf, 1e-3, 0, 3, inf, NAN, -7.5, -7.5, 0},
      whole{3, -2, 3, 0, -128, 127, 0};
  const auto check = [](dtype t, const std::vector<double>& given) {
    tensor x(t, {static_cast<i64>(given.size())});
    for (size_t i = 0; i < given.size(); ++i) x.set_f64(static_cast<i64>(i), given[i]);
    const auto before = [&](i64 a, i64 b) {
      const double p = x.at_f64(a), q = x.at_f64(b);
      return std::isnan(q) ? !std::isnan(p) : p < q;
    };
    std::vector<i64> order;
    for (i64 i = 0; i < x.size(); ++i) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](i64 a, i64 b) { return before(a, b) || (!before(b, a) && a < b); });
    std::vector<i64> first, counts, group(given.size());
    for (size_t k = 0; k < order.size(); ++k) {
      if (k == 0 || before(order[k - 1], order[k])) first.push_back(order[k]), counts.push_back(0);
      ++counts.back(), group[static_cast<size_t>(order[k])] = static_cast<i64>(first.size()) - 1;
    }
    tensor values(t, {static_cast<i64>(first.size())});
    for (size_t g = 0; g < first.size(); ++g) values.set_f64(static_cast<i64>(g), x.at_f64(first[g]));
    CHECK(evaluates(tn::op::unique{}, {x}, {values, ints(first), ints(group), ints(counts)}));
    // As they come: groups in the order of their first elements.
    std::vector<i64> by_first(first.size());
    for (size_t g = 0; g < by_first.size(); ++g) by_first[g] = static_cast<i64>(g);
    const auto at = [](const std::vector<i64>& v, i64 i) { return v[static_cast<size_t>(i)]; };
    std::sort(by_first.begin(), by_first.end(), [&](i64 g, i64 h) { return at(first, g) < at(first, h); });
    std::vector<i64> unsorted_first, unsorted_counts, number(first.size()), unsorted_group;
    tensor unsorted(t, {static_cast<i64>(first.size())});
    for (i64 g : by_first) {
      const i64 here = number[static_cast<size_t>(g)] = static_cast<i64>(unsorted_first.size());
      unsorted.set_f64(here, values.at_f64(g));
      unsorted_first.push_back(at(first, g)), unsorted_counts.push_back(at(counts, g));
    }
    for (i64 g : group) unsorted_group.push_back(at(number, g));
    CHECK(evaluates(tn::op::unique{0, true, false}, {x},
                    {unsorted, ints(unsorted_first), ints(unsorted_group), ints(unsorted_counts)}));
  };
  for (dtype t : {dtype::f32, dtype::f64, dtype::f16, dtype::bf16}) check(t, reals);
  for (dtype t : {dtype::i8, dtype::i16, dtype::i32, dtype::i64}) check(t, whole);
  for (dtype t : {dtype::u8, dtype::u16, dtype::u32, dtype::u64}) check(t, {200, 1, 255, 1, 0, 200});
  std::vector<double> many;
  for (i64 i = 0; i < 3000; ++i) many.push_back(static_cast<double>(i * 7919 % 1009 - 500) * 1e3);
  for (dtype t : {dtype::f32, dtype::i32, dtype::i64}) check(t, many);
  for (double& v : many) v = static_cast<double>(static_cast<i64>(v) % 97);  // few, each many times
  for (dtype t : {dtype::f32, dtype::f64, dtype::f16, dtype::i8, dtype::i64}) check(t, many);
  CHECK(
      evaluates(tn::op::unique{}, {tensor(dtype::f32, {0})}, {tensor(dtype::f32, {0}), ints({}), ints({}), ints({})}));
}

TEST_CASE("non_max_suppression keeps boxes by their scores") {
  const tensor boxes = tensor::from<float>({1, 3, 4}, {1, 1, 0, 0, 0, 0, 1, .9f, 0, 10, 1, 11}),
               scores = tensor::from<float>({1, 2, 3}, {.9f, .8f, .7f, .1f, .2f, .2f}), most = tensor::scalar<i64>(2),
               half = tensor::scalar<float>(.5f), least = tensor::scalar<float>(.15f);
  const auto kept = [](std::vector<i64> rows) {
    const i64 n = static_cast<i64>(rows.size()) / 3;
    return tensor::from<i64>({n, 3}, rows);
  };
  const tn::op::non_max_suppression op;
  CHECK(evaluates(op, {boxes, scores, most, half}, {kept({0, 0, 0, 0, 0, 2, 0, 1, 1, 0, 1, 2})}));
  CHECK(evaluates(op, {boxes, scores, tensor::scalar<i64>(1), half, least}, {kept({0, 0, 0, 0, 1, 1})}));
  CHECK(evaluates(op, {boxes, scores}, {kept({})}));
  // No bound, as torchvision's detection models are exported.
  CHECK(evaluates(op, {boxes, scores, tensor::scalar<i64>(std::numeric_limits<i64>::max()), half},
                  {kept({0, 0, 0, 0, 0, 2, 0, 1, 1, 0, 1, 2})}));
  // Centers and sizes: the second box lies inside of the first one.
  const tensor centers = tensor::from<float>({1, 2, 4}, {0, 0, 2, 2, 0, 0, 1, 1});
  CHECK(evaluates(tn::op::non_max_suppression{true},
                  {centers, tensor::from<float>({1, 1, 2}, {.5f, .6f}), most, tensor::scalar<float>(.2f)},
                  {kept({0, 0, 1})}));
  CHECK_THROWS_AS(evaluates(op, {boxes, tensor::from<float>({1, 1, 2}, {1, 1})}, {}), tn::error);
}

TEST_CASE("non_max_suppression: many boxes, beside all pairs of them") {
  for (const auto& [count, most, least] :
       std::vector<std::array<double, 3>>{{500, 40, 0.3}, {90, 1000, -1}, {300, 7, .9}}) {
    const i64 n = static_cast<i64>(count);
    tensor boxes = random_tensor(dtype::f32, {1, n, 4}, 1, 0, 60),
           scores = random_tensor(dtype::f32, {1, 1, n}, 2, 0, 50);
    for (i64 i = 0; i < n; ++i) scores.set_f64(i, scores.at_f64(i) / 50);
    scores.set_f64(n / 2, std::numeric_limits<double>::quiet_NaN());
    const auto at = [&](i64 k, i64 d) { return boxes.at_f64(4 * k + d); };
    const auto side = [&](i64 p, i64 q, i64 d) {
      return std::max(0.0, std::min(std::max(at(p, d), at(p, d + 2)), std::max(at(q, d), at(q, d + 2))) -
                               std::max(std::min(at(p, d), at(p, d + 2)), std::min(at(q, d), at(q, d + 2))));
    };
    const auto common = [&](i64 p, i64 q) { return side(p, q, 0) * side(p, q, 1); };
    std::vector<i64> rows, kept;
    std::vector<bool> done(static_cast<size_t>(n), false);
    while (static_cast<double>(kept.size()) < most) {
      i64 best = -1;
      for (i64 k = 0; k < n; ++k)
        if (!done[static_cast<size_t>(k)] && scores.at_f64(k) > static_cast<double>(static_cast<float>(least)) &&
            (best < 0 || scores.at_f64(k) > scores.at_f64(best)))
          best = k;
      if (best < 0) break;
      done[static_cast<size_t>(best)] = true;
      bool overlaps = false;
      for (i64 k : kept)
        overlaps = overlaps || common(best, k) > 0.25 * (common(best, best) + common(k, k) - common(best, k));
      if (!overlaps) kept.push_back(best), rows.insert(rows.end(), {0, 0, best});
    }
    CHECK(evaluates(tn::op::non_max_suppression{},
                    {boxes, scores, tensor::scalar<i64>(static_cast<i64>(most)), tensor::scalar<float>(.25f),
                     tensor::scalar<float>(static_cast<float>(least))},
                    {tensor::from<i64>({static_cast<i64>(kept.size()), 3}, rows)}));
  }
}
