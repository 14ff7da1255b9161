/// @file fuse.ipp: definition of passes/fuse.hpp.
#pragma once

#include <algorithm>
#include <unordered_map>

#include <tenon/compile/analysis.hpp>
#include <tenon/facts/purity_known.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/fusion_rules.ipp>
#include <tenon/passes/inlining.hpp>
#include <tenon/passes/kernel_builder.hpp>

namespace tenon::passes {
namespace fusion {

/// The ops of one region as nodes, numbered in program order, in groups that become nodes themselves.
class grouper {
 public:
  grouper(ir::module& m, region_id r, const fuse& limits, const more_lowerings& more, const fact::purity& pure)
      : m_(m), region_(r), more_(more), max_outputs_(static_cast<size_t>(limits.max_outputs)),
        max_ops_(static_cast<size_t>(limits.max_ops)), ops_(m[r].ops), taken_(ops_.size(), false) {
    for (size_t i = 0; i < ops_.size(); ++i) {
      number_.emplace(ops_[i].index, static_cast<int>(i));
      position_.push_back(static_cast<int>(i));
      span_.emplace_back(static_cast<int>(i), static_cast<int>(i));
    }
    covered_.resize(ops_.size() + 1);
    inputs_.resize(ops_.size());
    users_.resize(ops_.size());
    group_.resize(ops_.size());
    seen_.assign(ops_.size(), 0);
    const std::vector<std::vector<size_t>> before = ir::dependences(m, ops_, pure);
    for (int i = 0; i < size(); ++i) {
      group_[at(i)] = i;
      members_.push_back({i});
      inputs_[at(i)].assign(before[at(i)].begin(), before[at(i)].end());
      for (int d : inputs_[at(i)]) users_[at(d)].push_back(i);
    }
  }

  void run() {
    std::vector<int> anchors;
    for (int i = 0; i < size(); ++i)
      if (is_used(i) && is_tensor_op(m_, ops_[at(i)]) && info(i).traits.fusion.anchor && has_lower(info(i), more_))
        anchors.push_back(i);
    for (int a : anchors) taken_[at(a)] = true;
    for (int a : anchors) add_consumers(a);
    for (int a : anchors) add_producers(a, a);
    for (int i = size() - 1; i >= 0; --i) {
      if (!is_candidate(i)) continue;
      taken_[at(i)] = true;
      add_producers(i, -1);
    }
    emit();
  }

 private:
  static size_t at(int i) { return static_cast<size_t>(i); }
  int size() const { return static_cast<int>(ops_.size()); }
  const ir::op_info& info(int i) const { return m_.view(ops_[at(i)]).info(); }
  const ir::type& result_type(int i) const { return m_.view(ops_[at(i)]).result_type(); }
  /// A group that only unused results left would have no result.
  bool is_used(int i) const { return !users_[at(i)].empty(); }
  bool is_candidate(int i) const { return !taken_[at(i)] && is_used(i) && is_element(m_, ops_[at(i)], more_); }
  bool has_room(int g, int also) const {
    return members_[at(g)].size() < max_ops_ && outputs_with(g, also) <= max_outputs_;
  }

  /// The node that defines a value; -1: it comes from outside of the region.
  int node_of(value_id v) const {
    if (!v || !m_[v].definition) return -1;
    const auto it = number_.find(m_[v].definition.index);
    return it == number_.end() ? -1 : it->second;
  }

  /// Does a node that the given ones depend on (through whole groups) belong to group `g`? Members of g are skipped.
  /// Where no group lies across a place before g, nothing before that place depends on g: the search ends there.
  bool reaches(const std::vector<int>& from, int g) {
    ++stamp_;
    int start = span_[at(g)].first;
    while (start > 0 && covered_[at(start)] > 0) --start;
    std::vector<int> stack;
    auto visit = [&](int group) {
      if (seen_[at(group)] != stamp_ && span_[at(group)].second >= start)
        seen_[at(group)] = stamp_, stack.push_back(group);
    };
    for (int n : from)
      if (group_[at(n)] != g) visit(group_[at(n)]);
    while (!stack.empty()) {
      const int next = stack.back();
      stack.pop_back();
      for (int n : members_[at(next)])
        for (int d : inputs_[at(n)]) {
          if (group_[at(d)] == g) return true;
          visit(group_[at(d)]);
        }
    }
    return false;
  }

