/// @file attention_test: attention: types, the evaluation against products and a softmax, and lowerings of each form.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include <tenon/ops/graph/attention.hpp>
#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/graph/reduce.hpp>

#include "support/expected.hpp"

namespace {
using namespace tenon;
using namespace tenon::testing;

constexpr double infinity = std::numeric_limits<double>::infinity();

tensor number(dtype t, double v) {
  tensor x(t, {});
  x.set_f64(0, v);
  return x;
}
template <class Op>
tensor result(const Op& op, std::vector<tensor> operands) {
  return one_op<Op>(op, std::move(operands)).evaluated()[0];
}

/// What the op stands for.
tensor unfused(const op::attention& op, const std::vector<tensor>& x) {
  const dtype t = x[0].type();
  tensor s = result(op::mul{}, {result(op::matmul{}, {x[0], x[1]}), number(t, op.scale)});
  if (x.size() > 3 && x[3].defined())
    s = x[3].type() == dtype::boolean ? result(op::where{}, {x[3], s, number(t, op.fill)})
                                      : result(op::add{}, {s, x[3]});
  return result(op::matmul{}, {result(op::softmax{}, {s}), x[2]});
}

struct shapes {
  std::vector<i64> q, k, v, mask;
};
std::vector<tensor> tensors_of(const shapes& s, dtype t = dtype::f32) {
  std::vector<tensor> r{random_tensor(t, s.q, 1), random_tensor(t, s.k, 2), random_tensor(t, s.v, 3)};
  for (tensor& x : r)
    for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, x.at_f64(i) / 4);
  return r;
}

const std::vector<shapes> examples{
    {{5, 8}, {8, 7}, {7, 9}, {5, 7}},
    {{2, 3, 17, 4}, {2, 3, 4, 33}, {2, 3, 33, 5}, {2, 1, 1, 33}},
    {{2, 3, 17, 4}, {3, 4, 33}, {1, 1, 33, 5}, {17, 33}},
    {{1, 50, 3}, {6, 3, 20}, {6, 20, 70}, {6, 50, 1}},     // more columns than one contraction takes
    {{3, 60, 2}, {3, 2, 40}, {3, 40, 16}, {}},             // several blocks of queries
    {{70, 3}, {3, 517}, {517, 4}, {517}},                  // keys are packed
    {{2, 65, 2}, {2, 2, 544}, {2, 544, 3}, {2, 65, 544}},  // in whole panels
    {{1, 1}, {1, 1}, {1, 1}, {1, 1}},
};

}  // namespace

TEST_CASE("attention is products with a softmax between them, and lowers to that") {
  for (const shapes& s : examples)
    for (const dtype t : {dtype::f32, dtype::f64}) {
      INFO(shape_text(s.q), " ", shape_text(s.k), " ", shape_text(s.v));
      std::vector<tensor> x = tensors_of(s, t);
      for (const op::attention& op : {op::attention{}, op::attention{.scale = 0.35}}) {
        CHECK(distance(result(op, x), unfused(op, x)) < 1e-6);
        CHECK(lowering_error(op, x) < 1e-5);
      }
      if (s.mask.empty()) continue;
      const op::attention op{.scale = 0.35, .fill = -2};
      for (const dtype m : {t, dtype::boolean}) {
        x.resize(3);
        x.push_back(random_tensor(m, s.mask, 4, m == dtype::boolean ? 0 : -2, m == dtype::boolean ? 1 : 2));
        CHECK(distance(result(op, x), unfused(op, x)) < 1e-6);
        CHECK(lowering_error(op, x) < 1e-5);
      }
    }
}

TEST_CASE("attention with more keys than a softmax sees at once") {
  for (const i64 keys : {2049, 2560, 2600}) {
    const shapes s{{2, 3, 2}, {2, 2, keys}, {2, keys, 3}, {3, keys}};
    std::vector<tensor> x = tensors_of(s);
    const op::attention op{.scale = 0.5};
    CHECK(distance(result(op, x), unfused(op, x)) < 1e-6);
    CHECK(lowering_error(op, x) < 1e-5);
    x.push_back(random_tensor(dtype::f32, s.mask, 4, -3, 3));
    CHECK(lowering_error(op, x) < 1e-5);
  }
  const shapes packed{{64, 1}, {1, 2050}, {2050, 1}, {}};
  CHECK(lowering_error(op::attention{}, tensors_of(packed)) < 1e-5);
}

