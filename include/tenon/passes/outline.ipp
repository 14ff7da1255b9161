/// @file outline.ipp: definitions of passes/outline.hpp.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <tenon/facts/purity_known.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/passes/inlining.hpp>
#include <tenon/passes/outline.hpp>

namespace tenon::passes {

op_id copy_into_function(ir::module& m, const std::string& name, std::span<const op_id> ops,
                         std::span<const value_id> outputs, location_id where) {
  std::unordered_set<u32> known;  // values that the function has: of these ops, of their regions, and arguments
  std::vector<value_id> inputs;
  const auto take = [&](op_id op) {
    for (value_id v : m.operands(op))
      if (v && known.insert(v.index).second) inputs.push_back(v);
  };
  const auto make = [&](op_id op) {
    for (value_id v : m.results(op)) known.insert(v.index);
    for (int r = 0; r < m.view(op).region_count(); ++r)
      for (value_id a : m[m.region(op, r)].arguments) known.insert(a.index);
  };
  for (op_id op : ops) {
    make(op);
    for (int r = 0; r < m.view(op).region_count(); ++r) ir::for_each_op(m, m.region(op, r), make);
  }
  for (op_id op : ops) {
    take(op);
    for (int r = 0; r < m.view(op).region_count(); ++r) ir::for_each_op(m, m.region(op, r), take);
  }
  std::vector<type_id> argument_types, result_types;
  for (value_id v : inputs) argument_types.push_back(m[v].type);
  for (value_id v : outputs) result_types.push_back(m[v].type);
  const function_id f = m.add_function(name, ir::function_kind::graph, argument_types);
  m[f].result_types = result_types;
  const region_id body = m[f].body;
  copier c(m);
  for (size_t i = 0; i < inputs.size(); ++i) {
    m.inherit_discardable(m[body].arguments[i], inputs[i]);
    c.map(inputs[i], m[body].arguments[i]);
  }
  for (op_id op : ops) m.append(body, c.copy(op));
  std::vector<value_id> returned;
  for (value_id v : outputs) returned.push_back(c.at(v));
  const op::return_ end;
  m.append(body, m.make_op(ir::info_of<op::return_>, m.intern_attributes(ir::info_of<op::return_>, &end), returned, {},
                           0, where));
  const op::call call{{name}};
  const op_id made = m.make_op(ir::info_of<op::call>, m.intern_attributes(ir::info_of<op::call>, &call), inputs,
                               result_types, 0, where);
  for (size_t i = 0; i < outputs.size(); ++i) m.replace_uses(outputs[i], m.result(made, static_cast<int>(i)));
  return made;
}

namespace outlining {

/// One block, and the ops of it that are to leave.
class slice {
 public:
  slice(ir::module& m, std::span<const op_id> ops) : m_(m), pure_(fact::purity_known::compute(m)) {
    for (op_id op : ops)
      if (!m.view(op).is<op::constant>()) chosen_.insert(op.index);
    if (chosen_.empty())
      throw error("outline.ops", "there are no ops to outline", {}, "choose one that is no constant");
    for (op_id op : ops) {
      if (m.view(op).info().traits.terminator)
        throw error("outline.ops", ir::origin_of(m, op) + " ends its block, and cannot leave it");
      if (block_ && m[op].parent != block_)
        throw error("outline.ops", ir::origin_of(m, op) + " is in another block than " + ir::origin_of(m, ops[0]), {},
                    "choose ops of one block; a region goes along with the op that has it");
      block_ = m[op].parent;
    }
    sort();
  }

