// A module's entry as a drawing.
#include "graph_picture.hpp"

#include <algorithm>
#include <unordered_map>

#include <tenon/ir/entry_ports.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/text/print.hpp>

namespace tenon::tool {
namespace {

/// Who made each value, while nodes are added in program order.
class drawer {
 public:
  drawer(const ir::module& m, graph_picture& to) : m_(m), to_(to) {}

  u32 add(std::string label, std::string type, std::vector<std::string> places, bool io = false) {
    to_.nodes.push_back({std::move(label), std::move(type), std::move(places), -1, io, 0, 0});
    return static_cast<u32>(to_.nodes.size() - 1);
  }
  void makes(value_id v, u32 node) { made_[v.index] = node; }
  void reads(value_id v, u32 node) {
    const auto it = made_.find(v.index);
    if (it == made_.end() || it->second == node) return;
    const std::pair<u32, u32> edge(it->second, node);
    const auto mine =
        std::find_if(to_.edges.rbegin(), to_.edges.rend(), [&](const auto& e) { return e.second != node; });
    if (std::find(to_.edges.rbegin(), mine, edge) == mine) to_.edges.push_back(edge);
  }
  void inputs(const ir::function& f, std::span<const value_id> arguments) {
    for (size_t i = 0; i < arguments.size(); ++i)
      makes(arguments[i], add(i < f.argument_names.size() ? f.argument_names[i] : std::to_string(i),
                              print(m_, m_.type_of(arguments[i])), {}, true));
  }
  void output(const ir::function& f, size_t i, value_id v) {
    reads(v,
          add(i < f.result_names.size() ? f.result_names[i] : std::to_string(i), print(m_, m_.type_of(v)), {}, true));
  }

