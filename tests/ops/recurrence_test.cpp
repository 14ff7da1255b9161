/// @file recurrence_test: recurrent cells against formulas written out, and what their type rule refuses.
#include <doctest/doctest.h>

#include <cmath>

#include <tenon/ops/graph/recurrence.hpp>

#include "support/lowered.hpp"

namespace {
using namespace tenon;
using op::recurrence;
using op::recurrent_cell;
using testing::one_op;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
tensor floats(std::vector<i64> shape, const std::vector<float>& v) {
  tensor t(dtype::f32, std::move(shape));
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(v[static_cast<size_t>(i) % v.size()]));
  return t;
}
std::string refused(const recurrence& r, std::vector<tensor> operands) {
  try {
    one_op<recurrence>(r, std::move(operands));
  } catch (const error& e) { return e.what(); }
  return "";
}
}  // namespace

TEST_CASE("one unit of an RNN, step by step") {
  const tensor x = floats({3, 1, 1}, {0.5f, -1, 2}), w = floats({1, 1}, {0.25f}), h0 = floats({1, 1}, {1});
  const auto r = one_op<recurrence>(recurrence{}, {x, w, h0}).evaluated();
  double h = 1;
  for (i64 t = 0; t < 3; ++t) {
    h = std::tanh(x.at_f64(t) + 0.25 * h);
    CHECK(r[0].at_f64(t) == doctest::Approx(h));
  }
  CHECK(r[1].at_f64(0) == doctest::Approx(h));
}

TEST_CASE("the reset gate of a GRU is before the state's product, or behind it") {
  const tensor x = floats({1, 1, 6}, {0.1f, -0.2f, 0.3f, 0.4f, -0.5f, 0.6f}),
               w = floats({2, 6}, {0.5f, 1, -1, 0.25f, 2, -0.5f, 1, 3, 0.75f, -2, 0.1f, 1});
  const tensor h0 = floats({1, 2}, {0.5f, -1}), bias = floats({6}, {0, 0, 0, 0, 0.5f, -0.5f});
  for (const bool last : {false, true}) {
    const auto r = one_op<recurrence>(recurrence{.cell = recurrent_cell::gru, .reset_last = last}, {x, w, h0, {}, bias})
                       .evaluated();
    const auto product = [&](i64 column, double a, double b) {
      return a * w.at_f64(column) + b * w.at_f64(6 + column) + bias.at_f64(column);
    };
    double z[2], s[2];
    for (i64 j = 0; j < 2; ++j) {
      z[j] = sigmoid(x.at_f64(j) + product(j, 0.5, -1));
      s[j] = sigmoid(x.at_f64(2 + j) + product(2 + j, 0.5, -1));
    }
    for (i64 j = 0; j < 2; ++j) {
      const double state = last ? s[j] * product(4 + j, 0.5, -1) : product(4 + j, s[0] * 0.5, s[1] * -1);
      CHECK(r[0].at_f64(j) == doctest::Approx((1 - z[j]) * std::tanh(x.at_f64(4 + j) + state) + z[j] * h0.at_f64(j)));
    }
  }
}

TEST_CASE("gates and peepholes of an LSTM; behind the end of a sequence the state stays") {
  const tensor x = floats({2, 2, 4}, {0.5f, -0.25f, 1, 2}), w = floats({1, 4}, {1, 0.5f, -1, 0.25f}),
               zero = floats({2, 1}, {0});
  const tensor c0 = floats({2, 1}, {0.5f}), peep = floats({3}, {0.1f, 0.2f, 0.3f}),
               lengths = tensor::from<i64>({2}, {1, 2});
  for (const bool reverse : {false, true}) {
    const auto r = one_op<recurrence>(recurrence{.cell = recurrent_cell::lstm, .reverse = reverse},
                                      {x, w, zero, c0, {}, lengths, peep})
                       .evaluated();
    for (i64 b = 0; b < 2; ++b) {
      double h = 0, c = 0.5;
      for (i64 t = 0; t < lengths.at_i64(b);
           ++t) {  // all steps have the same inputs: the direction changes only where they go
        const double i = sigmoid(0.5 + h + 0.1 * c), f = sigmoid(1 - h + 0.3 * c);
        c = f * c + i * std::tanh(2 + 0.25 * h);
        h = sigmoid(-0.25 + 0.5 * h + 0.2 * c) * std::tanh(c);
        const i64 at = reverse ? lengths.at_i64(b) - 1 - t : t;
        CHECK(r[0].at_f64(at * 2 + b) == doctest::Approx(h));
      }
      CHECK(r[1].at_f64(b) == doctest::Approx(h));
      CHECK(r[2].at_f64(b) == doctest::Approx(c));
    }
    CHECK(r[0].at_f64(2) == 0);  // step 1 of the first sequence
  }
}

TEST_CASE("what does not fit is said with its numbers") {
  const tensor x = floats({3, 2, 8}, {1}), w = floats({2, 8}, {1}), h = floats({2, 2}, {1});
  CHECK(refused({.cell = recurrent_cell::lstm}, {x, w, h, h}) == "");
  CHECK(refused({.cell = recurrent_cell::lstm}, {x, w, h}).find("first state of its cells") != std::string::npos);
  CHECK(refused({.cell = recurrent_cell::gru}, {x, w, h}).find("8 of 6") != std::string::npos);
  CHECK(refused({.cell = recurrent_cell::lstm}, {x, w, floats({3, 2}, {1}), h}).find("the batch") != std::string::npos);
  CHECK(refused({.functions = {"tan"}}, {floats({3, 2, 2}, {1}), floats({2, 2}, {1}), h}).find("no function 'tan'") !=
        std::string::npos);
}