  op_id leave(const std::string& name) {
    std::vector<op_id> ops;
    std::unordered_set<u32> copied;
    for (op_id op : inside_) {
      const auto constants = [&](op_id user) {
        for (value_id v : m_.operands(user)) {
          const op_id d = v ? m_[v].definition : op_id{};
          if (d && m_.view(d).is<op::constant>() && m_[d].parent == block_ && copied.insert(d.index).second)
            ops.push_back(d);
        }
      };
      each_with_regions(op, constants);
      ops.push_back(op);
    }
    std::vector<value_id> outputs;
    for (op_id op : inside_)
      for (value_id v : m_.results(op))
        if (is_used_outside(v)) outputs.push_back(v);
    const std::string where = m_.text(m_[inside_.back()].location);  // without a constraint: ops keep their own
    const op_id call = copy_into_function(m_, name, ops, outputs, m_.location(where));
    m_.append(block_, call);
    for (auto it = inside_.rbegin(); it != inside_.rend(); ++it) m_.erase(*it);
    m_[block_].ops = before_;
    m_[block_].ops.push_back(call);
    m_[block_].ops.insert(m_[block_].ops.end(), behind_.begin(), behind_.end());
    for (op_id op : std::vector<op_id>(before_))  // constants that nobody else uses
      if (copied.contains(op.index) && !m_.has_uses(m_.result(op))) m_.erase(op);
    return call;
  }

 private:
  template <class F>
  void each_with_regions(op_id op, F&& f) {
    f(op);
    for (int r = 0; r < m_.view(op).region_count(); ++r) ir::for_each_op(m_, m_.region(op, r), f);
  }
  /// Parts the block: what needs nothing of the set, the set, and what needs a result of it, or comes after an effect
  /// of it. An op of the set that needs one of the last kind cannot leave with the others.
  void sort() {
    std::unordered_map<u32, op_id> late;  // by op: the one of the set that it comes after
    op_id effect_inside, effect_late;
    for (op_id op : m_[block_].ops) {
      const bool terminator = m_.view(op).info().traits.terminator;
      const bool impure = !terminator && !pure_.of_op(m_, op);
      const bool chosen = chosen_.contains(op.index);
      op_id after, over;  // an op of the set; and an op outside of it that is behind such a one
      each_with_regions(op, [&](op_id user) {
        for (value_id v : m_.operands(user)) {
          const op_id d = v ? m_[v].definition : op_id{};
          if (!d) continue;
          if (chosen_.contains(d.index)) after = d;
          else if (!over && late.contains(d.index)) over = d;
        }
      });
      if (impure && effect_inside) after = effect_inside;
      if (impure && effect_late) over = effect_late;
      if (chosen) {
        if (over) refuse(late.at(over.index), over, op);
        inside_.push_back(op);
        if (impure) effect_inside = op;
      } else if (terminator || after || over) {
        late[op.index] = over ? late.at(over.index) : after;
        behind_.push_back(op);
        if (impure) effect_late = op;
      } else {
        before_.push_back(op);
      }
    }
  }
  [[noreturn]] void refuse(op_id first, op_id between, op_id last) const {
    throw error("outline.convex",
                ir::origin_of(m_, between) + " stands between " + ir::origin_of(m_, first) + " and " +
                    ir::origin_of(m_, last) +
                    ", which are to be in one function: it comes after the one, and the other after it",
                {}, "outline it too, or leave one of the two");
  }
  bool is_used_outside(value_id v) const {
    for (use_id u = m_[v].first_use; u; u = m_[u].next) {
      op_id user = m_[u].user;
      while (m_[user].parent != block_ && m_[m_[user].parent].parent) user = m_[m_[user].parent].parent;
      if (!chosen_.contains(user.index)) return true;
    }
    return false;
  }

  ir::module& m_;
  fact::purity pure_;
  region_id block_;
  std::unordered_set<u32> chosen_;
  std::vector<op_id> before_, inside_, behind_;
};

}  // namespace outlining

op_id outline(ir::module& m, std::span<const op_id> ops, const std::string& name) {
  if (m.find_function(name))
    throw error("outline.name", "there is a function '" + name + "' already", {}, "give the new one another name");
  return outlining::slice(m, ops).leave(name);
}

}  // namespace tenon::passes
