/// @file inlining: copies the body of a function or closure to where it is called.
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <tenon/ir/called_extents.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/purity.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/dataflow.hpp>

namespace tenon::passes {

/// Copies ops within a module; values without a copy stand for themselves.
class copier {
 public:
  explicit copier(ir::module& m) : m_(m) {}

  void map(value_id from, value_id to) { values_[from.index] = to; }
  value_id at(value_id v) const {
    const auto it = v ? values_.find(v.index) : values_.end();
    return it == values_.end() ? v : it->second;
  }
  /// All copies are constrained so, beside what the originals are constrained to.
  void constrain(std::string target, std::string origin) { target_ = std::move(target), origin_ = std::move(origin); }
  /// Types of copies are what those of the originals are for a call.
  void say_extents(ir::called_extents at) { extents_.emplace(std::move(at)); }
  /// A copy that is in no region yet.
  op_id copy(op_id op) {
    ir::op_node n = m_[op];
    if (!target_.empty() && !n.info->traits.terminator) {
      const std::string where = m_.text(n.location);
      n.location = m_.location(where, ir::join({m_.target(n.location), ir::origin_of(m_, op)}, {target_, origin_}),
                               m_.discardable_of(n.location));
    }
    std::vector<value_id> operands;
    std::vector<type_id> results;
    for (value_id v : m_.operands(op)) operands.push_back(at(v));
    for (value_id v : m_.results(op)) results.push_back(type_of(v));
    const op_id c = m_.make_op(*n.info, n.attributes, operands, results, static_cast<int>(n.region_count), n.location);
    for (size_t i = 0; i < results.size(); ++i) {
      const value_id from = m_.result(op, static_cast<int>(i)), to = m_.result(c, static_cast<int>(i));
      m_.inherit_discardable(to, from);
      map(from, to);
    }
    for (u32 i = 0; i < n.region_count; ++i) {
      const region_id from = m_.region(op, static_cast<int>(i)), to = m_.region(c, static_cast<int>(i));
      const std::vector<value_id> arguments = m_[from].arguments;
      for (value_id a : arguments) {
        const value_id b = m_.add_argument(to, type_of(a));
        m_.inherit_discardable(b, a);
        map(a, b);
      }
      const std::vector<op_id> ops = m_[from].ops;
      for (op_id o : ops) m_.append(to, copy(o));
    }
    return c;
  }

 private:
  type_id type_of(value_id v) const { return extents_ ? extents_->at_call(m_, m_[v].type) : m_[v].type; }

  ir::module& m_;
  std::unordered_map<u32, value_id> values_;
  std::optional<ir::called_extents> extents_;
  std::string target_, origin_;
};

/// Replaces a call by the ops of `body`, whose arguments stand for `given`, and whose names of extents for those of the
/// call (ir/called_extents.hpp). The call is erased, the body stays. What the call and the called function are
/// constrained to, the ops are constrained to. Who was pure because the callee is
/// forced to be is forced pure from here (O(ops), of such a callee).
inline void inline_body(ir::module& m, op_id call, region_id body, std::span<const value_id> given) {
  copier c(m);
  c.say_extents(ir::called_extents(m, body, given));
  const function_id callee = m[body].function;
  const std::string& by_call = m.target(m[call].location);
  const std::string by_function = callee ? m[callee].target : std::string();
  const std::string target = ir::join({by_call, "the " + ir::origin_of(m, call)},
                                      {by_function, callee ? ir::origin_of(m, callee) : std::string()});
  c.constrain(target, by_call.empty() && callee ? ir::origin_of(m, callee) : "the " + ir::origin_of(m, call));
  const std::vector<value_id> arguments = m[body].arguments;
  for (size_t i = 0; i < arguments.size() && i < given.size(); ++i) c.map(arguments[i], given[i]);
  const region_id home = m[call].parent;
  if (callee && m[callee].purity == ir::function_purity::forced_pure)
    if (const function_id f = m.function_of(home); f && ir::purity(m).of_function(m, f))
      m[f].purity = ir::function_purity::forced_pure;
  std::vector<op_id> copies;
  std::vector<value_id> results;
  const std::vector<op_id> ops = m[body].ops;
  for (op_id op : ops) {
    if (m.view(op).info().traits.terminator) {
      for (value_id v : m.operands(op)) results.push_back(c.at(v));
      break;
    }
    copies.push_back(c.copy(op));
    m[copies.back()].parent = home;
  }
  auto& list = m[home].ops;
  list.insert(std::find(list.begin(), list.end(), call), copies.begin(), copies.end());
  for (int i = 0; i < m.view(call).result_count() && static_cast<size_t>(i) < results.size(); ++i)
    m.replace_uses(m.result(call, i), results[static_cast<size_t>(i)]);
  m.erase(call);
}

/// The ops of dataflow regions go to where these stand.
inline void inline_dataflow(ir::module& m, function_id f) {
  ir::for_each_op(m, m[f].body, [&](op_id op) {
    if (m.view(op).is<op::dataflow>()) inline_body(m, op, m.region(op), {});
  });
}

}  // namespace tenon::passes
