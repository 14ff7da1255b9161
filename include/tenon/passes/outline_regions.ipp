/// @file outline_regions.ipp: definition of passes/outline_regions.hpp.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <tenon/compile/analysis.hpp>
#include <tenon/facts/purity_known.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/host_side.hpp>
#include <tenon/passes/inlining.hpp>
#include <tenon/passes/outline.hpp>
#include <tenon/passes/outline_regions.hpp>

namespace tenon::passes {
namespace outlining {

/// Extents up to this many elements are "few numbers": to compute them on the host costs less than a call.
inline constexpr i64 few = 64;

class splitter {
 public:
  splitter(ir::module& m, const std::string& target, const fact::purity& pure)
      : m_(m), sides_(m), pure_(pure), target_(target) {}

  void function(function_id f) {
    prefix_ = m_[f].name;
    block(m_[f].body);
  }

 private:
  /// Where an op of a block is done: by the host in turn `turn`, or in the native region behind that turn.
  enum class side : u8 { constant, shape, host, native };
  struct place {
    side where = side::host;
    int turn = 0;
  };

  void block(region_id r) {
    for (op_id op : std::vector<op_id>(m_[r].ops))
      for (int i = 0; i < m_.view(op).region_count(); ++i) block(m_.region(op, i));
    place_ops(r);
    int turns = 0;
    for (const auto& [op, p] : places_)
      if (p.where == side::native) turns = std::max(turns, p.turn + 1);
    if (turns == 0) return places_.clear();
    const std::vector<op_id> all = m_[r].ops;
    const std::unordered_set<u32> needed = needed_on_host(r);
    const auto is_left = [&](op_id op) {  // what only regions use is copied into them
      const place p = places_.at(op.index);
      return p.where == side::host || (p.where == side::shape && needed.contains(op.index));
    };
    std::vector<std::vector<op_id>> hosts(static_cast<size_t>(turns) + 1), regions(static_cast<size_t>(turns)), sources;
    std::vector<op_id> order;
    for (op_id op : all) {
      const place p = places_.at(op.index);
      if (p.where == side::constant) order.push_back(op);
      else if (p.where == side::native) regions[static_cast<size_t>(p.turn)].push_back(op);
      else if (!m_.view(op).info().traits.terminator && is_left(op))
        hosts[static_cast<size_t>(std::min(p.turn, turns))].push_back(op);
    }
    // Who needs a value of a region elsewhere: `turns` stands for the host.
    std::unordered_map<u32, std::vector<int>> users;
    for (int t = 0; t < turns; ++t) {
      sources.push_back(with_sources(regions[static_cast<size_t>(t)]));
      for (op_id op : sources.back()) users[op.index].push_back(t);
    }
    for (op_id op : all)
      if (is_left(op)) users[op.index].push_back(turns);
    for (int t = 0; t <= turns; ++t) {
      const size_t n = static_cast<size_t>(t);
      order.insert(order.end(), hosts[n].begin(), hosts[n].end());
      if (t < turns && !regions[n].empty()) order.push_back(outline(r, t, regions[n], sources[n], users));
    }
    order.push_back(all.back());
    for (auto it = all.rbegin(); it != all.rend(); ++it)
      if (places_.at(it->index).where != side::constant && !is_left(*it)) erase(*it);
    m_[r].ops = order;
    drop_constants(r);
    places_.clear();
  }

  void erase(op_id op) {
    m_[op].parent = {};  // the block's list does not have it any more
    m_.erase(op);
  }

  /// Constants that only regions used are in the regions now.
  void drop_constants(region_id r) {
    std::vector<op_id> kept;
    for (op_id op : std::vector<op_id>(m_[r].ops)) {
      if (!m_.view(op).is<op::constant>() || m_.has_uses(m_.result(op))) kept.push_back(op);
      else erase(op);
    }
    m_[r].ops = std::move(kept);
  }

  const place* place_of(value_id v) const {
    const op_id d = v ? m_[v].definition : op_id{};
    const auto it = d ? places_.find(d.index) : places_.end();
    return it == places_.end() ? nullptr : &it->second;
  }

  /// Values of the block that an op needs, also in its regions.
  std::vector<value_id> needs(op_id op) const {
    std::vector<value_id> all = m_.operands(op);
    for (int i = 0; i < m_.view(op).region_count(); ++i)
      ir::for_each_op(m_, m_.region(op, i), [&](op_id inner) {
        const auto more = m_.operands(inner);
        all.insert(all.end(), more.begin(), more.end());
      });
    return all;
  }

  bool is_few(value_id v) const {
    const ir::type& t = m_.type_of(v);
    return t.is_tensor() && t.is_static() && t.count() <= few;
  }

  void place_ops(region_id r) {
    places_.clear();
    int last_effect = 0;
    for (op_id op : m_[r].ops) {
      const ir::op_view v = m_.view(op);
      if (v.is<op::constant>()) {
        places_[op.index] = {side::constant, 0};
        continue;
      }
      // The earliest turn in which the host, or a region, has all that it needs.
      int host = 0, region = 0;
      bool from_region = false;
      for (value_id x : needs(op)) {
        const place* p = place_of(x);
        if (p == nullptr) continue;
        host = std::max(host, p->turn + (p->where == side::native ? 1 : 0));
        region = std::max(region, p->where == side::shape ? shape_turn(x) : p->turn);
        from_region = from_region || p->where == side::native;
      }
      bool few_numbers = v.result_count() != 0;
      for (value_id x : m_.results(op)) few_numbers = few_numbers && is_few(x);
      for (value_id x : m_.operands(op)) few_numbers = few_numbers && (!x || is_few(x));
      if (is_shape_arithmetic(op)) {
        places_[op.index] = {side::shape, host};
      } else if (sides_.is_native(op) && (from_region || (!v.info().traits.view && !few_numbers))) {
        places_[op.index] = {side::native, region};
      } else {
        if (!pure_.of_op(m_, op)) host = last_effect = std::max(host, last_effect);
        places_[op.index] = {side::host, host};
      }
    }
  }