TEST_CASE("attention of queries that no key counts for, and of scores that are no numbers") {
  for (const i64 keys : {40, 2600}) {
    const shapes s{{6, 2}, {2, keys}, {keys, 3}, {6, keys}};
    std::vector<tensor> x = tensors_of(s);
    tensor mask(dtype::f32, s.mask);
    const auto set = [&](i64 row, i64 from, i64 to, double v) {
      for (i64 j = from; j < to; ++j) mask.set_f64(row * keys + j, v);
    };
    set(0, 0, keys, -infinity);      // no key at all
    set(1, 0, keys - 1, -infinity);  // the last one alone
    set(2, 1, keys, -infinity);      // the first one alone
    set(3, keys / 2, keys / 2 + 1, infinity);
    set(4, keys - 2, keys - 1, std::nan(""));
    x.push_back(mask);
    const tensor y = result(op::attention{}, x);
    CHECK(distance(y, unfused(op::attention{}, x)) < 1e-6);
    CHECK(lowering_error(op::attention{}, x) < 1e-5);
    for (i64 e = 0; e < 3; ++e) {
      CHECK(std::isnan(y.at_f64(e)));
      CHECK(y.at_f64(3 + e) == x[2].at_f64((keys - 1) * 3 + e));
      CHECK(y.at_f64(6 + e) == x[2].at_f64(e));
      CHECK((std::isnan(y.at_f64(9 + e)) && std::isnan(y.at_f64(12 + e)) && !std::isnan(y.at_f64(15 + e))));
    }
    tensor hidden(dtype::boolean, s.mask);  // all are, in some rows
    for (i64 j = 0; j < keys; ++j) hidden.set_i64(2 * keys + j, 1), hidden.set_i64(3 * keys + j, j % 2);
    x[3] = hidden;
    for (const double fill : {-infinity, -3e38, 0.}) {
      const op::attention op{.fill = fill};
      CHECK(distance(result(op, x), unfused(op, x)) < 1e-6);
      CHECK(lowering_error(op, x) < 1e-5);
    }
  }
}

TEST_CASE("attention of nothing") {
  for (const shapes& s : std::vector<shapes>{{{3, 2}, {2, 0}, {0, 4}, {}},
                                             {{0, 2}, {2, 5}, {5, 4}, {}},
                                             {{3, 0}, {0, 5}, {5, 4}, {}},
                                             {{0, 3, 2}, {0, 2, 5}, {0, 5, 4}, {}},
                                             {{3, 2}, {2, 5}, {5, 0}, {}}}) {
    INFO(shape_text(s.q), " ", shape_text(s.k));
    const std::vector<tensor> x = tensors_of(s);
    CHECK(distance(result(op::attention{}, x), unfused(op::attention{}, x)) < 1e-6);
    CHECK(lowering_error(op::attention{}, x) < 1e-6);
  }
}

TEST_CASE("attention of f16 and bf16 is rounded once") {
  for (const dtype t : {dtype::f16, dtype::bf16}) {
    const shapes s{{2, 20, 4}, {2, 4, 33}, {2, 33, 5}, {20, 33}};
    std::vector<tensor> x = tensors_of(s, t);
    x.push_back(random_tensor(t, s.mask, 4));
    CHECK(lowering_error(op::attention{.scale = 0.5}, x) < (t == dtype::f16 ? 2e-3 : 2e-2));
  }
}

TEST_CASE("attention: types") {
  const auto f32 = [](std::vector<i64> shape) { return tensor(dtype::f32, std::move(shape)); };
  const ir::type t = testing::type_of(op::attention{}, {f32({2, 1, 5, 4}), f32({3, 4, 6}), f32({6, 7})});
  CHECK(t.extents() == std::vector<i64>{2, 3, 5, 7});
  const auto says = [&](std::vector<tensor> x, std::string_view what) {
    const std::string why = refusal(op::attention{}, std::move(x));
    CHECK_MESSAGE(contains(why, what), why);
  };
  says({f32({5, 4}), f32({3, 6}), f32({6, 7})}, "columns of q and rows of k differ: 4 and 3");
  says({f32({5, 4}), f32({4, 6}), f32({5, 7})}, "columns of k and rows of v differ: 6 and 5");
  says({f32({5, 4}), f32({4, 6}), f32({7})}, "operand 2 has no rows");
  says({f32({2, 5, 4}), f32({3, 4, 6}), f32({6, 7})}, "do not broadcast");
  says({f32({5, 4}), f32({4, 6}), f32({6, 7}), f32({2, 5, 6})}, "the mask has more elements than there are scores");
  says({f32({5, 4}), f32({4, 6}), f32({6, 7}), f32({4, 6})}, "do not broadcast");
  says({f32({5, 4}), tensor(dtype::f64, {4, 6}), f32({6, 7})}, "operands of f32 and f64");
  says({f32({5, 4}), f32({4, 6}), f32({6, 7}), tensor(dtype::i32, {5, 6})}, "operand 3 is i32");
}
