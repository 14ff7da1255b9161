/// @file recurrence.eval.ipp: reference evaluation of recurrent cells.
#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/recurrence.hpp>

namespace tenon::op {
namespace recurrence_detail {

inline double applied(const function& f, double x) {
  if (f.name == "sigmoid") return 1 / (1 + std::exp(-x));
  if (f.name == "tanh") return std::tanh(x);
  if (f.name == "relu") return std::max(x, 0.);
  if (f.name == "affine") return f.alpha * x + f.beta;
  if (f.name == "leaky_relu") return x < 0 ? f.alpha * x : x;
  if (f.name == "thresholded_relu") return x > f.alpha ? x : 0;
  if (f.name == "scaled_tanh") return f.alpha * std::tanh(f.beta * x);
  if (f.name == "hard_sigmoid") return std::min(std::max(f.alpha * x + f.beta, 0.), 1.);
  if (f.name == "elu") return x < 0 ? f.alpha * std::expm1(x) : x;
  if (f.name == "softsign") return x / (1 + std::fabs(x));
  return std::max(x, 0.) + std::log1p(std::exp(-std::fabs(x)));  // softplus
}

/// The state's weight, [hidden, columns], from panels too.
inline tensor plain_weight(const eval_context& cx) {
  const tensor& w = cx.operand(weight);
  if (w.rank() != 3) return w;
  const i64 panels = w.shape()[0], hidden = w.shape()[1], width = w.shape()[2];
  tensor r(w.type(), {hidden, panels * width});
  for (i64 p = 0; p < panels; ++p)
    for (i64 k = 0; k < hidden; ++k)
      for (i64 i = 0; i < width; ++i)
        r.set_f64(k * panels * width + p * width + i, w.at_f64((p * hidden + k) * width + i));
  return r;
}

/// The elements from `begin` on.
inline std::vector<double> numbers(const tensor& t, i64 begin, i64 count) {
  std::vector<double> r(static_cast<size_t>(count));
  visit(t.type(), [&]<class T>(T) {
    const T* from = t.data<T>().data() + begin;
    for (double& v : r) v = static_cast<double>(*from++);
  });
  return r;
}
inline void write(const std::vector<double>& from, tensor& t, i64 begin) {
  visit(t.type(), [&]<class T>(T) {
    T* to = t.data<T>().data() + begin;
    for (double v : from) *to++ = convert_element<T>(v);
  });
}

/// One entry of the batch, from its first state to its last. It computes in double, whatever the tensors are of.
class cell_runner {
 public:
  cell_runner(const recurrence& op, eval_context& cx, i64 hidden)
      : op_(op), hidden_(hidden), columns_(gates_of(op.cell) * hidden), weight_(numbers(plain_weight(cx))),
        bias_(numbers(cx, bias)), peepholes_(numbers(cx, peepholes)),
        rounded_(visit(cx.operand(products).type(), []<class T>(T) -> double (*)(double) {
          return [](double v) { return static_cast<double>(convert_element<T>(v)); };
        })) {
    for (size_t i = 0; i < functions_of(op.cell); ++i) functions_.push_back(function_of(op, i));
  }

  /// The next states, for the products of one step.
  void step(const std::vector<double>& products, std::vector<double>& h, std::vector<double>& c) const {
    const std::vector<double> sums = state_products(h);
    std::vector<double> next = h;
    for (i64 j = 0; j < hidden_; ++j) {
      double& to = next[static_cast<size_t>(j)];
      const auto sum = [&](i64 gate) {
        const size_t at = static_cast<size_t>(gate * hidden_ + j);
        return products[at] + sums[at];
      };
      if (op_.cell == recurrent_cell::simple) {
        to = act(0, sum(0));
      } else if (op_.cell == recurrent_cell::gru) {
        const double z = act(0, sum(0));
        double state = sums[static_cast<size_t>(2 * hidden_ + j)];
        if (op_.reset_last) state *= act(0, sum(1));
        else state = reset_product(products, h, sums, j);
        to = (1 - z) * act(1, products[static_cast<size_t>(2 * hidden_ + j)] + state) + z * to;
      } else {
        double& cell = c[static_cast<size_t>(j)];
        const auto peep = [&](i64 k, double at) {
          return peepholes_.empty() ? 0 : peepholes_[static_cast<size_t>(k * hidden_ + j)] * at;
        };
        const double i = act(0, sum(0) + peep(0, cell));
        const double f = op_.coupled ? 1 - i : act(0, sum(2) + peep(2, cell));
        cell = rounded(f * cell + i * act(1, sum(3)));
        to = act(0, sum(1) + peep(1, cell)) * act(2, cell);
      }
      to = rounded(to);
    }
    h = next;
  }

