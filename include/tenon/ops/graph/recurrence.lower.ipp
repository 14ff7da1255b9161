/// @file recurrence.lower.ipp: loop nests of recurrent cells.
///
/// for each step, in order: sums = h * weight (a contraction), then the gates and the new states, unit by unit. The
/// states are the results themselves. Extents of steps and batch may be symbols.
#pragma once

#include <tuple>
#include <utility>

#include <tenon/ops/graph/recurrence.hpp>
#include <tenon/ops/graph/window_lowering.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {
namespace recurrence_detail {

inline value_id applied(ir::loop_builder& b, const function& f, value_id x) {
  const dtype t = b.type_of(x);
  const auto number = [&](double v) { return b.real(t, v); };
  const auto call = [&](scalar_fn fn, value_id v) { return b.apply(fn, {v}); };
  const auto less = [&](value_id u, value_id v) { return b.apply(scalar_fn::lt, {u, v}); };
  if (f.name == "sigmoid") return call(scalar_fn::sigmoid, x);
  if (f.name == "tanh") return call(scalar_fn::tanh, x);
  if (f.name == "relu") return b.max(x, number(0));
  if (f.name == "affine") return b.add(b.mul(x, number(f.alpha)), number(f.beta));
  if (f.name == "leaky_relu") return b.select(less(x, number(0)), b.mul(x, number(f.alpha)), x);
  if (f.name == "thresholded_relu") return b.select(less(number(f.alpha), x), x, number(0));
  if (f.name == "scaled_tanh") return b.mul(call(scalar_fn::tanh, b.mul(x, number(f.beta))), number(f.alpha));
  if (f.name == "hard_sigmoid")
    return b.min(b.max(b.add(b.mul(x, number(f.alpha)), number(f.beta)), number(0)), number(1));
  if (f.name == "elu")
    return b.select(less(x, number(0)), b.mul(call(scalar_fn::expm1, b.min(x, number(0))), number(f.alpha)), x);
  if (f.name == "softsign") return b.div(x, b.add(call(scalar_fn::abs, x), number(1)));
  return b.add(b.max(x, number(0)),
               call(scalar_fn::log1p, call(scalar_fn::exp, b.apply(scalar_fn::neg, {call(scalar_fn::abs, x)}))));
}

class recurrence_writer {
 public:
  recurrence_writer(const recurrence& op, lower_context& cx)
      : op_(op), cx_(cx), b_(cx.b()), elem_(cx.operand_type(products).elem), sum_(sum_type(elem_)) {
    const ir::type y = cx.result_type(0), w = cx.operand_type(weight);
    if (!w.is_static()) cx.fail("the number of hidden units is not known");
    if (w.rank() == 3) panel_ = w.shape[2].extent();
    hidden_ = w.shape[panel_ > 0 ? 1 : 0].extent();
    steps_ = cx.extent(y.shape[0]), batch_ = cx.extent(y.shape[1]);
    weight_ = cx.buffer(weight);
    h_ = cx.result_buffer(1);
    if (op.cell == recurrent_cell::lstm) c_ = cx.result_buffer(2);
    sums_ = cx.scratch(sum_, {y.shape[1], gates_of(op.cell) * hidden_});
    if (resets_state()) reset_ = cx.scratch(elem_, {y.shape[1], hidden_});
  }

  void write() {
    const index_list states{batch_, hidden_};
    b_.nest(states, [&](const index_list& at) { b_.store(cx_.load(first_h, at), h_, at); });
    if (c_) b_.nest(states, [&](const index_list& at) { b_.store(cx_.load(first_c, at), c_, at); });
    b_.for_(0, steps_, [&](const index_expr& n) { step(op_.reverse ? steps_ - 1 - n : n); }, {.independent = false});
  }

 private:
  bool resets_state() const { return op_.cell == recurrent_cell::gru && !op_.reset_last; }

  void step(const index_expr& t) {
    const i64 columns = gates_of(op_.cell) * hidden_;
    if (resets_state()) {
      multiply(h_, 0, 2 * hidden_);
      b_.nest({batch_, hidden_}, [&](const index_list& at) {
        const value_id h = b_.convert(b_.load(h_, at), sum_);
        b_.store(b_.convert(b_.mul(gate(t, at, 1), h), elem_), reset_, at);
      });
      multiply(reset_, 2 * hidden_, columns);
    } else {
      multiply(h_, 0, columns);
    }
    b_.nest({batch_, hidden_}, [&](const index_list& at) {
      const value_id old = b_.convert(b_.load(h_, at), sum_);
      value_id h, c, old_c;
      if (op_.cell == recurrent_cell::simple) {
        h = gate(t, at, 0);
      } else if (op_.cell == recurrent_cell::gru) {
        h = next_of_gru(t, at, old);
      } else {
        old_c = b_.convert(b_.load(c_, at), sum_);
        std::tie(h, c) = next_of_lstm(t, at, old_c);
      }
      finish(t, at, h, old, c, old_c);
    });
  }