 private:
  const ir::module& m_;
  graph_picture& to_;
  std::unordered_map<u32, u32> made_;
};

function_id entry_or_none(const ir::module& m) {
  for (function_id f : m.functions())
    if (m[f].entry && m[f].kind == ir::function_kind::graph) return f;
  return {};
}

/// "conv + relu" for what was fused, "if (12 ops)" for other ops with regions.
std::string label_of(const ir::module& m, const ir::op_view& v) {
  if (v.region_count() == 0) {
    if (const auto* call = v.get_if<op::call_kernel>()) return call->kernel.name;
    if (const auto* call = v.get_if<op::call>()) return "call " + call->callee.name;
    return std::string(v.name());
  }
  size_t count = 0;
  std::string names;
  for (int r = 0; r < v.region_count(); ++r)
    ir::for_each_op(m, v.region(r), [&](op_id o) {
      const ir::op_view inner = m.view(o);
      if (inner.info().traits.terminator || inner.is<op::constant>()) return;
      if (++count <= 3) names += (count > 1 ? " + " : "") + std::string(inner.name());
    });
  if (v.is<op::fused>()) return count > 3 ? names + " + " + std::to_string(count - 3) + " more" : names;
  return std::string(v.name()) + " (" + std::to_string(count) + " ops)";
}
std::vector<std::string> places_in(const ir::module& m, const ir::op_view& v) {
  std::vector<std::string> places = ir::places_of(m.text(v.location()));
  for (int r = 0; r < v.region_count(); ++r)
    ir::for_each_op(m, v.region(r), [&](op_id o) {
      for (std::string& p : ir::places_of(m.text(m[o].location)))
        if (std::find(places.begin(), places.end(), p) == places.end()) places.push_back(std::move(p));
    });
  return places;
}

}  // namespace

graph_picture picture_of(const ir::module& m) {
  graph_picture g;
  const function_id f = entry_or_none(m);
  if (!f) return g;
  drawer d(m, g);
  d.inputs(m[f], m[m[f].body].arguments);
  for (op_id op : m[m[f].body].ops) {
    const ir::op_view v = m.view(op);
    if (v.is<op::constant>()) continue;
    if (v.is<op::return_>()) {
      for (int i = 0; i < v.operand_count(); ++i) d.output(m[f], static_cast<size_t>(i), v.operand(i));
      continue;
    }
    const u32 n = d.add(label_of(m, v), v.result_count() != 0 ? print(m, v.result_type()) : "", places_in(m, v));
    for (int i = 0; i < v.operand_count(); ++i)
      if (v.has_operand(i)) d.reads(v.operand(i), n);
    for (int i = 0; i < v.result_count(); ++i) d.makes(v.result(i), n);
  }
  return g;
}

graph_picture picture_of(const ir::module& m, const std::vector<ir::entry_step>& steps) {
  graph_picture g;
  const function_id f = entry_or_none(m);
  if (!f) return g;
  drawer d(m, g);
  const std::vector<value_id>& arguments = m[m[f].body].arguments;
  const size_t inputs = ir::input_count(m, f);
  d.inputs(m[f], std::span(arguments).first(inputs));
  const auto root = [&](value_id v) {
    while (m.definition_info(v) == &ir::info_of<op::view_buffer>) v = m.operand(m[v].definition, 0);
    return v;
  };
  for (size_t i = 0; i < steps.size(); ++i) {
    const ir::op_view v = m.view(steps[i].op);
    std::vector<bool> writes(static_cast<size_t>(v.operand_count()), false);
    for (const loop_work::node& n : steps[i].work.nodes)
      if (n.what == loop_work::kind::write && n.number < writes.size()) writes[n.number] = true;
    std::string type;
    const u32 node = d.add(steps[i].name, "", steps[i].sources);
    g.nodes[node].step = static_cast<i64>(i);
    for (int k = 0; k < v.operand_count(); ++k) d.reads(root(v.operand(k)), node);
    for (int k = 0; k < v.operand_count(); ++k) {
      if (!writes[static_cast<size_t>(k)]) continue;
      d.makes(root(v.operand(k)), node);
      if (type.empty()) type = print(m, v.operand_type(k));
    }
    g.nodes[node].type = type;
  }
  for (size_t i = inputs; i < arguments.size(); ++i) d.output(m[f], i - inputs, arguments[i]);
  return g;
}

void lay_out(graph_picture& g) {
  const size_t n = g.nodes.size();
  std::vector<std::vector<u32>> before(n), behind(n);
  for (const auto& [from, to] : g.edges) behind[from].push_back(to), before[to].push_back(from);
  // Nodes stand in program order, so one walk finds the longest ways; inputs move down to their first users.
  i64 last = 0;
  for (size_t i = 0; i < n; ++i) {
    for (u32 p : before[i]) g.nodes[i].row = std::max(g.nodes[i].row, g.nodes[p].row + 1);
    last = std::max(last, g.nodes[i].row);
  }
  for (size_t i = n; i-- > 0;) {
    if (!before[i].empty() || behind[i].empty()) continue;
    i64 first = last;
    for (u32 u : behind[i]) first = std::min(first, g.nodes[u].row);
    g.nodes[i].row = std::max<i64>(first - 1, 0);
  }
  std::vector<std::vector<u32>> rows(static_cast<size_t>(last + 1));
  for (u32 i = 0; i < n; ++i) rows[static_cast<size_t>(g.nodes[i].row)].push_back(i);
  for (auto& row : rows)
    for (size_t k = 0; k < row.size(); ++k)
      g.nodes[row[k]].column = static_cast<double>(k) - static_cast<double>(row.size() - 1) / 2;
  const auto mean = [&](const std::vector<u32>& of, double otherwise) {
    if (of.empty()) return otherwise;
    double sum = 0;
    for (u32 i : of) sum += g.nodes[i].column;
    return sum / static_cast<double>(of.size());
  };
  // Each row in the order of what its nodes would like, at least a column apart, around what they would like together.
  const auto place = [&](std::vector<u32>& row, const std::vector<std::vector<u32>>& near) {
    std::vector<std::pair<double, u32>> wish;
    double wished = 0, got = 0;
    for (u32 i : row) wish.emplace_back(mean(near[i], g.nodes[i].column), i);
    std::sort(wish.begin(), wish.end());
    for (size_t k = 0; k < wish.size(); ++k) {
      double& at = g.nodes[wish[k].second].column;
      at = k == 0 ? wish[k].first : std::max(wish[k].first, g.nodes[wish[k - 1].second].column + 1);
      wished += wish[k].first, got += at, row[k] = wish[k].second;
    }
    for (u32 i : row) g.nodes[i].column -= (got - wished) / static_cast<double>(row.size());
  };
  for (int sweep = 0; sweep < 3; ++sweep) {
    for (auto& row : rows)
      if (!row.empty()) place(row, before);
    if (sweep == 2) break;
    for (size_t r = rows.size(); r-- > 0;)
      if (!rows[r].empty()) place(rows[r], behind);
  }
}

}  // namespace tenon::tool
