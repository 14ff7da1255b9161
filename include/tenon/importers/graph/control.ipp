/// @file control.ipp: control flow of importers/graph/graph.hpp.
#pragma once

#include <tenon/importers/graph/graph.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ops/graph/control.hpp>
#include <tenon/ops/graph/dataflow.hpp>

namespace tenon::nn {

graph::region_writing::~region_writing() {
  if (!op_ || ended_) return;
  graph_.to_ = outer_;
  graph_.to_.mod().erase(op_);
}
void graph::region_writing::begin(op_id op) {
  op_ = op, outer_ = graph_.to_;
  graph_.to_.to_end(graph_.to_.mod().region(op, 0));
}
void graph::region_writing::end() {
  graph_.to_ = outer_;
  ended_ = true;
}

graph::branching::branching(graph& g, const operand& condition, size_t results) : region_writing(g, condition.at()) {
  if (condition.is_number()) throw error("graph.number", "a condition is a tensor of one bool", g.place(at_));
  g.stand_at(at_);
  const op::if_else op;
  const std::vector<type_id> types(results, g.to_.mod().intern(ir::type{}));
  const value_id c = g.own(condition.get(), at_);
  begin(g.to_.make_erased(ir::info_of<op::if_else>, &op, {&c, 1}, types, 2));
}
void graph::branching::write(int branch, const std::vector<variable>& results) {
  graph_.yield(results, at_);
  if (branch == 0) return graph_.to_.to_end(graph_.to_.mod().region(op_, 1));
  end();
}
std::vector<variable> graph::branching::results() {
  ir::refine_op(graph_.to_.mod(), op_);
  return graph_.values(graph_.to_.mod().results(op_));
}

graph::flowing::flowing(graph& g, const location& at, size_t results) : region_writing(g, at) {
  g.stand_at(at_);
  const op::dataflow op;
  const std::vector<type_id> types(results, g.to_.mod().intern(ir::type{}));
  begin(g.to_.make_erased(ir::info_of<op::dataflow>, &op, {}, types, 1));
}
void graph::flowing::write(const std::vector<variable>& results) {
  graph_.yield(results, at_);
  end();
}
std::vector<variable> graph::flowing::results() {
  ir::refine_op(graph_.to_.mod(), op_);
  return graph_.values(graph_.to_.mod().results(op_));
}

graph::looping::looping(graph& g, const operand& trips, const std::vector<variable>& state)
    : region_writing(g, trips.at()), carried_(state.size()) {
  ir::module& m = g.to_.mod();
  const variable n =
      trips.is_number() ? g.constant(tensor::scalar(static_cast<i64>(trips.number())), {}, at_) : trips.get();
  g.stand_at(at_);
  std::vector<value_id> operands{g.own(n, at_), value_id{}};
  std::vector<type_id> types;
  for (const variable& v : state) operands.push_back(g.own(v, at_)), types.push_back(m[v.id()].type);
  const op::repeat op;
  begin(g.to_.make_erased(ir::info_of<op::repeat>, &op, operands, types, 1));
  const region_id body = m.region(op_, 0);
  m.add_argument(body, m.intern(ir::type::tensor(dtype::i64, {})));
  m.add_argument(body, m.intern(ir::type::tensor(dtype::boolean, {})));
  for (const type_id t : types) m.add_argument(body, t);
}
variable graph::looping::count() const {
  const ir::module& m = graph_.to_.mod();
  return variable(graph_, m[m.region(op_, 0)].arguments[0]);
}
std::vector<variable> graph::looping::state() const {
  const ir::module& m = graph_.to_.mod();
  const auto& arguments = m[m.region(op_, 0)].arguments;
  return graph_.values({arguments.begin() + 2, arguments.end()});
}
void graph::looping::write(const std::vector<variable>& state) {
  ir::module& m = graph_.to_.mod();
  const auto arguments = m[m.region(op_, 0)].arguments;
  for (size_t i = 0; i < carried_; ++i)
    if (m[graph_.own(state[i], at_)].type != m[arguments[i + 2]].type)
      throw error("graph.repeat",
                  "value " + std::to_string(i) + " of the state is " + ir::extents_text(m.type_of(arguments[i + 2])) +
                      " before a run and " + ir::extents_text(state[i].type()) + " after it, or of another type",
                  graph_.place(at_), "let the body keep the types of its state");
  std::vector<variable> all{variable(graph_, arguments[1])};  // goes on
  all.insert(all.end(), state.begin(), state.end());
  graph_.yield(all, at_);
  end();
}
std::vector<variable> graph::looping::results() {
  ir::refine_op(graph_.to_.mod(), op_);
  return graph_.values(graph_.to_.mod().results(op_));
}

}  // namespace tenon::nn
