/// @file partition_for.ipp: definition of passes/partition_for.hpp.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <tenon/compile/analysis.hpp>
#include <tenon/facts/purity_known.hpp>
#include <tenon/ir/check_constraints.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/passes/outline.hpp>
#include <tenon/passes/partition_for.hpp>

namespace tenon {

std::string partition_report::text() const {
  std::string s;
  const auto counted = [](const std::vector<std::string>& names) {
    std::map<std::string, int> times;
    for (const std::string& n : names) ++times[n];
    std::string t;
    for (const auto& [n, k] : times) t += (t.empty() ? "" : ", ") + (k > 1 ? std::to_string(k) + " " : "") + n;
    return t;
  };
  for (const part& p : parts)
    s += p.function + " for " + p.target + ": " + std::to_string(p.ops) + " ops (" + counted(p.patterns) + ")\n";
  std::map<std::string, int> times;
  for (const left& l : host) ++times["'" + l.op + "' is left to the host by " + l.target + ": " + l.why];
  for (const auto& [line, k] : times) s += (k > 1 ? std::to_string(k) + " times " : "") + line + "\n";
  return s;
}

namespace passes {
namespace partitioning {

/// One graph function that is partitioned. A node is a part, or an op that stays.
class partitioner {
 public:
  partitioner(ir::module& m, function_id f, std::string_view target, std::span<const pattern_entry> patterns,
              const partition_options& o, partition_report& report, const fact::purity& pure)
      : m_(m), f_(f), body_(m[f].body), target_(target), patterns_(patterns), options_(o), report_(report), pure_(pure),
        tops_(m[body_].ops) {
    for (size_t i = 0; i < tops_.size(); ++i) position_[tops_[i].index] = i;
    node_of_.resize(tops_.size());
    for (size_t i = 0; i < tops_.size(); ++i) node_of_[i] = i;
    patterns_of_.resize(tops_.size());
    why_.resize(tops_.size());
    members_.resize(tops_.size());
    for (size_t i = 0; i < tops_.size(); ++i) members_[i] = {i};
    part_.resize(tops_.size(), false);
    before_ = ir::dependences(m_, tops_, pure_);
    after_.resize(tops_.size());
    for (size_t i = 0; i < tops_.size(); ++i)
      for (size_t b : before_[i]) after_[b].push_back(i);
  }

  void run() {
    for (const pattern_entry& p : patterns_) claim(p);
    if (options_.joined != nullptr) join();
    else if (options_.merge) merge();
    for (size_t n = 0; n < tops_.size(); ++n)
      if (part_[n] && static_cast<i64>(members_[n].size()) < options_.least_ops)
        give_up(n, "the part that it is in has less than " + std::to_string(options_.least_ops) + " ops");
    report_host();
    cut_out();
  }