  /// sums[:, first .. last) = state * weight[:, first .. last) + bias.
  void multiply(value_id state, i64 first, i64 last) {
    detail::for_blocks(b_, last - first, panel_ > 0 ? panel_ : width,
                       [&](const index_expr& block, const index_expr& from, const index_expr& count) {
                         const index_expr start = from + first, panel = block + (panel_ > 0 ? first / panel_ : 0);
                         b_.contract(
                             {state, weight_, {batch_}, {hidden_}, count, sum_},
                             [](const index_list& m, const index_list& k) { return index_list{m[0], k[0]}; },
                             [&](const index_expr& n, const index_list& k) {
                               return panel_ > 0 ? index_list{panel, k[0], n} : index_list{k[0], start + n};
                             },
                             [&](value_id acc, const index_list& m, const index_expr& n) {
                               if (cx_.has(bias)) acc = b_.add(acc, b_.convert(cx_.load(bias, {start + n}), sum_));
                               b_.store(acc, sums_, {m[0], start + n});
                             });
                       });
  }

  value_id input(const index_expr& t, const index_list& at, i64 g) {
    return b_.convert(cx_.load(products, {t, at[0], at[1] + g * hidden_}), sum_);
  }
  value_id state_sum(const index_list& at, i64 g) { return b_.load(sums_, {at[0], at[1] + g * hidden_}); }
  value_id act(size_t f, value_id x) {
    if (op_.clip > 0) x = b_.min(b_.max(x, b_.real(sum_, -op_.clip)), b_.real(sum_, op_.clip));
    return applied(b_, function_of(op_, f), x);
  }
  value_id gate(const index_expr& t, const index_list& at, i64 g, size_t f = 0) {
    return act(f, b_.add(input(t, at, g), state_sum(at, g)));
  }

  value_id next_of_gru(const index_expr& t, const index_list& at, value_id old) {
    const value_id z = gate(t, at, 0);
    value_id state = state_sum(at, 2);
    if (op_.reset_last) state = b_.mul(gate(t, at, 1), state);
    const value_id h = act(1, b_.add(input(t, at, 2), state));
    return b_.add(b_.mul(b_.sub(b_.real(sum_, 1), z), h), b_.mul(z, old));
  }

  std::pair<value_id, value_id> next_of_lstm(const index_expr& t, const index_list& at, value_id old_c) {
    const auto open = [&](i64 g, i64 peep, value_id c) {
      value_id sum = b_.add(input(t, at, g), state_sum(at, g));
      if (cx_.has(peepholes))
        sum = b_.add(sum, b_.mul(b_.convert(cx_.load(peepholes, {at[1] + peep * hidden_}), sum_), c));
      return act(0, sum);
    };
    const value_id i = open(0, 0, old_c);
    const value_id f = op_.coupled ? b_.sub(b_.real(sum_, 1), i) : open(2, 2, old_c);
    const value_id wide = b_.add(b_.mul(f, old_c), b_.mul(i, gate(t, at, 3, 1)));
    const value_id c = b_.convert(b_.convert(wide, elem_), sum_);  // a state is what the type of the tensors holds
    return {b_.mul(open(1, 1, c), applied(b_, function_of(op_, 2), c)), c};
  }

  /// Where a sequence has ended, the result is 0 and the states stay.
  void finish(const index_expr& t, const index_list& at, value_id h, value_id old, value_id c, value_id old_c) {
    value_id y = h;
    if (cx_.has(lengths)) {
      const value_id length = b_.convert(cx_.load(lengths, {at[0]}), dtype::i64),
                     place = b_.convert(b_.index(t), dtype::i64);
      const value_id goes_on = b_.apply(scalar_fn::lt, {place, length});
      y = b_.select(goes_on, h, b_.real(sum_, 0));
      h = b_.select(goes_on, h, old);
      if (c) c = b_.select(goes_on, c, old_c);
    }
    b_.store(b_.convert(h, elem_), h_, at);
    if (c) b_.store(b_.convert(c, elem_), c_, at);
    cx_.store(b_.convert(y, elem_), 0, {t, at[0], at[1]});
  }

  /// How many columns of the weight one contraction takes.
  static constexpr i64 width = 64;
  const recurrence& op_;
  lower_context& cx_;
  ir::loop_builder& b_;
  dtype elem_, sum_;
  i64 hidden_ = 0, panel_ = 0;
  index_expr steps_, batch_;
  value_id weight_, h_, c_, sums_, reset_;
};

}  // namespace recurrence_detail

void lower(const recurrence& op, lower_context& cx) { recurrence_detail::recurrence_writer(op, cx).write(); }

}  // namespace tenon::op
