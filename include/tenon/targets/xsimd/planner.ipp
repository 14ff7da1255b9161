/// @file planner.ipp: how targets/xsimd/plan.hpp is made: groups of ops, their slots, and where buffers lie.
#pragma once

#include <algorithm>
#include <unordered_map>

#include <tenon/ir/entry_steps.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/arena.hpp>
#include <tenon/targets/xsimd/plan.hpp>
#include <tenon/targets/xsimd/rules.hpp>

namespace tenon::xsimd_kernels {

class planner {
 public:
  planner(plan& p, function_id f) : p_(p), m_(p.module_), f_(f), k_(kernels()), body_(m_[m_[f].body].ops) {}

  void make() {
    for (size_t i = 0; i < body_.size(); ++i) position_[body_[i].index] = i;
    for (size_t i = 0; i < m_[m_[f_].body].arguments.size(); ++i) {
      const value_id v = m_[m_[f_].body].arguments[i];
      p_.inputs_.push_back({slot(v), m_.type_of(v).elem, m_.type_of(v).extents()});
    }
    group();
    for (size_t i = 0; i + 1 < body_.size(); ++i)
      if (group_of_[i] < 0 || groups_[static_cast<size_t>(group_of_[i])].back() == i) {
        const size_t before = p_.steps_.size();
        step_at(i);
        for (size_t k = before; k < p_.steps_.size(); ++k) p_.steps_[k]->about = about(i);
      }
    results();
    place();
    p_.slots_ = slots_.size();
  }

 private:
  friend struct step_makers;
  std::vector<std::unique_ptr<step>>& steps() { return p_.steps_; }
  /// What the steps of the op at `i`, or of the group that ends there, compute.
  run_step about(size_t i) const {
    run_step s;
    const std::vector<size_t> alone{i};
    for (size_t k : group_of_[i] < 0 ? alone : groups_[static_cast<size_t>(group_of_[i])]) {
      const ir::op_view v = m_.view(body_[k]);
      s.name += (s.name.empty() ? "" : "_") + std::string(v.name());
      for (std::string& place : ir::places_of(m_.text(v.location())))
        if (std::find(s.sources.begin(), s.sources.end(), place) == s.sources.end())
          s.sources.push_back(std::move(place));
    }
    return s;
  }
  struct life {
    value_id root;
    int first = -1, last = -1;  ///< steps
    enum class kind_t { arena, input, constant, output } kind = kind_t::arena;
  };

  // -- values and slots ---------------------------------------------------------------------------------------------
  /// What a value's elements are the elements of, views looked through.
  value_id root(value_id v) const {
    for (;;) {
      const op_id d = m_[v].definition;
      if (!d || !(m_.view(d).is<op::reshape>() || m_.view(d).is<op::view>())) return v;
      v = m_.operand(d, 0);
    }
  }
  int slot(value_id v) {
    const value_id r = root(v);
    const auto [it, fresh] = slot_of_.emplace(r.index, static_cast<int>(slots_.size()));
    if (fresh) {
      life l{r};
      if (!m_[r].definition) l.kind = life::kind_t::input;
      if (const tensor* c = m_.constant_value(r)) {
        l.kind = life::kind_t::constant;
        p_.constants_.emplace_back(it->second, c->data());
      }
      slots_.push_back(l);
    }
    return it->second;
  }
  int reads(value_id v) {
    const int s = slot(v);
    slots_[static_cast<size_t>(s)].last = static_cast<int>(p_.steps_.size());
    return s;
  }
  int writes(value_id v) {
    const int s = slot(v);
    life& l = slots_[static_cast<size_t>(s)];
    const int now = static_cast<int>(p_.steps_.size());
    if (l.first < 0) l.first = now;
    l.last = std::max(l.last, now);
    return s;
  }
  std::vector<i64> shape(value_id v) const { return m_.type_of(v).extents(); }

  // -- groups: a product and the elementwise ops on its result, or elementwise ops alone ----------------------------
  bool is_anchor(size_t i) const {
    const ir::op_view v = m_.view(body_[i]);
    return (v.is<op::matmul>() || v.is<op::conv>()) && has_kernel(v);
  }
  bool is_view(size_t i) const { return m_.view(body_[i]).is<op::reshape>() || m_.view(body_[i]).is<op::view>(); }
  bool in_chain(size_t i) const {
    loop::scalar_fn fn;
    return is_elementwise(m_.view(body_[i]), fn);
  }
  void group() {
    group_of_.assign(body_.size(), -1);
    for (size_t i = 0; i + 1 < body_.size(); ++i) {
      if (group_of_[i] >= 0 || !(is_anchor(i) || in_chain(i))) continue;
      std::vector<size_t> members{i}, best{i};
      const i64 count = m_.view(body_[i]).result_type().count();
      for (size_t k = 1; k < 16; ++k) {
        const size_t next = next_user(members, count);
        if (next == 0) break;
        members.push_back(next);
        if (leaves_by_last_only(members) && m_.view(body_[members.back()]).result_type().elem == dtype::f32)
          best = members;
        else if (leaves_by_last_only(members) && !is_anchor(i)) best = members;
      }
      while (best.size() > 1 && is_view(best.back())) best.pop_back();
      for (size_t j : best) group_of_[j] = static_cast<int>(groups_.size());
      groups_.push_back(best);
    }
  }
  /// The first op after the last member that reads a member's value and could join; 0: none.
  size_t next_user(const std::vector<size_t>& members, i64 count) const {
    size_t next = 0;
    for (size_t i : members)
      for (use_id u = m_[m_.result(body_[i])].first_use; u; u = m_[u].next) {
        const auto it = position_.find(m_[u].user.index);
        if (it == position_.end() || it->second + 1 >= body_.size()) continue;
        const size_t at = it->second;
        if (std::find(members.begin(), members.end(), at) != members.end()) continue;
        if (next == 0 || at < next) next = at;
      }
    if (next == 0 || next <= members.back() || group_of_[next] >= 0 || !(in_chain(next) || is_view(next))) return 0;
    return m_.view(body_[next]).result_type().count() == count ? next : 0;
  }
  bool leaves_by_last_only(const std::vector<size_t>& members) const {
    for (size_t i : members) {
      if (i == members.back()) continue;
      for (use_id u = m_[m_.result(body_[i])].first_use; u; u = m_[u].next) {
        const auto it = position_.find(m_[u].user.index);
        if (it == position_.end() || std::find(members.begin(), members.end(), it->second) == members.end())
          return false;
      }
    }
    return true;
  }

