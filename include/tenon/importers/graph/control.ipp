/// @file control.ipp: functions and control flow of importers/graph/graph.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <tenon/importers/graph/graph.hpp>
#include <tenon/importers/graph/operators.hpp>
#include <tenon/ir/called_extents.hpp>
#include <tenon/ir/condition_scope.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/control.hpp>
#include <tenon/ops/graph/dataflow.hpp>
#include <tenon/ops/graph/movement.hpp>

namespace tenon::nn {

// -- bodies -----------------------------------------------------------------------------------------------------------

graph::region_writing::~region_writing() {
  if (!op_ || done_) return;
  end();
  graph_.to_.mod().erase(op_);
}
void graph::region_writing::begin(op_id op) {
  op_ = op;
  graph_.to_.to_end(graph_.to_.mod().region(op, 0));
}
std::vector<variable> graph::region_writing::results() {
  ir::refine_op(graph_.to_.mod(), op_);
  done_ = true;
  return graph_.values(graph_.to_.mod().results(op_));
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

// -- loops ------------------------------------------------------------------------------------------------------------

graph::looping::looping(graph& g, const operand* trips, const std::optional<variable>& begins,
                        const std::vector<variable>& state, size_t stacked, const location& at)
    : region_writing(g, at), carried_(state.size()) {
  ir::module& m = g.to_.mod();
  std::vector<value_id> operands(2);
  if (trips) {
    if (trips->is_number() && trips->number() != std::floor(trips->number()))
      throw error("graph.repeat", "a loop of " + std::to_string(trips->number()) + " runs", g.place(at_));
    const variable n = trips->is_number() ? g.number_as(dtype::i64, *trips) : trips->get();
    operands[0] = g.own(n, at_);
  }
  if (begins) operands[1] = g.own(*begins, at_);
  g.stand_at(at_);
  std::vector<type_id> types;
  for (const variable& v : state) operands.push_back(g.own(v, at_)), types.push_back(m[v.id()].type);
  std::vector<type_id> results = types;
  results.resize(types.size() + stacked, m.intern(ir::type{}));
  const op::repeat op;
  begin(g.to_.make_erased(ir::info_of<op::repeat>, &op, operands, results, 1));
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
void graph::looping::write(const std::optional<variable>& goes_on, const std::vector<variable>& state,
                           const std::vector<variable>& parts) {
  ir::module& m = graph_.to_.mod();
  const auto arguments = m[m.region(op_, 0)].arguments;
  for (size_t i = 0; i < carried_; ++i)
    if (m[graph_.own(state[i], at_)].type != m[arguments[i + 2]].type) {
      const ir::type before = m.type_of(arguments[i + 2]), after = state[i].type();
      const bool other_extents = before.elem == after.elem && before.rank() == after.rank();
      throw error("graph.repeat",
                  "value " + std::to_string(i) + " of the state is " + graph_.text(before) + " before a run and " +
                      graph_.text(after) + " after it",
                  graph_.place(at_),
                  other_extents ? "a state keeps its extents: let scan stack what each run adds, or let the body write "
                                  "into a tensor that is as long as all of it"
                                : "let the body keep the types of its state");
    }
  std::vector<variable> all{goes_on ? *goes_on : variable(graph_, arguments[1])};
  all.insert(all.end(), state.begin(), state.end());
  all.insert(all.end(), parts.begin(), parts.end());
  graph_.yield(all, at_);
  end();
}

/// How many parts there are; the tensors must agree in that.
variable graph::slicing::length(graph& g, const std::vector<variable>& parts, scanning how, const location& at) {
  std::optional<ir::dim> length;
  for (const variable& v : parts) {
    const ir::type& t = v.type();
    const i64 rank = t.rank(), axis = how.axis;
    if (!t.is_tensor() || !t.ranked || axis < -rank || axis >= rank)
      throw error("graph.scan",
                  "a tensor of " + g.text(t) + " has no axis " + std::to_string(axis) + " to be scanned along",
                  g.place(at));
    const ir::dim d = t.shape[static_cast<size_t>(axis < 0 ? axis + rank : axis)];
    const auto both = length ? g.same(*length, d, at) : d;
    if (!both)
      throw error("graph.scan",
                  "tensors of " + std::to_string(length->extent()) + " and " + std::to_string(d.extent()) +
                      " parts are scanned together",
                  g.place(at), "all need as many");
    length = both;
  }
  if (parts.empty()) throw error("graph.scan", "nothing is scanned", g.place(at), "give at least one tensor");
  return extent_of(operand(parts.front(), at), how.axis);
}
graph::slicing::slicing(graph& g, const std::vector<variable>& parts, const std::vector<variable>& state,
                        size_t stacked, scanning how, const location& at)
    : slicing(g, length(g, parts, how, at), parts, state, stacked, how, at) {}
graph::slicing::slicing(graph& g, const variable& length, const std::vector<variable>& parts,
                        const std::vector<variable>& state, size_t stacked, scanning how, const location& at)
    : looping(g, std::array{operand(length, at)}.data(), std::nullopt, state, stacked, at), how_(how) {
  const variable i = how.reverse ? sub(sub(operand(length, at), operand(1, at)), count()) : count();
  for (const variable& v : parts) inside_.push_back(gather(operand(v, at), i, how.axis));
}
void graph::slicing::write(const std::vector<variable>& state, const std::vector<variable>& parts) {
  for (const variable& v : parts)
    if (const i64 rank = v.rank(); how_.axis < -rank - 1 || how_.axis > rank)
      throw error(
          "graph.scan",
          "what is stacked along axis " + std::to_string(how_.axis) + " has " + std::to_string(rank) + " dimensions",
          graph_.place(at_));
  looping::write(std::nullopt, state, parts);
}
std::vector<variable> graph::slicing::results() {
  std::vector<variable> all = looping::results();
  for (size_t k = carried_; k < all.size(); ++k) {  // stacked along a new first dimension, in the order of the runs
    if (how_.reverse) all[k] = slice(operand(all[k], at_), 0, -1, INT64_MIN, -1);
    std::vector<i64> order(static_cast<size_t>(all[k].rank()));
    std::iota(order.begin(), order.end(), i64{0});
    const i64 axis = how_.axis < 0 ? how_.axis + all[k].rank() : how_.axis;
    if (axis == 0) continue;
    std::rotate(order.begin(), order.begin() + 1, order.begin() + axis + 1);
    all[k] = transpose(operand(all[k], at_), order);
  }
  return all;
}

// -- functions --------------------------------------------------------------------------------------------------------

graph::defining::defining(graph& g, const std::string& name, std::span<const parameter_type> parameters,
                          const location& at)
    : graph_(g), at_(at), outer_(g.to_), outer_caller_(g.caller_) {
  g.require_open();
  ir::module& m = g.to_.mod();
  if (name.empty() || m.find_function(name))
    throw error("graph.name", name.empty() ? "a function needs a name" : "there is a function '" + name + "' already",
                g.place(at), "give each a name of its own");
  function_ = m.add_function(name, ir::function_kind::graph, {});
  try {
    for (const parameter_type& p : parameters) g.add_argument(function_, "a parameter", p, at);
  } catch (...) {
    m.erase_function(function_);
    throw;
  }
  g.to_.to_end(m[function_].body);
  g.scopes_.push_back(name);
  g.writing_.push_back(function_);
  g.caller_.reset();  // a layer may define a function: its ops have lines of their own
}
graph::defining::~defining() {
  graph_.to_ = outer_;
  graph_.caller_ = outer_caller_;
  graph_.scopes_.pop_back();
  graph_.writing_.pop_back();
  if (!done_) graph_.to_.mod().erase_function(function_);
}
std::vector<variable> graph::defining::arguments() const {
  const ir::module& m = graph_.to_.mod();
  return graph_.values(m[m[function_].body].arguments);
}
void graph::defining::write(const std::vector<variable>& results) {
  ir::module& m = graph_.to_.mod();
  std::vector<value_id> ids;
  for (const variable& v : results) ids.push_back(graph_.own(v, at_));
  graph_.stand_at(at_);
  const op::return_ end;
  graph_.to_.make_erased(ir::info_of<op::return_>, &end, ids, {}, 0);
  for (const value_id v : ids) m[function_].result_types.push_back(m[v].type);
  done_ = true;
}

std::optional<ir::dim> graph::same(ir::dim a, ir::dim b, const location& at) {
  if (a == b || b.is_unknown()) return a;
  if (a.is_unknown()) return b;
  if (a.is_static() && b.is_static()) return std::nullopt;
  ir::module& m = to_.mod();
  stand_at(at);
  const ir::condition_scope scope(m, to_.region());
  return ir::infer_context(m, ir::info_of<op::call>, {}, {}, to_.location()).same(a, b);
}

bool graph::divides(i64 n, ir::dim d, const location& at) {
  stand_at(at);
  const ir::condition_scope scope(to_.mod(), to_.region());
  return ir::require_multiple(to_.mod(), d, n);
}

std::vector<variable> graph::call(const std::string& name, const std::vector<operand>& operands, location at) {
  ir::module& m = to_.mod();
  const function_id f = m.find_function(name);
  if (!f) throw error("graph.function", "there is no function '" + name + "'", place(at), "define it before its calls");
  if (f == main_ || std::find(writing_.begin(), writing_.end(), f) != writing_.end())
    throw error("graph.recursion", "function '" + name + "' calls itself", place(at),
                "a function calls functions that are written before it; what runs again and again is a loop");
  const std::vector<value_id> parameters = m[m[f].body].arguments;
  if (parameters.size() != operands.size())
    throw error("graph.call",
                "function '" + name + "' takes " + std::to_string(parameters.size()) + " tensors, and is given " +
                    std::to_string(operands.size()),
                place(at));
  std::vector<value_id> given;
  std::map<std::string, ir::dim, std::less<>> extents;
  for (size_t i = 0; i < operands.size(); ++i) {
    const ir::type said = m.type_of(parameters[i]);
    const variable v = operands[i].is_number() ? number_as(said.elem, operands[i]) : operands[i].get();
    const ir::type is = v.type();
    const auto refuse = [&](const std::string& why) {
      throw error("graph.call",
                  "parameter '" + m[f].argument_names[i] + "' of function '" + name + "' is " + text(said) +
                      ", and is given " + text(is) + why,
                  place(at));
    };
    if (!is.is_tensor() || is.elem != said.elem || (is.ranked && is.rank() != said.rank())) refuse("");
    for (size_t d = 0; d < said.shape.size() && is.ranked; ++d) {
      if (said.shape[d].is_static()) {
        if (!same(is.shape[d], said.shape[d], at)) refuse("");
        continue;
      }
      const std::string& symbol = m.name(said.shape[d].symbol());
      const auto known = extents.try_emplace(symbol, is.shape[d]).first;
      const auto both = same(known->second, is.shape[d], at);
      if (!both) refuse(", where '" + symbol + "' is " + std::to_string(known->second.extent()) + " already");
      known->second = *both;
    }
    given.push_back(own(v, at));
  }
  const ir::called_extents here(m, m[f].body, given);
  std::vector<type_id> results;
  const std::vector<value_id> returned = m.operands(m.terminator(m[f].body));
  for (const value_id v : returned) results.push_back(here.at_call(m, m[v].type));
  stand_at(at);
  const op::call op{{name}};
  return values(m.results(to_.make_erased(ir::info_of<op::call>, &op, given, results, 0)));
}

}  // namespace tenon::nn
