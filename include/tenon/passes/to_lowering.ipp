/// @file to_lowering.ipp: definition of passes/to_lowering.hpp.
#pragma once

#include <map>
#include <unordered_map>
#include <unordered_set>

#include <tenon/ir/artifact_calls.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/passes/inlining.hpp>
#include <tenon/passes/to_lowering.hpp>

namespace tenon::passes {
namespace detail {

/// The kernels of calls that were constrained when there were kernels already: each has one that is constrained so.
class constrained_kernels {
 public:
  explicit constrained_kernels(ir::module& m) : m_(m) {}

  function_id of(op_id call, function_id kernel) {
    const std::string where = ir::constraint_of(m_, call);
    if (where.empty() || where == m_[kernel].target) return use(kernel);
    const std::string target =
        ir::join({m_[kernel].target, ir::origin_of(m_, kernel)}, {where, ir::origin_of(m_, call)});
    if (target == m_[kernel].target) return use(kernel);
    const auto [it, fresh] = copies_.try_emplace({kernel.index, target});
    if (fresh) it->second = copy(kernel, target);
    return use(it->second);
  }
  /// Takes away those that no call has any more, since each of them has a copy.
  void erase_unused() {
    for (const auto& [from, to] : copies_)
      if (const function_id f(size_t{from.first}); !used_.contains(f.index) && m_[f].alive) m_.erase_function(f);
  }

 private:
  function_id use(function_id f) {
    used_.insert(f.index);
    return f;
  }
  function_id copy(function_id kernel, const std::string& target) {
    const function_id f = m_.add_function(m_[kernel].name, ir::function_kind::kernel, {});
    const region_id from = m_[kernel].body, to = m_[f].body;
    m_[f].discardable = m_[kernel].discardable, m_[f].purity = m_[kernel].purity;
    m_[f].target = target, m_[f].phase = m_[kernel].phase, m_[f].result_types = m_[kernel].result_types;
    m_[f].argument_names = m_[kernel].argument_names, m_[f].result_names = m_[kernel].result_names;
    copier c(m_);
    for (value_id a : std::vector<value_id>(m_[from].arguments)) c.map(a, m_.add_argument(to, m_[a].type));
    for (op_id op : std::vector<op_id>(m_[from].ops)) m_.append(to, c.copy(op));
    return f;
  }

  ir::module& m_;
  std::map<std::pair<u32, std::string>, function_id> copies_;
  std::unordered_set<u32> used_;
};

/// Rewrites one graph function into destination-passing form.
class destination_passing {
 public:
  destination_passing(ir::module& m, function_id f, constrained_kernels& kernels)
      : m_(m), f_(f), kernels_(kernels), b_(m, m[f].body) {}

  void run() {
    const region_id body = m_[f_].body;
    const std::vector<op_id> old = m_[body].ops;
    const op_id end = old.back();
    for (size_t i = 0; i < m_[body].arguments.size(); ++i) {
      const value_id a = m_[body].arguments[i];
      m_.set_type(a, buffer_type(a));
      place(a, a);
    }
    // Where the results go: arguments after the inputs.
    std::vector<type_id> result_types;
    for (value_id v : m_.operands(end)) {
      const type_id t = buffer_type(v);
      result_types.push_back(t);
      outputs_.push_back(m_.add_argument(body, t));
      m_.inherit_discardable(outputs_.back(), v);
    }
    m_[f_].result_types = result_types;
    m_[f_].purity = ir::purity_of_buffers(m_[f_].purity);
    std::vector<value_id> returned = m_.operands(end);
    claim(returned);
    for (op_id op : old) {
      b_.before(op);
      lower(op);
    }
    b_.before(end);
    for (size_t i = 0; i < returned.size(); ++i)
      if (!written_[i]) {
        const value_id copy[2] = {at(returned[i]), outputs_[i]};
        b_.make_op(op::copy_buffer{}, copy, {});
      }
    b_.make_op(op::return_{}, {}, {});
    for (size_t i = old.size(); i-- > 0;) m_.erase(old[i]);
  }

