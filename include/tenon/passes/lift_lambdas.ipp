/// @file lift_lambdas.ipp: definition of passes/lift_lambdas.hpp.
#pragma once

#include <algorithm>
#include <unordered_map>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/references.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/passes/inlining.hpp>
#include <tenon/passes/lift_lambdas.hpp>

namespace tenon::passes {
namespace lambdas {

class lifter {
 public:
  explicit lifter(ir::module& m) : m_(m) {}

  void run() {
    while (step()) {}
    for (function_id f : m_.functions())
      if (m_[f].here(ir::function_kind::graph) && !m_[f].entry && takes_functions(f) && !is_called(f))
        m_.erase_function(f);
    ir::for_each_op(m_, ir::function_kind::graph, [&](op_id op) {
      const ir::op_view v = m_.view(op);
      if (v.is<op::closure>() || v.is<op::call_closure>())
        throw error("passes.lift_lambdas",
                    std::string(v.name()) +
                        ": a function that is a result, an input, or an operand of another op than a "
                        "call cannot be compiled",
                    m_.text(v.location()), "call it where it is made");
    });
  }

 private:
  static constexpr size_t most_copies = 100000;

  /// Handles everything that can be handled now; false when there was nothing.
  bool step() {
    bool changed = false;
    ir::for_each_op(m_, ir::function_kind::graph, [&](op_id op) {
      const ir::op_view v = m_.view(op);
      if (v.is<op::closure>() && !m_.has_uses(v.result())) {
        m_.erase(op);
        changed = true;
      } else if (v.is<op::call_closure>()) {
        const op_id made = m_[v.operand(0)].definition;
        if (made && m_[made].info == &ir::info_of<op::closure>) call(op, made), changed = true;
      } else if (v.is<op::call>() && has_function_operand(op)) {
        const function_id callee = m_.find_function(v.as<op::call>().callee.name);
        if (!callee) return;
        count_copy(op);
        inline_body(m_, op, m_[callee].body, m_.operands(op));
        changed = true;
      }
    });
    return changed;
  }

  void call(op_id op, op_id made) {
    const region_id body = m_.region(made);
    std::vector<value_id> given = m_.operands(op);
    given.erase(given.begin());
    const std::vector<value_id> captures = m_.operands(made);
    // A body may name its captures as leading arguments, or use the surrounding values themselves.
    if (m_[body].arguments.size() == given.size() + captures.size())
      given.insert(given.begin(), captures.begin(), captures.end());
    if (m_[body].arguments.size() != given.size())
      throw error("passes.lift_lambdas",
                  "call_closure: the closure takes " + std::to_string(m_[body].arguments.size()) +
                      " arguments and is given " + std::to_string(given.size()),
                  m_.text(m_[op].location));
    const std::vector<value_id> free = free_values(body);
    const bool only_call = m_.use_count(m_.result(made)) == 1 && !lifted_.contains(made.index);
    if (only_call || concerns_functions(body, free)) {
      count_copy(op);
      inline_body(m_, op, body, given);
      return;
    }
    const function_id f = lifted(made, body, free);
    std::vector<value_id> operands = free;
    operands.insert(operands.end(), given.begin(), given.end());
    std::vector<type_id> results;
    for (value_id v : m_.results(op)) results.push_back(m_[v].type);
    ir::builder<lift_lambdas::emits> b(m_, m_[op].parent);
    b.before(op);
    const op_id c = b.make_op(op::call{{m_[f].name}}, operands, results);
    for (size_t i = 0; i < results.size(); ++i)
      m_.replace_uses(m_.result(op, static_cast<int>(i)), m_.result(c, static_cast<int>(i)));
    m_.erase(op);
  }

  function_id lifted(op_id made, region_id body, const std::vector<value_id>& free) {
    if (const auto it = lifted_.find(made.index); it != lifted_.end()) return it->second;
    std::vector<type_id> types;
    for (value_id v : free) types.push_back(m_[v].type);
    const std::vector<value_id> parameters = m_[body].arguments;
    for (value_id v : parameters) types.push_back(m_[v].type);
    const std::string name = m_[m_.function_of(m_[made].parent)].name + "_lambda";
    const function_id f = m_.add_function(name, ir::function_kind::graph, types);
    m_[f].target = m_.target(m_[made].location);
    const region_id to = m_[f].body;
    const std::vector<value_id> arguments = m_[to].arguments;
    copier c(m_);
    for (size_t i = 0; i < free.size(); ++i) c.map(free[i], arguments[i]);
    for (size_t i = 0; i < parameters.size(); ++i) c.map(parameters[i], arguments[free.size() + i]);
    const std::vector<op_id> ops = m_[body].ops;
    for (op_id op : ops) {
      if (!m_.view(op).info().traits.terminator) {
        m_.append(to, c.copy(op));
        continue;
      }
      std::vector<value_id> results;
      for (value_id v : m_.operands(op)) {
        results.push_back(c.at(v));
        m_[f].result_types.push_back(m_[v].type);
      }
      ir::builder<lift_lambdas::emits> b(m_, to, m_[op].location);
      b.make_op(op::return_{}, results, {});
    }
    lifted_.emplace(made.index, f);
    return f;
  }

  /// What a region uses from around it, each once, in order of first use.
  std::vector<value_id> free_values(region_id body) const {
    std::vector<value_id> free;
    ir::for_each_op(m_, body, [&](op_id op) {
      for (value_id v : m_.operands(op))
        if (v && !is_inside(v, body) && std::find(free.begin(), free.end(), v) == free.end()) free.push_back(v);
    });
    return free;
  }
  bool is_inside(value_id v, region_id body) const {
    region_id r = m_[v].definition ? m_[m_[v].definition].parent : m_[v].owner;
    while (r != body) {
      if (!m_[r].parent) return false;
      r = m_[m_[r].parent].parent;
    }
    return true;
  }
  bool is_function(value_id v) const { return v && m_.type_of(v).kind == ir::type_kind::function; }
  bool concerns_functions(region_id body, const std::vector<value_id>& free) const {
    for (value_id v : free)
      if (is_function(v)) return true;
    for (value_id v : m_[body].arguments)
      if (is_function(v)) return true;
    const op_id end = m_.terminator(body);
    for (value_id v : end ? m_.operands(end) : std::vector<value_id>{})
      if (is_function(v)) return true;
    return false;
  }
  bool has_function_operand(op_id op) const {
    for (value_id v : m_.operands(op))
      if (is_function(v)) return true;
    return false;
  }
  bool takes_functions(function_id f) const {
    for (value_id v : m_[m_[f].body].arguments)
      if (is_function(v)) return true;
    return false;
  }
  bool is_called(function_id f) const {
    for (function_id g : m_.functions()) {
      if (g == f) continue;
      for (function_id h : ir::referenced_functions(m_, g))
        if (h == f) return true;
    }
    return false;
  }
  void count_copy(op_id op) {
    if (++copies_ > most_copies)
      throw error("passes.lift_lambdas", "inlining functions that take functions does not come to an end",
                  m_.text(m_[op].location));
  }

  ir::module& m_;
  std::unordered_map<u32, function_id> lifted_;
  size_t copies_ = 0;
};

}  // namespace lambdas

ir_module<phases::optimization> lift_lambdas::run(ir_module<from>&& m, context&) const {
  lambdas::lifter(m.body()).run();
  return ir_module<to>::adopt(std::move(m.body()));
}

}  // namespace tenon::passes