  /// Would the group of groups still be without cycles if `n` joined `g`? All ways between them must be direct.
  bool may_join(int n, int g) {
    if (m_.target(m_[ops_[at(n)]].location) != m_.target(m_[ops_[at(g)]].location)) return false;
    if (reaches(inputs_[at(n)], g)) return false;
    // The other way round: what the group uses from outside must not depend on n, unless it is n.
    std::vector<int> outside;
    for (int k : members_[at(g)])
      for (int d : inputs_[at(k)])
        if (d != n && group_[at(d)] != g) outside.push_back(d);
    const bool depends = reaches(outside, group_[at(n)]);
    return !depends;
  }
  void join(int n, int g) {
    group_[at(n)] = g;
    members_[at(g)].push_back(n);
    members_[at(n)].clear();
    taken_[at(n)] = true;
    auto& [first, last] = span_[at(g)];
    for (; first > position_[at(n)]; --first) ++covered_[at(first)];
    for (; last < position_[at(n)]; ++last) ++covered_[at(last + 1)];
  }

  bool used_outside(int n, int g, int also) const {
    for (int u : users_[at(n)])
      if (u != also && group_[at(u)] != g) return true;
    return false;
  }
  size_t outputs_with(int g, int also) const {
    size_t n = also >= 0 && used_outside(also, g, also) ? 1 : 0;
    for (int k : members_[at(g)]) n += used_outside(k, g, also) ? 1 : 0;
    return n;
  }

  /// Elementwise ops behind an anchor, of its result's shape, and borders around that.
  void add_consumers(int anchor) {
    const std::vector<ir::dim> shape = result_type(anchor).shape;
    for (size_t k = 0; k < members_[at(anchor)].size(); ++k) {
      const std::vector<int> users = users_[at(members_[at(anchor)][k])];
      for (int u : users) {
        if (!is_candidate(u)) continue;
        if (!(info(u).traits.elementwise && result_type(u).shape == shape) && !is_border(u, shape)) continue;
        if (!has_room(anchor, u) || !may_join(u, anchor) || stays_narrow(u, anchor)) continue;
        join(u, anchor);
        k = static_cast<size_t>(-1);  // an earlier user of several members may fit now
        break;
      }
    }
  }

  /// Is wider only what another group will read? Then the narrow elements are stored, and that group makes them wider.
  bool stays_narrow(int u, int anchor) {
    if (users_[at(u)].size() != 1 || !is_widening(m_, ops_[at(u)])) return false;
    const int user = users_[at(u)][0];
    if (!is_element(m_, ops_[at(user)], more_) || !info(user).traits.elementwise ||
        !pulls(m_, ops_[at(user)], 0, ops_[at(u)]))
      return false;
    if (!is_candidate(user)) return group_[at(user)] != anchor;
    group_[at(u)] = anchor;
    members_[at(anchor)].push_back(u);
    const bool goes_on = may_join(user, anchor);
    members_[at(anchor)].pop_back();
    group_[at(u)] = u;
    return !goes_on;
  }

  /// Zeros around an image of an anchor's shape, for contractions: it is stored between them.
  bool is_border(int u, const std::vector<ir::dim>& shape) const {
    if (!zero_border_of(m_, ops_[at(u)]) || m_.view(ops_[at(u)]).operand_type(0).shape != shape) return false;
    return std::all_of(users_[at(u)].begin(), users_[at(u)].end(),
                       [&](int user) { return info(user).traits.fusion.contraction; });
  }