  /// The turn of the latest tensor whose shape a value follows from.
  int shape_turn(value_id v) const {
    int turn = 0;
    std::vector<value_id> open{v};
    std::unordered_set<u32> seen;
    while (!open.empty()) {
      const value_id x = open.back();
      open.pop_back();
      const place* p = place_of(x);
      if (p == nullptr || !seen.insert(x.index).second) continue;
      if (p->where != side::shape) {
        turn = std::max(turn, p->turn);
        continue;
      }
      for (value_id y : m_.operands(m_[x].definition)) open.push_back(y);
    }
    return turn;
  }

  /// The ops of a region with the constants and the shape arithmetic that they use, in order.
  std::vector<op_id> with_sources(const std::vector<op_id>& region) {
    std::vector<op_id> all;
    std::unordered_set<u32> inside;
    std::vector<op_id> open;
    for (op_id op : region) {
      open.push_back(op);
      while (!open.empty()) {
        const op_id o = open.back();
        bool ready = true;
        if (!inside.contains(o.index))
          for (value_id x : m_.operands(o)) {
            const op_id d = x ? m_[x].definition : op_id{};
            const bool copied = d && !inside.contains(d.index) && is_copied(d);
            if (copied) open.push_back(d), ready = false;
          }
        if (!ready) continue;
        open.pop_back();
        if (inside.insert(o.index).second) all.push_back(o);
      }
    }
    return all;
  }
  /// Constants and shape arithmetic, of outer blocks too.
  bool is_copied(op_id d) { return m_.view(d).is<op::constant>() || is_shape_arithmetic(d); }
  bool is_shape_arithmetic(op_id op) {
    const auto results = m_.results(op);
    return !results.empty() && !m_.view(op).is<op::constant>() &&
           std::all_of(results.begin(), results.end(),
                       [&](value_id x) { return sides_.follows_from_shapes(x) && sides_.is_shape_like(x); });
  }

  /// Shape arithmetic whose numbers the host needs itself.
  std::unordered_set<u32> needed_on_host(region_id r) const {
    std::unordered_set<u32> needed;
    const std::vector<op_id>& ops = m_[r].ops;
    for (auto it = ops.rbegin(); it != ops.rend(); ++it) {
      if (places_.at(it->index).where != side::shape) continue;
      for (value_id x : m_.results(*it))
        for (use_id u = m_[x].first_use; u; u = m_[u].next) {
          const auto p = places_.find(m_[u].user.index);
          const bool by_host = p == places_.end() || p->second.where == side::host;
          if (by_host || (p->second.where == side::shape && needed.contains(m_[u].user.index)))
            needed.insert(it->index);
        }
    }
    return needed;
  }

  op_id outline(region_id home, int turn, const std::vector<op_id>& region, const std::vector<op_id>& ops,
                const std::unordered_map<u32, std::vector<int>>& users) {
    std::vector<value_id> outputs;
    for (op_id op : region)
      for (value_id x : m_.results(op)) {
        bool outside = false;
        for (use_id u = m_[x].first_use; u && !outside; u = m_[u].next) {
          const auto by = users.find(m_[u].user.index);
          const bool in_block = places_.contains(m_[u].user.index);
          if (by == users.end()) outside = !in_block;  // else shape arithmetic that nobody needs
          else outside = std::any_of(by->second.begin(), by->second.end(), [&](int t) { return t != turn; });
        }
        if (outside) outputs.push_back(x);
      }
    const std::string name = free_name();
    const op_id call = copy_into_function(m_, name, ops, outputs, m_[region.front()].location);
    m_[m_.find_function(name)].target = target_;
    m_[call].parent = home;
    return call;
  }
  /// Regions of an earlier run may be there.
  std::string free_name() {
    std::string name;
    do name = prefix_ + "." + std::to_string(count_++);
    while (m_.find_function(name));
    return name;
  }

  ir::module& m_;
  host_side sides_;
  const fact::purity& pure_;
  std::string target_, prefix_;
  size_t count_ = 0;
  std::unordered_map<u32, place> places_;  ///< of the block that is split
};

/// Regions of an earlier run that passes have changed, so that they are not native any more: their ops go back to where
/// they are called, and are split with what stands there.
inline void take_back(ir::module& m, const std::string& target) {
  host_side sides(m);
  std::vector<function_id> back;
  for (function_id f : m.functions()) {
    if (!m[f].here(ir::function_kind::graph) || m[f].target != target || m[f].entry) continue;
    bool native = true;
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      const ir::op_view v = m.view(op);
      native = native && (v.is<op::constant>() || v.info().traits.terminator || sides.is_native(op));
    });
    if (!native) back.push_back(f);
  }
  for (function_id f : back) {
    m[f].target.clear();
    std::vector<op_id> calls;
    ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
      if (const auto* c = m.view(op).get_if<op::call>(); c != nullptr && c->callee.name == m[f].name)
        calls.push_back(op);
    });
    for (op_id call : calls) {
      const std::vector<value_id> given = m.operands(call);
      inline_body(m, call, m[f].body, given);
    }
    m.erase_function(f);
  }
}

}  // namespace outlining

void outline_regions::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  outlining::take_back(m, target);
  const fact::purity& pure = cx.analysis<fact::purity_known>(*this, m);
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph) && m[f].target.empty()) outlining::splitter(m, target, pure).function(f);
}

}  // namespace tenon::passes
