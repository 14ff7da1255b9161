/// @file recurrence.ipp: the type rule and packed weights of ops/graph/recurrence.hpp.
#pragma once

#include <algorithm>

#include <tenon/ops/graph/recurrence.hpp>
#include <tenon/ops/weight_panels.hpp>

namespace tenon::op {

void infer(const recurrence& op, ir::infer_context& cx) {
  namespace d = recurrence_detail;
  const ir::type x = cx.operand(d::products), w = cx.operand(d::weight), h = cx.operand(d::first_h);
  const bool has_cell = op.cell == recurrent_cell::lstm;
  if (!x.is_tensor() || !is_float(x.elem)) cx.fail("the products are not a tensor of a float type");
  if (has_cell != cx.has(d::first_c))
    cx.fail(has_cell ? "an LSTM needs the first state of its cells" : "only an LSTM has cells");
  if (cx.has(d::peepholes) && !has_cell) cx.fail("only an LSTM has peepholes");
  const size_t functions = d::functions_of(op.cell);
  if (!op.functions.empty() && op.functions.size() != functions)
    cx.fail(std::to_string(op.functions.size()) + " functions are given, not " + std::to_string(functions));
  for (const std::string& f : op.functions)
    if (std::find(recurrent_functions.begin(), recurrent_functions.end(), f) == recurrent_functions.end())
      cx.fail("there is no function '" + f + "'");
  for (const auto* list : {&op.alphas, &op.betas})
    if (!list->empty() && list->size() != op.functions.size())
      cx.fail(std::to_string(list->size()) + " parameters for " + std::to_string(op.functions.size()) + " functions");
  for (int i = 0; i < cx.operand_count(); ++i)
    if (cx.has(i) && i != d::lengths && cx.operand(i).elem != x.elem)
      cx.fail("operand " + std::to_string(i) + " is of " + std::string(name_of(cx.operand(i).elem)) +
              ", the products of " + std::string(name_of(x.elem)));
  if (cx.has(d::lengths) && !is_int(cx.operand(d::lengths).elem)) cx.fail("the lengths are not integers");
  const auto expect_rank = [&](int i, int rank) {
    if (cx.has(i) && cx.operand(i).ranked && cx.operand(i).rank() != rank)
      cx.fail("operand " + std::to_string(i) + " has " + std::to_string(cx.operand(i).rank()) + " dimensions, not " +
              std::to_string(rank));
  };
  const bool packed = w.ranked && w.rank() == 3;
  const int ranks[] = {3, packed ? 3 : 2, 2, 2, 1, 1, 1};
  for (int i = 0; i < 7; ++i) expect_rank(i, ranks[i]);

  ir::dim steps, batch, hidden;
  // Two statements about one extent: numbers that differ are an error, of symbols a program asks before it runs.
  const auto agree = [&](ir::dim& known, ir::dim given, i64 times, const char* what) {
    if (!given.is_static()) {
      if (times == 1) known = cx.same(known, given);
      else if (!known.is_unknown() && !given.is_unknown()) cx.same(given, cx.product(known, times));
      return;
    }
    if (given.extent() % times != 0 || (known.is_static() && known.extent() * times != given.extent()))
      cx.fail(std::string(what) + " do not fit: " + std::to_string(given.extent()) + " of " +
              (known.is_static() ? std::to_string(known.extent() * times) : "a multiple of " + std::to_string(times)));
    known = known.is_static() ? known : times == 1 ? cx.same(known, given) : given.extent() / times;
  };
  const i64 gates = d::gates_of(op.cell);
  if (packed) {
    if (!w.is_static() || w.shape[2].extent() == 0 || w.shape[1].extent() % w.shape[2].extent() != 0)
      cx.fail("the panels of the state's weight do not divide its hidden units");
    agree(hidden, w.shape[1], 1, "the state's weight and hidden units");
    agree(hidden, w.shape[0].extent() * w.shape[2].extent(), gates, "the state's weight and gates");
  } else if (w.ranked) {
    agree(hidden, w.shape[0], 1, "the state's weight and hidden units");
    agree(hidden, w.shape[1], gates, "the state's weight and gates");
  }
  if (x.ranked) {
    steps = x.shape[0], batch = x.shape[1];
    agree(hidden, x.shape[2], gates, "the products and gates");
  }
  for (int i : {static_cast<int>(d::first_h), static_cast<int>(d::first_c)})
    if (cx.has(i) && cx.operand(i).ranked) {
      agree(batch, cx.operand(i).shape[0], 1, "the first state and the batch");
      agree(hidden, cx.operand(i).shape[1], 1, "the first state and hidden units");
    }
  if (cx.has(d::bias) && cx.operand(d::bias).ranked)
    agree(hidden, cx.operand(d::bias).shape[0], gates, "the bias and gates");
  if (cx.has(d::lengths) && cx.operand(d::lengths).ranked)
    agree(batch, cx.operand(d::lengths).shape[0], 1, "the lengths and the batch");
  if (cx.has(d::peepholes) && cx.operand(d::peepholes).ranked)
    agree(hidden, cx.operand(d::peepholes).shape[0], 3, "the peepholes and gates");
  cx.result(ir::type::tensor(x.elem, {steps, batch, hidden}));
  cx.result(ir::type::tensor(x.elem, {batch, hidden}));
  if (has_cell) cx.result(ir::type::tensor(x.elem, {batch, hidden}));
}

bool use_panels(recurrence&, weight_panels& w) {
  constexpr int weight = recurrence_detail::weight;
  const ir::type& t = w.operand_type(weight);
  if (!t.is_static() || t.rank() != 2) return false;
  const i64 panel = w.width_that_divides(t.elem, t.shape[0].extent());
  panel > 0 ? w.pack(weight, panel) : w.compute(weight);
  return panel > 0;
}

}  // namespace tenon::op