 private:
  // -- matching ------------------------------------------------------------------------------------------------------
  bool may_move(op_id op) const {
    const ir::op_view v = m_.view(op);
    return v.info().is_pure() && v.region_count() == 0 && !v.is<op::call>() && !v.is<op::constant>();
  }
  /// Another target than this one is to run it.
  bool is_elsewhere(op_id op) const { return !ir::is_constraint_for(m_.target(m_[op].location), target_); }
  void claim(const pattern_entry& p) {
    for (size_t i = tops_.size(); i-- > 0;) {
      if (part_[node_of_[i]] || !may_move(tops_[i])) continue;
      if (is_elsewhere(tops_[i])) {
        why_[i] = "it is constrained to '" + m_.target(m_[tops_[i]].location) + "'";
        continue;
      }
      matched_ops found;
      std::string_view why_not;
      if (!p.match(m_, tops_[i], found, why_not)) {
        if (!why_not.empty()) why_[i] = std::string(p.name) + " asks for " + std::string(why_not);
        continue;
      }
      std::vector<size_t> at;
      bool good = true;
      for (op_id op : found.ops) {
        const auto it = position_.find(op.index);
        good = good && it != position_.end() && !part_[node_of_[it->second]] && may_move(op) && !is_elsewhere(op);
        if (good) at.push_back(it->second);
      }
      if (!good) continue;
      if (options_.one_result && others_use(found.ops)) {
        why_[i] = std::string(p.name) + " matches, but others use what it computes on its way";
        continue;
      }
      std::sort(at.begin(), at.end());
      if (makes_cycle(at)) {
        why_[i] = std::string(p.name) + " matches, but the part would depend on itself through other ops";
        continue;
      }
      const size_t n = at.front();
      members_[n] = at;
      part_[n] = true;
      patterns_of_[n] = {std::string(p.name)};
      for (size_t a : at) node_of_[a] = n;
    }
  }
  /// Has an op of a match, but the outermost, a result that others use, or has that one several?
  bool others_use(const std::vector<op_id>& ops) const {
    if (m_.results(ops.front()).size() != 1) return true;
    return std::any_of(ops.begin() + 1, ops.end(), [&](op_id op) {
      for (value_id v : m_.results(op))
        for (use_id u = m_[v].first_use; u; u = m_[u].next)
          if (std::find(ops.begin(), ops.end(), m_[u].user) == ops.end()) return true;
      return false;
    });
  }
  /// Does a path lead from these ops over others back to them? Parts are passed as a whole.
  bool makes_cycle(const std::vector<size_t>& at) {
    const auto inside = [&](size_t i) { return std::binary_search(at.begin(), at.end(), i); };
    size_t exits = 0;
    for (size_t a : at) {
      bool leaves = false;
      for (size_t u : after_[a]) leaves = leaves || !inside(u);
      exits += leaves;
    }
    // Where each part has one way out, which all its ops lead to, a cycle of parts would be one of ops.
    if (exits <= 1 && all_single_) return false;
    std::vector<bool> seen(tops_.size());
    std::vector<size_t> todo;
    const auto visit = [&](size_t i) {
      for (size_t k : members_[node_of_[i]])
        if (!seen[k]) seen[k] = true, todo.push_back(k);
    };
    for (size_t a : at)
      for (size_t u : after_[a])
        if (!inside(u)) visit(u);
    while (!todo.empty()) {
      const size_t i = todo.back();
      todo.pop_back();
      for (size_t u : after_[i]) {
        if (inside(u)) return true;
        visit(u);
      }
    }
    if (exits > 1) all_single_ = false;
    return false;
  }

  // -- merging -------------------------------------------------------------------------------------------------------
  /// Nodes such that each comes after all that it depends on; among those that may come, the first one of the program.
  std::vector<size_t> ordered() const {
    std::vector<std::set<size_t>> wait(tops_.size());
    std::vector<std::vector<size_t>> next(tops_.size());
    for (size_t i = 0; i < tops_.size(); ++i)
      for (size_t b : before_[i])
        if (node_of_[b] != node_of_[i] && wait[node_of_[i]].insert(node_of_[b]).second)
          next[node_of_[b]].push_back(node_of_[i]);
    std::set<size_t> ready;
    std::vector<size_t> waiting(tops_.size()), order;
    for (size_t i = 0; i < tops_.size(); ++i) {
      waiting[i] = wait[i].size();
      if (node_of_[i] == i && waiting[i] == 0) ready.insert(i);
    }
    while (!ready.empty()) {
      const size_t n = *ready.begin();
      ready.erase(ready.begin());
      order.push_back(n);
      for (size_t k : next[n])
        if (--waiting[k] == 0) ready.insert(k);
    }
    return order;
  }
  /// A part's stage is how many times the way to it goes back to the host: parts of one stage never depend on each
  /// other over the host, so that those of them which touch can be one.
  void merge() {
    std::vector<i64> stage(tops_.size(), -1);
    std::vector<size_t> root(tops_.size());
    for (size_t i = 0; i < root.size(); ++i) root[i] = i;
    const auto find = [&](size_t i) {
      while (root[i] != i) i = root[i] = root[root[i]];
      return i;
    };
    const std::vector<size_t> order = ordered();
    for (size_t n : order) {
      i64& s = stage[n];
      if (part_[n]) s = 0;
      for (size_t i : members_[n])
        for (size_t b : before_[i]) {
          const size_t p = node_of_[b];
          if (p != n) s = std::max(s, stage[p] + (part_[n] && !part_[p] ? 1 : 0));
        }
    }
    for (size_t n : order)
      if (part_[n])
        for (size_t i : members_[n])
          for (size_t b : before_[i])
            if (const size_t p = node_of_[b]; p != n && part_[p] && stage[p] == stage[n]) {
              const size_t x = find(p), y = find(n);
              root[std::max(x, y)] = std::min(x, y);
            }
    for (size_t n : order) {
      const size_t to = find(n);
      if (!part_[n] || to == n) continue;
      members_[to].insert(members_[to].end(), members_[n].begin(), members_[n].end());
      patterns_of_[to].insert(patterns_of_[to].end(), patterns_of_[n].begin(), patterns_of_[n].end());
      for (size_t i : members_[n]) node_of_[i] = to;
      members_[n].clear(), part_[n] = false;
    }
    for (auto& at : members_) std::sort(at.begin(), at.end());
  }
  void give_up(size_t n, const std::string& why) {
    part_[n] = false;
    for (size_t i : std::vector<size_t>(members_[n])) {
      node_of_[i] = i, members_[i] = {i};
      why_[i] = why;
    }
  }