 private:
  static std::vector<double> numbers(const tensor& t) { return recurrence_detail::numbers(t, 0, t.size()); }
  static std::vector<double> numbers(const eval_context& cx, int i) {
    return cx.has(i) ? numbers(cx.operand(i)) : std::vector<double>{};
  }
  /// States are kept in the type of the tensors.
  double rounded(double v) const { return rounded_(v); }
  double act(size_t function, double x) const {
    if (op_.clip > 0)
      x = function == 2 && op_.cell == recurrent_cell::lstm ? x : std::min(std::max(x, -op_.clip), op_.clip);
    return applied(functions_[function], x);
  }
  std::vector<double> state_products(const std::vector<double>& h) const {
    std::vector<double> sums(static_cast<size_t>(columns_), 0);
    for (size_t k = 0; k < h.size(); ++k)
      for (size_t n = 0; n < sums.size(); ++n) sums[n] += h[k] * weight_[k * sums.size() + n];
    for (size_t n = 0; n < bias_.size(); ++n) sums[n] += bias_[n];
    return sums;
  }
  /// (r * h) times column j of the hidden gate's weight.
  double reset_product(const std::vector<double>& products, const std::vector<double>& h,
                       const std::vector<double>& sums, i64 j) const {
    const size_t column = static_cast<size_t>(2 * hidden_ + j);
    double s = bias_.empty() ? 0 : bias_[column];
    for (size_t k = 0; k < h.size(); ++k) {
      const size_t gate = static_cast<size_t>(hidden_) + k;
      s += rounded(act(0, products[gate] + sums[gate]) * h[k]) * weight_[k * static_cast<size_t>(columns_) + column];
    }
    return s;
  }

  const recurrence& op_;
  i64 hidden_, columns_;
  std::vector<double> weight_, bias_, peepholes_;
  double (*rounded_)(double);
  std::vector<function> functions_;
};

}  // namespace recurrence_detail

void evaluate(const recurrence& op, eval_context& cx) {
  namespace d = recurrence_detail;
  const tensor &x = cx.operand(d::products), &h0 = cx.operand(d::first_h);
  if (x.rank() != 3 || h0.rank() != 2) cx.fail("products " + x.describe() + " and a first state " + h0.describe());
  const i64 steps = x.shape()[0], batch = x.shape()[1], hidden = h0.shape()[1], columns = d::gates_of(op.cell) * hidden;
  const bool has_cell = op.cell == recurrent_cell::lstm;
  const auto expect = [&](int i, const std::vector<i64>& shape) {
    if (cx.has(i) && cx.operand(i).shape() != shape)
      cx.fail("operand " + std::to_string(i) + " is " + cx.operand(i).describe());
  };
  expect(d::products, {steps, batch, columns}), expect(d::first_h, {batch, hidden});
  if (d::plain_weight(cx).shape() != std::vector<i64>{hidden, columns})
    cx.fail("the weight is " + cx.operand(d::weight).describe());
  expect(d::first_c, {batch, hidden}), expect(d::bias, {columns}), expect(d::lengths, {batch}),
      expect(d::peepholes, {3 * hidden});
  if (has_cell != cx.has(d::first_c)) cx.fail("the first state of the cells is for an LSTM");
  tensor y(x.type(), {steps, batch, hidden}), h = h0.clone(), c = has_cell ? cx.operand(d::first_c).clone() : tensor();
  const d::cell_runner cell(op, cx, hidden);
  for (i64 b = 0; b < batch; ++b) {
    std::vector<double> state = d::numbers(h0, b * hidden, hidden), memory;
    if (has_cell) memory = d::numbers(c, b * hidden, hidden);
    const i64 length = cx.has(d::lengths) ? cx.operand(d::lengths).at_i64(b) : steps;
    for (i64 n = 0; n < steps; ++n) {
      const i64 t = op.reverse ? steps - 1 - n : n;
      if (t >= length) continue;  // y is 0 there
      cell.step(d::numbers(x, (t * batch + b) * columns, columns), state, memory);
      d::write(state, y, (t * batch + b) * hidden);
    }
    d::write(state, h, b * hidden);
    if (has_cell) d::write(memory, c, b * hidden);
  }
  cx.result(0, std::move(y)), cx.result(1, std::move(h));
  if (has_cell) cx.result(2, std::move(c));
}

}  // namespace tenon::op