  /// The elementwise members as a chain; `anchor` is the value that is in `out` already, or none.
  chain chain_of(const std::vector<size_t>& members, value_id anchor, value_id out) {
    chain c;
    std::unordered_map<u32, int> at;
    const std::vector<i64> whole = shape(out);
    const auto inside = [&](value_id v) {
      const op_id d = m_[v].definition;
      const auto it = d ? position_.find(d.index) : position_.end();
      return it != position_.end() && std::find(members.begin(), members.end(), it->second) != members.end();
    };
    // Operands first: registers are numbered by them.
    std::vector<std::pair<u32, std::vector<i64>>> known;
    std::unordered_map<u64, int> operand_at;
    const auto operand = [&](size_t op, value_id v) {
      const value_id r = root(v);
      const bool from_anchor = anchor && r == root(anchor);
      if (!from_anchor && inside(r)) return;
      const u64 key = static_cast<u64>(op) << 32 | v.index;
      if (operand_at.contains(key)) return;
      const access how = from_anchor ? access{} : access::broadcast(shape(v), shape(m_.result(body_[op])));
      const int s = from_anchor ? writes(out) : reads(v);
      chain::operand made{s, m_.type_of(v).elem == dtype::boolean, how};
      if (from_anchor) made.how = access::broadcast(whole, whole);
      for (size_t i = 0; i < c.operands.size(); ++i)
        if (c.operands[i].slot == made.slot && c.operands[i].how.extents == made.how.extents &&
            c.operands[i].how.strides == made.how.strides) {
          operand_at[key] = static_cast<int>(i);
          return;
        }
      operand_at[key] = static_cast<int>(c.operands.size());
      c.operands.push_back(made);
    };
    for (size_t i : members)
      if (in_chain(i))
        for (value_id v : m_.operands(body_[i])) operand(i, v);
    c.registers = static_cast<int>(c.operands.size());
    for (size_t i : members) {
      if (!in_chain(i)) continue;
      loop::scalar_fn fn;
      const ir::op_view v = m_.view(body_[i]);
      is_elementwise(v, fn);
      int from[3] = {-1, -1, -1};
      for (int o = 0; o < v.operand_count(); ++o) {
        const auto known_operand = operand_at.find(static_cast<u64>(i) << 32 | v.operand(o).index);
        from[o] = known_operand != operand_at.end() ? known_operand->second : at.at(root(v.operand(o)).index);
      }
      if (v.is<op::cast>()) from[1] = from[0];
      c.code.push_back({fn, c.registers, from[0], from[1], from[2]});
      at[v.result().index] = c.registers++;
    }
    c.result = c.code.back().to;
    c.out = writes(out);
    c.gives_flags = m_.type_of(out).elem == dtype::boolean;
    return c;
  }

  inline void step_at(size_t i);  // planner_steps.ipp

  // -- results and memory -------------------------------------------------------------------------------------------
  void results() {
    const op_id end = body_.back();
    std::vector<int> taken;
    for (int i = 0; i < m_.view(end).operand_count(); ++i) {
      const value_id v = m_.operand(end, i);
      const int s = slot(v);
      life& l = slots_[static_cast<size_t>(s)];
      const size_t number = p_.outputs_.size();
      p_.outputs_.push_back({-1, m_.type_of(v).elem, m_.type_of(v).extents()});
      if (l.kind != life::kind_t::arena) {
        p_.copies_.push_back({s, number});
        continue;
      }
      l.kind = life::kind_t::output;
      p_.outputs_.back().slot = s;
    }
  }
  /// By the rule of `passes::plan_memory`.
  void place() {
    std::vector<buffer_life> lives;
    for (size_t s = 0; s < slots_.size(); ++s) {
      const life& l = slots_[s];
      if (l.kind != life::kind_t::arena || l.first < 0) continue;
      p_.arena_.emplace_back(static_cast<int>(s), 0);
      lives.push_back({l.first, l.last, m_.type_of(l.root).bytes() + 64});  // kernels may read a vector's rest
    }
    std::vector<i64> offsets(lives.size());
    p_.arena_bytes_ = place_buffers(lives, offsets.data());
    for (size_t i = 0; i < offsets.size(); ++i) p_.arena_[i].second = offsets[i];
  }

  plan& p_;
  const ir::module& m_;
  function_id f_;
  const kernel_table& k_;
  const std::vector<op_id> body_;
  std::unordered_map<u32, size_t> position_;
  std::unordered_map<u32, int> slot_of_;
  std::vector<life> slots_;
  std::vector<int> group_of_;
  std::vector<std::vector<size_t>> groups_;
};

}  // namespace tenon::xsimd_kernels

#include <tenon/targets/xsimd/planner_steps.ipp>