  // -- joining -------------------------------------------------------------------------------------------------------
  joint joined(const std::vector<size_t>& at) const {
    std::vector<op_id> ops;
    for (size_t i : at) ops.push_back(tops_[i]);
    return options_.joined(m_, ops);
  }
  /// Matches become parts that the target computes at once. What leaves such a part leaves by its last op, or it is one
  /// match, so that parts never depend on each other in a cycle.
  void join() {
    std::vector<bool> settled(tops_.size());
    for (size_t n = 0; n < tops_.size(); ++n) {
      if (!part_[n] || settled[n]) continue;
      settled[n] = true;
      std::vector<size_t> at = members_[n], matches, best;
      size_t taken = 0;
      joint found = joined(at);
      while (found != joint::no && matches.size() + 1 < options_.most_joined) {
        const size_t next = next_reader(at);
        if (next == tops_.size() || settled[next]) break;
        at.insert(at.end(), members_[next].begin(), members_[next].end());
        const joint now = joined(at);
        if (now == joint::no) break;
        matches.push_back(next);
        if (now == joint::yes) found = now, best = at, taken = matches.size();
      }
      if (found != joint::yes) {
        give_up(n, "it is no part by itself");
        continue;
      }
      for (size_t k = 0; k < taken; ++k) {
        const size_t from = matches[k];
        settled[from] = true, part_[from] = false, members_[from].clear();
        patterns_of_[n].insert(patterns_of_[n].end(), patterns_of_[from].begin(), patterns_of_[from].end());
      }
      if (taken == 0) continue;
      for (size_t i : best) node_of_[i] = n;
      members_[n] = best;
    }
  }
  /// The part of the first op behind these that reads one of their values, if that op is where it begins.
  size_t next_reader(const std::vector<size_t>& at) const {
    size_t next = tops_.size();
    for (size_t i : at)
      for (size_t u : after_[i])
        if (u < next && std::find(at.begin(), at.end(), u) == at.end()) next = u;
    return next != tops_.size() && next > at.back() && part_[node_of_[next]] && node_of_[next] == next ? next
                                                                                                       : tops_.size();
  }

  void report_host() {
    for (size_t i = 0; i < tops_.size(); ++i) {
      const ir::op_view v = m_.view(tops_[i]);
      if (part_[node_of_[i]] || v.info().traits.terminator || v.is<op::constant>() || v.is<op::call>() ||
          v.is<op::call_external>())
        continue;
      report_.host.push_back({std::string(v.name()), m_.text(v.location()), std::string(target_),
                              why_[i].empty() ? "no pattern matches it" : why_[i]});
    }
  }