 private:
  type_id buffer_type(value_id v) {
    const ir::type t = m_.type_of(v);
    return m_.intern(ir::type::buffer(t.elem, t.shape));
  }
  void place(value_id v, value_id buffer) {
    m_.inherit_discardable(buffer, v);
    places_[v.index] = buffer;
  }
  value_id at(value_id v) const { return places_.at(v.index); }

  /// A kernel's result that is returned, itself or through views, is written straight into the result buffer.
  void claim(const std::vector<value_id>& returned) {
    written_.assign(returned.size(), false);
    for (size_t i = 0; i < returned.size(); ++i) {
      value_id v = returned[i];
      while (m_.definition_info(v) == &ir::info_of<op::view>) v = m_.operand(m_[v].definition, 0);
      if (m_.definition_info(v) != &ir::info_of<op::call_kernel> || claimed_.contains(v.index)) continue;
      claimed_.emplace(v.index, outputs_[i]);
      written_[i] = true;
    }
  }

  void lower(op_id op) {
    const ir::op_view v = m_.view(op);
    if (const auto* c = v.get_if<op::constant>()) {
      const type_id t[1] = {buffer_type(v.result())};
      place(v.result(), m_.result(b_.make_op(op::constant_buffer{c->value}, {}, t)));
    } else if (v.is<op::view>()) {
      const value_id from[1] = {at(v.operand(0))};
      const type_id t[1] = {buffer_type(v.result())};
      place(v.result(), m_.result(b_.make_op(op::view_buffer{}, from, t)));
    } else if (const auto* call = v.get_if<op::call_kernel>()) {
      op::call_dps made{call->kernel, v.operand_count(), call->in_place};
      std::vector<value_id> operands;
      for (value_id x : m_.operands(op)) operands.push_back(at(x));
      const auto write = [&](value_id result) {
        place(result, destination(result));
        operands.push_back(at(result));
      };
      if (ir::called_artifact(m_, op) != nullptr) {
        for (value_id r : m_.results(op)) write(r);
        b_.make_op(made, operands, {});
        return;
      }
      const function_id kernel = m_.find_function(made.kernel.name);
      if (!kernel) throw error("to_lowering.kernel", "no kernel '" + made.kernel.name + "'", m_.text(v.location()));
      made.kernel.name = m_[kernels_.of(op, kernel)].name;
      const auto parameters = m_[m_[kernel].body].arguments;
      for (size_t i = operands.size(); i < parameters.size(); ++i) {
        const size_t r = i - static_cast<size_t>(made.inputs);
        if (r < static_cast<size_t>(v.result_count())) write(v.result(static_cast<int>(r)));
        else operands.push_back(fresh(m_[parameters[i]].type));
      }
      b_.make_op(made, operands, {});
    } else if (!v.info().traits.terminator) {
      throw error("to_lowering.op", std::string(v.name()) + ": it has no destination-passing form",
                  m_.text(v.location()), "eliminate it before, in a pass of your own");
    }
  }
  value_id destination(value_id result) {
    const type_id t = buffer_type(result);
    auto it = claimed_.find(result.index);
    if (it == claimed_.end()) return fresh(t);
    if (m_[it->second].type == t) return it->second;
    const value_id from[1] = {it->second};
    const type_id types[1] = {t};
    return m_.result(b_.make_op(op::view_buffer{}, from, types));
  }
  value_id fresh(type_id t) {
    const type_id types[1] = {t};
    return m_.result(b_.make_op(op::alloc{}, {}, types));
  }

  ir::module& m_;
  function_id f_;
  constrained_kernels& kernels_;
  ir::builder<to_lowering::emits> b_;
  std::unordered_map<u32, value_id> places_, claimed_;
  std::vector<value_id> outputs_;
  std::vector<bool> written_;
};

}  // namespace detail

ir_module<to_lowering::to> to_lowering::run(ir_module<from>&& module, context& cx) const {
  ir::module& m = module.body();
  bool calls = false;
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) { calls = calls || m.view(op).is<op::call>(); });
  if (calls) inline_calls{}.run(module, cx);
  detail::constrained_kernels kernels(m);
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph)) detail::destination_passing(m, f, kernels).run();
  kernels.erase_unused();
  m.compact();
  return ir_module<to>::adopt(std::move(m));
}

}  // namespace tenon::passes
