/// @file inline_calls.ipp: definition of passes/inline_calls.hpp.
#pragma once

#include <tenon/ir/references.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/passes/inlining.hpp>

namespace tenon::passes {
namespace calls {

class inliner {
 public:
  explicit inliner(ir::module& m) : m_(m) {}

  void function(function_id f) {
    if (state_.size() <= f.index) state_.resize(f.index + 1, fresh);
    if (state_[f.index] == done) return;
    state_[f.index] = running;
    ir::for_each_op(m_, m_[f].body, [&](op_id op) {
      const auto* c = m_.view(op).get_if<op::call>();
      if (c == nullptr) return;
      const function_id callee = m_.find_function(c->callee.name);
      if (callee && !m_[callee].phase.empty())
        throw error("passes.no_function",
                    "call: function '" + m_[callee].name + "' is in phase '" + m_[callee].phase +
                        "' already, and has no body of this phase",
                    m_.text(m_[op].location), "a finished kernel is called by call_kernel");
      if (!callee || !m_[callee].here(ir::function_kind::graph))
        throw error("passes.no_function", "call: there is no graph function '" + c->callee.name + "'",
                    m_.text(m_[op].location));
      if (callee.index < state_.size() && state_[callee.index] == running)
        throw error("passes.recursion",
                    "call: function '" + m_[callee].name + "' calls itself" +
                        (callee == f ? "" : ", through '" + m_[f].name + "'"),
                    m_.text(m_[op].location), "recursion cannot be compiled");
      function(callee);
      const std::vector<value_id> given = m_.operands(op);
      const region_id body = m_[callee].body;
      if (m_[body].arguments.size() != given.size())
        throw error("passes.no_function",
                    "call: function '" + m_[callee].name + "' takes " + std::to_string(m_[body].arguments.size()) +
                        " arguments and is given " + std::to_string(given.size()),
                    m_.text(m_[op].location));
      inline_body(m_, op, body, given);
    });
    state_[f.index] = done;
  }

 private:
  enum progress : u8 { fresh, running, done };
  ir::module& m_;
  std::vector<progress> state_;
};

}  // namespace calls

void inline_calls::run(ir_module<runs_in>& module, context&) const {
  ir::module& m = module.body();
  calls::inliner all(m);
  for (function_id f : m.functions())  // first: bodies may hold what regions must not
    if (m[f].here(ir::function_kind::graph)) inline_dataflow(m, f);
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph)) all.function(f);
  ir::erase_unreachable_functions(m);
}

}  // namespace tenon::passes