  /// Element ops before the members of a group. `anchor` is -1 when the group has none: its values may leave then.
  void add_producers(int g, int anchor) {
    const std::vector<ir::dim> shape = result_type(g).shape;
    for (bool changed = true; changed;) {
      changed = false;
      const std::vector<int> members = members_[at(g)];
      for (int k : members) {
        const std::vector<int> inputs = inputs_[at(k)];
        for (int p : inputs) {
          if (is_candidate(p) && anchor >= 0 && is_worth_copying(p, g, anchor)) p = copy_for(p, g);
          if (is_candidate(p) && may_be_pulled(p, g, anchor, shape) && has_room(g, p) && may_join(p, g)) {
            join(p, g);
            changed = true;
          }
        }
      }
    }
  }

  bool may_be_pulled(int p, int g, int anchor, const std::vector<ir::dim>& shape) {
    const bool elementwise = info(p).traits.elementwise;
    int inside = 0;
    bool outside = false, same_index = true;
    for (int u : users_[at(p)]) {
      if (group_[at(u)] != g) {
        outside = true;
        continue;
      }
      const ir::op_view v = m_.view(ops_[at(u)]);
      for (int i = 0; i < v.operand_count(); ++i) {
        if (node_of(v.operand(i)) != p) continue;
        if (!pulls(m_, ops_[at(u)], i, ops_[at(p)])) return false;
        // Behind a contraction's sums only arithmetic may follow.
        if (anchor >= 0 && u != anchor && info(anchor).traits.fusion.contraction && !elementwise) return false;
        ++inside;
      }
      same_index = same_index && info(u).traits.elementwise && result_type(u).shape == result_type(p).shape;
    }
    if (outside)
      return anchor < 0 && elementwise && same_index && result_type(p).shape == shape && is_at_root_index(p, g);
    return inside == 1 || (elementwise && same_index);
  }
  /// Is everything between a producer and what leaves the group elementwise? Then it is evaluated where it is stored.
  bool is_at_root_index(int p, int g) const {
    std::vector<int> path{p};
    for (size_t k = 0; k < path.size(); ++k)
      for (int u : users_[at(path[k])]) {
        if (group_[at(u)] != g) continue;
        if (!info(u).traits.elementwise || result_type(u).shape != result_type(p).shape) return false;
        if (std::find(path.begin(), path.end(), u) == path.end()) path.push_back(u);
      }
    return true;
  }

  /// Reading what it reads is no more than reading its result, so a reduction may have its own copy; often nobody else
  /// is left who needs the original in memory.
  bool is_worth_copying(int p, int g, int anchor) const {
    const op_traits& traits = info(anchor).traits;
    if (traits.fusion.reads != 1 || traits.max_operands < 0 || !info(p).traits.fusion.cheap) return false;
    bool outside = false;
    for (int u : users_[at(p)]) {
      if (group_[at(u)] != g) {
        outside = true;
        continue;
      }
      const ir::op_view v = m_.view(ops_[at(u)]);
      for (int i = 0; i < v.operand_count(); ++i)
        if (node_of(v.operand(i)) == p && !pulls(m_, ops_[at(u)], i, ops_[at(p)])) return false;
    }
    int large = 0;
    for (value_id x : m_.operands(ops_[at(p)]))
      if (x && is_not_smaller(m_, m_.type_of(x), result_type(p))) ++large;
    return outside && users_[at(p)].size() <= 4 && large <= 1;
  }
  /// A copy of a node, which the users in a group use from now on.
  int copy_for(int p, int g) {
    copier c(m_);
    const op_id op = c.copy(ops_[at(p)]);
    const int n = size();
    ops_.push_back(op);
    number_.emplace(op.index, n);
    position_.push_back(position_[at(p)]);
    span_.emplace_back(position_.back(), position_.back());
    inputs_.push_back(inputs_[at(p)]);
    users_.emplace_back();
    group_.push_back(n);
    members_.push_back({n});
    taken_.push_back(false);
    seen_.push_back(0);
    for (int d : inputs_[at(n)]) users_[at(d)].push_back(n);
    std::vector<int> others;
    for (int u : users_[at(p)]) {
      if (group_[at(u)] != g) {
        others.push_back(u);
        continue;
      }
      users_[at(n)].push_back(u);
      for (int& d : inputs_[at(u)]) d = d == p ? n : d;
      for (int i = 0; i < m_.view(ops_[at(u)]).operand_count(); ++i)
        if (m_.operand(ops_[at(u)], i) == m_.result(ops_[at(p)])) m_.set_operand(ops_[at(u)], i, m_.result(op));
    }
    users_[at(p)] = std::move(others);
    return n;
  }

