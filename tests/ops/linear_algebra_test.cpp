/// @file linear_algebra_test: determinants and inverses against formulas: the sum over permutations, and what is known
/// of I + u v', whose determinant is 1 + v'u and whose inverse is I - u v' / (1 + v'u) (Sherman and Morrison).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ops/graph/linear_algebra.hpp>
#include <tenon/text/parse.hpp>

#include "support/caught.hpp"
#include "support/lowered.hpp"

namespace {
using namespace tenon;
using testing::caught;
using testing::contains;
using testing::one_op;
using testing::reals;
using testing::refusal;

tensor numbers(std::vector<i64> shape, const std::vector<double>& v, dtype t = dtype::f32) {
  tensor r(t, std::move(shape));
  for (i64 i = 0; i < r.size(); ++i) r.set_f64(i, v[static_cast<size_t>(i)]);
  return r;
}
/// Of quarters, which every type here holds exactly.
std::vector<double> random_numbers(i64 count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> r;
  for (i64 i = 0; i < count; ++i) r.push_back((static_cast<double>(random() % 25) - 12) / 4);
  return r;
}
/// The sum over all permutations.
double leibniz(const double* x, i64 n) {
  std::vector<i64> p(static_cast<size_t>(n));
  std::iota(p.begin(), p.end(), 0);
  double sum = 0;
  do {
    double product = 1;
    for (size_t i = 0; i < p.size(); ++i) {
      product *= x[static_cast<i64>(i) * n + p[i]];
      for (size_t j = i + 1; j < p.size(); ++j)
        if (p[j] < p[i]) product = -product;
    }
    sum += product;
  } while (std::next_permutation(p.begin(), p.end()));
  return sum;
}
/// By the evaluation, and by the loops.
template <class Op>
std::vector<std::vector<double>> both(tensor x) {
  one_op<Op> one(Op{}, {std::move(x)});
  return {reals(one.evaluated()[0]), reals(one.lowered()[0])};
}
}  // namespace

TEST_CASE("determinants are the sum over permutations, of each matrix of a batch") {
  for (const dtype t : {dtype::f32, dtype::f64, dtype::f16})
    for (const i64 n : {1, 2, 3, 4, 5}) {
      const std::vector<double> x = random_numbers(6 * n * n, static_cast<unsigned>(n));
      for (const std::vector<double>& y : both<op::determinant>(numbers({3, 2, n, n}, x, t)))
        for (i64 i = 0; i < 6; ++i) {
          const double expected = leibniz(x.data() + i * n * n, n), of_type = t == dtype::f16 ? 1e-3 : 1e-5;
          CHECK(std::fabs(y[static_cast<size_t>(i)] - expected) <= of_type * std::max(100., std::fabs(expected)));
        }
    }
}

TEST_CASE("each exchange of rows turns the sign") {
  std::vector<i64> p{0, 1, 2, 3};
  do {
    std::vector<double> x(16), inverse(16);
    for (size_t i = 0; i < 4; ++i)
      x[i * 4 + static_cast<size_t>(p[i])] = 2, inverse[static_cast<size_t>(p[i]) * 4 + i] = .5;
    for (const auto& y : both<op::determinant>(numbers({4, 4}, x))) CHECK(y[0] == leibniz(x.data(), 4));
    for (const auto& y : both<op::inverse>(numbers({4, 4}, x))) CHECK(y == inverse);
  } while (std::next_permutation(p.begin(), p.end()));
}

TEST_CASE("large matrices, of more columns than vectors have lanes") {
  for (const i64 n : {17, 40, 61}) {
    const std::vector<double> uv = random_numbers(2 * n, 7);
    const double *u = uv.data(), *v = u + n;
    double scale = 1;
    for (i64 i = 0; i < n; ++i) scale += u[i] * v[i];
    std::vector<double> x, inverse;
    for (i64 i = 0; i < n; ++i)
      for (i64 j = 0; j < n; ++j) {
        x.push_back((i == j) + u[i] * v[j]);
        inverse.push_back((i == j) - u[i] * v[j] / scale);
      }
    for (const dtype t : {dtype::f32, dtype::f64}) {
      const double bound = t == dtype::f32 ? 1e-3 : 1e-11;
      for (const auto& y : both<op::determinant>(numbers({n, n}, x, t)))
        CHECK(std::fabs(y[0] - scale) <= bound * std::fabs(scale));
      for (const auto& y : both<op::inverse>(numbers({n, n}, x, t)))
        for (size_t i = 0; i < y.size(); ++i) CHECK(std::fabs(y[i] - inverse[i]) <= bound);
    }
  }
}

TEST_CASE("a matrix without rows, a singular one, and one with NaN") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& y : both<op::determinant>(numbers({2, 0, 0}, {}))) CHECK(y == std::vector<double>{1, 1});
  for (const auto& y : both<op::inverse>(numbers({2, 0, 0}, {}))) CHECK(y.empty());
  for (const auto& y : both<op::determinant>(numbers({0, 3, 3}, {}))) CHECK(y.empty());
  for (const auto& y : both<op::determinant>(numbers({3, 3}, {1, 2, 0, 4, 5, 0, 7, 8, 0}))) CHECK(y[0] == 0);
  for (const auto& y : both<op::determinant>(numbers({3, 3}, {0, 2, 3, 0, 5, 6, 0, 8, 9}))) CHECK(y[0] == 0);
  for (const auto& y : both<op::inverse>(numbers({2, 2}, {1, 2, 2, 4})))
    for (const double e : y) CHECK(!std::isfinite(e));
  for (size_t where = 0; where < 9; ++where) {
    std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8, 10};
    x[where] = nan;
    for (const auto& y : both<op::determinant>(numbers({3, 3}, x))) CHECK(std::isnan(y[0]));
  }
}

TEST_CASE("what is no square matrix of floats is refused") {
  CHECK(
      contains(refusal(op::determinant{}, {numbers({2, 3}, {1, 2, 3, 4, 5, 6})}), "not square: 2 rows and 3 columns"));
  CHECK(contains(refusal(op::inverse{}, {numbers({3}, {1, 2, 3})}), "1 dimensions"));
  CHECK(contains(refusal(op::determinant{}, {numbers({1, 1}, {1}, dtype::i32)}), "float type"));
  // Where only a run knows it, too.
  for (const char* op : {"determinant", "inverse"}) {
    const std::string type = op == std::string("inverse") ? "tensor<2x?x?xf32>" : "tensor<2xf32>";
    const ir::module m = parse("tenon.module phase=optimization\nfunc entry @main(%0: tensor<2x?x1xf32>) -> (" + type +
                               ") {\n  %1 = " + op + "(%0) : " + type + "\n  return(%1)\n}\n");
    const error e = caught([&] { interpret(m, "main", {{numbers({2, 3, 1}, {1, 2, 3, 4, 5, 6})}}); });
    CHECK(contains(e.message(), "not square"));
  }
}