  // -- cutting -------------------------------------------------------------------------------------------------------
  bool goes_along(value_id v) const {
    const tensor* c = m_.constant_value(v);
    return c != nullptr && c->bytes() <= options_.inner_bytes;
  }
  void cut_out() {
    const std::vector<size_t> order = ordered();
    std::vector<op_id> made, gone;
    for (size_t n : order) {
      if (!part_[n]) {
        made.push_back(tops_[n]);
        continue;
      }
      made.push_back(cut_out(n));
      for (size_t i : members_[n]) gone.push_back(tops_[i]);
    }
    std::sort(gone.begin(), gone.end(),
              [&](op_id a, op_id b) { return position_.at(a.index) > position_.at(b.index); });
    for (op_id op : gone) m_.erase(op);
    m_[body_].ops = made;
    for (op_id op : std::vector<op_id>(made)) {  // constants that went along
      if (!m_.view(op).is<op::constant>() || m_.has_uses(m_.result(op))) continue;
      m_.erase(op);
    }
  }
  /// That no function has, nor the code of a part that another compilation cut out before. What one kernel computes is
  /// called by its ops, too, as kernels of loop nests are.
  std::string free_name(const std::vector<size_t>& members) const {
    constexpr size_t named = 4;
    std::string begin(target_);
    for (size_t k = 0; options_.joined != nullptr && k < std::min(named, members.size()); ++k)
      begin += "_" + std::string(m_.view(tops_[members[k]]).name());
    for (size_t i = report_.parts.size();; ++i) {
      const std::string name = begin + "_" + std::to_string(i);
      if (!m_.find_function(name) && m_.artifacts().find(name) == nullptr) return name;
    }
  }
  /// Makes the function of a part and the call that takes its place.
  op_id cut_out(size_t n) {
    const auto inside = [&](op_id op) {
      const auto it = position_.find(op.index);
      return it != position_.end() && node_of_[it->second] == n;
    };
    std::vector<op_id> ops;
    std::vector<value_id> outputs;
    for (size_t i : members_[n]) {
      for (value_id v : m_.operands(tops_[i]))
        if (v && goes_along(v) && std::find(ops.begin(), ops.end(), m_[v].definition) == ops.end())
          ops.push_back(m_[v].definition);
      ops.push_back(tops_[i]);
      for (value_id v : m_.results(tops_[i])) {
        bool leaves = false;
        for (use_id u = m_[v].first_use; u; u = m_[u].next) leaves = leaves || !inside(m_[u].user);
        if (leaves) outputs.push_back(v);
      }
    }
    const std::string name = free_name(members_[n]);
    const op_id call = copy_into_function(m_, name, ops, outputs, m_[tops_[members_[n].back()]].location);
    m_[m_.find_function(name)].target = std::string(target_);
    m_.append(body_, call);
    report_.parts.push_back({name, std::string(target_), patterns_of_[n], members_[n].size()});
    return call;
  }

  ir::module& m_;
  function_id f_;
  region_id body_;
  std::string_view target_;
  std::span<const pattern_entry> patterns_;
  const partition_options& options_;
  partition_report& report_;
  const fact::purity& pure_;
  std::vector<op_id> tops_;
  std::unordered_map<u32, size_t> position_;
  std::vector<std::vector<size_t>> before_, after_;
  std::vector<size_t> node_of_;               ///< for each op the position that stands for its node
  std::vector<std::vector<size_t>> members_;  ///< of each node, ascending
  std::vector<bool> part_;
  std::vector<std::vector<std::string>> patterns_of_;
  std::vector<std::string> why_;
  bool all_single_ = true;
};

}  // namespace partitioning

void partition(ir::module& m, std::string_view target, std::span<const pattern_entry> patterns,
               const partition_options& o, context& cx) {
  partition_report* report = cx.find<partition_report>();
  if (report == nullptr) report = &cx.set(partition_report{});
  const fact::purity& pure = cx.analysis<fact::purity_known>(m);
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph) && ir::is_constraint_for(m[f].target, target))
      partitioning::partitioner(m, f, target, patterns, o, *report, pure).run();
  m.compact();
}

}  // namespace passes
}  // namespace tenon