  // -- writing the groups down ---------------------------------------------------------------------------------------

  void emit() {
    std::vector<op_id> order;
    for (int g : ordered_groups()) {
      std::vector<int>& members = members_[at(g)];
      std::sort(members.begin(), members.end(), [this](int a, int b) { return is_before(a, b); });
      if (members.size() == 1) order.push_back(ops_[at(members[0])]);
      else order.push_back(make_fused(members, g));
    }
    const std::vector<int> nodes = in_program_order();
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
      if (members_[at(group_[at(*it)])].size() == 1) continue;
      m_[ops_[at(*it)]].parent = {};
      m_.erase(ops_[at(*it)]);
    }
    m_[region_].ops = std::move(order);
    for (op_id op : m_[region_].ops) m_[op].parent = region_;
  }

  /// Copies are where their originals are.
  bool is_before(int a, int b) const {
    return position_[at(a)] != position_[at(b)] ? position_[at(a)] < position_[at(b)] : a < b;
  }
  std::vector<int> in_program_order() const {
    std::vector<int> nodes;
    for (int i = 0; i < size(); ++i) nodes.push_back(i);
    std::sort(nodes.begin(), nodes.end(), [this](int a, int b) { return is_before(a, b); });
    return nodes;
  }

  /// Groups in an order of their dependences; as far as these allow, in the order of their last ops.
  std::vector<int> ordered_groups() const {
    std::vector<int> order;
    std::vector<char> state(ops_.size(), 0);
    std::vector<std::pair<int, size_t>> stack;
    std::vector<std::vector<int>> needed(ops_.size());
    for (int i = 0; i < size(); ++i)
      for (int d : inputs_[at(i)])
        if (group_[at(d)] != group_[at(i)]) needed[at(group_[at(i)])].push_back(group_[at(d)]);
    std::vector<int> roots;
    std::vector<int> last(ops_.size(), -1);
    const std::vector<int> nodes = in_program_order();
    for (int i : nodes) last[at(group_[at(i)])] = i;
    for (int i : nodes)
      if (last[at(group_[at(i)])] == i) roots.push_back(group_[at(i)]);
    for (int root : roots) {
      if (state[at(root)] != 0) continue;
      state[at(root)] = 1;
      stack.emplace_back(root, 0);
      while (!stack.empty()) {
        auto& [g, next] = stack.back();
        if (next < needed[at(g)].size()) {
          const int d = needed[at(g)][next++];
          if (state[at(d)] == 0) state[at(d)] = 1, stack.emplace_back(d, 0);
          continue;
        }
        order.push_back(g);
        stack.pop_back();
      }
    }
    return order;
  }

  op_id make_fused(const std::vector<int>& members, int g) {
    std::vector<value_id> operands, outputs;
    std::vector<type_id> results;
    for (int n : members)
      for (value_id v : m_.operands(ops_[at(n)]))
        if (v && (node_of(v) < 0 || group_[at(node_of(v))] != g) &&
            std::find(operands.begin(), operands.end(), v) == operands.end())
          operands.push_back(v);
    for (int n : members) {
      if (!used_outside(n, g, -1)) continue;
      outputs.push_back(m_.result(ops_[at(n)]));
      results.push_back(m_[outputs.back()].type);
    }
    op_id location = ops_[at(members.back())];
    for (int n : members)
      if (info(n).traits.fusion.anchor && !is_element(m_, ops_[at(n)], more_)) location = ops_[at(n)];
    ir::discardable_attributes notes = m_.discardable(location);
    for (int n : members) notes.join(m_.discardable(ops_[at(n)]));
    const std::string text = m_.text(m_[location].location), target = m_.target(m_[location].location);
    const op::fused attributes;
    const op_id fused = m_.make_op(ir::info_of<op::fused>, m_.intern_attributes(ir::info_of<op::fused>, &attributes),
                                   operands, results, 1, m_.location(text, target, m_.intern(notes)));
    const region_id body = m_.region(fused);
    copier c(m_);
    for (value_id v : operands) c.map(v, m_.add_argument(body, m_[v].type));
    for (int n : members) m_.append(body, c.copy(ops_[at(n)]));
    std::vector<value_id> yielded;
    for (value_id v : outputs) yielded.push_back(c.at(v));
    ir::builder<fuse::emits> b(m_, body, m_[location].location);
    b.make_op(op::yield{}, yielded, {});
    for (size_t i = 0; i < outputs.size(); ++i) m_.replace_uses(outputs[i], m_.result(fused, static_cast<int>(i)));
    return fused;
  }

  ir::module& m_;
  region_id region_;
  const more_lowerings& more_;
  size_t max_outputs_, max_ops_;
  std::vector<op_id> ops_;
  std::vector<bool> taken_;                ///< nodes that are in a group, if only in their own
  std::unordered_map<u32, int> number_;    ///< by op
  std::vector<int> position_;              ///< in program order
  std::vector<std::pair<int, int>> span_;  ///< the first and the last position in the group named after a node
  std::vector<int> covered_;               ///< how many groups have members before a position, and at or behind it
  std::vector<std::vector<int>> inputs_, users_;
  std::vector<int> group_;                 ///< the node that a node's group is named after
  std::vector<std::vector<int>> members_;  ///< of the group named after a node
  std::vector<u32> seen_;
  u32 stamp_ = 0;
};

/// Ops that only make elements wider, once for each elementwise op that reads them: then none needs memory.
inline void copy_widening(ir::module& m, region_id r) {
  constexpr int most = 4;
  std::vector<op_id> ops;
  for (op_id op : std::vector<op_id>(m[r].ops)) {
    ops.push_back(op);
    if (m.view(op).result_count() != 1 || m.use_count(m.result(op)) < 2 || m.use_count(m.result(op)) > most ||
        !is_tensor_op(m, op) || !is_widening(m, op))
      continue;
    std::vector<use_id> uses;
    for (use_id u = m[m.result(op)].first_use; u; u = m[u].next)
      if (m.view(m[u].user).info().traits.elementwise) uses.push_back(u);
    if (std::ssize(uses) == m.use_count(m.result(op))) uses.pop_back();  // one of them keeps the original
    for (use_id u : uses) {
      ops.push_back(copier(m).copy(op));
      m[ops.back()].parent = r;
      m.set_operand(m[u].user, static_cast<int>(m[u].number), m.result(ops.back()));
    }
  }
  m[r].ops = std::move(ops);
}

inline void fuse_region(ir::module& m, region_id r, const fuse& limits, const more_lowerings& more,
                        const fact::purity& pure) {
  copy_widening(m, r);
  const std::vector<op_id> ops = m[r].ops;
  for (op_id op : ops)
    if (!m.view(op).is<op::fused>())
      for (int i = 0; i < m.view(op).region_count(); ++i) fuse_region(m, m.region(op, i), limits, more, pure);
  grouper(m, r, limits, more, pure).run();
}

}  // namespace fusion

void fuse::run(ir_module<runs_in>& module, context& cx) const {
  const auto more = cx.get<more_lowerings>();
  ir::module& m = module.body();
  const fact::purity& pure = cx.analysis<fact::purity_known>(*this, m);
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph)) fusion::fuse_region(m, m[f].body, *this, more, pure);
}

}  // namespace tenon::passes
