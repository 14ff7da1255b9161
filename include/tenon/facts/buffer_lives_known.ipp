/// @file buffer_lives_known.ipp: definitions of facts/buffer_lives_known.hpp.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <tenon/facts/buffer_lives_known.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>

namespace tenon::fact {

namespace detail {
/// Calls `found` with each buffer whose storage `v` may be, once, and with none for what is no buffer's.
template <class Found>
void follow_aliases(const ir::module& m, value_id v, const Found& found) {
  std::vector<value_id> left;
  std::unordered_set<u32> seen;  // of values that are reached in several ways
  for (;;) {
    const ir::op_info* const info = m.definition_info(v);
    if (info == nullptr || info->aliases == 0) {
      found(info == &ir::info_of<op::alloc> ? m[v].definition : op_id{});
    } else {
      const auto operands = m.operands(m[v].definition);
      value_id next;
      for (size_t i = 0; i < operands.size() && i < 32; ++i) {
        if ((info->aliases >> i & 1) == 0 || !operands[i]) continue;
        if (!next) next = operands[i];
        else if (seen.insert(operands[i].index).second) left.push_back(operands[i]);
      }
      if (next) {
        v = next;
        continue;
      }
    }
    if (left.empty()) return;
    v = left.back(), left.pop_back();
  }
}
}  // namespace detail

std::vector<op_id> storages_of(const ir::module& m, value_id v) {
  std::vector<op_id> all;
  detail::follow_aliases(m, v, [&](op_id buffer) {
    if (buffer && std::find(all.begin(), all.end(), buffer) == all.end()) all.push_back(buffer);
  });
  return all;
}

op_id storage_of(const ir::module& m, value_id v) {
  op_id only;
  bool one = true;
  detail::follow_aliases(m, v, [&](op_id buffer) {
    one = one && buffer && (!only || only == buffer);
    only = buffer;
  });
  return one ? only : op_id{};
}

std::vector<live_range> live_ranges(const ir::module& m, region_id body) {
  std::vector<live_range> ranges;
  std::unordered_map<u32, size_t> number;
  const auto& ops = m[body].ops;
  const auto use = [&](op_id op, size_t i) {
    for (value_id v : m.operands(op)) {
      if (!v) continue;  // absent
      for (const op_id a : storages_of(m, v)) {
        const auto at = number.find(a.index);
        if (at == number.end()) continue;  // of a region within
        live_range& r = ranges[at->second];
        if (!r.used) r.first = i, r.used = true;
        r.last = i;
      }
    }
  };
  for (size_t i = 0; i < ops.size(); ++i) {
    if (m.view(ops[i]).is<op::alloc>()) {
      number.emplace(ops[i].index, ranges.size());
      const ir::type& t = m.view(ops[i]).result_type();
      const extent_expr size = ir::count_of(m, t) * extent_expr(size_of(t.elem));
      ranges.push_back({ops[i], size.is_constant() ? size.constant() : -1, size.text(), i, i});
      continue;
    }
    const ir::op_info& info = *m[ops[i]].info;
    if (info.aliases != 0 && info.is_pure() && m[ops[i]].region_count == 0) continue;  // a view alone touches nothing
    use(ops[i], i);
    for (u32 k = 0; k < m[ops[i]].region_count; ++k)  // of an op that users add
      ir::for_each_op(m, m.region(ops[i], static_cast<int>(k)), [&](op_id inner) { use(inner, i); });
  }
  return ranges;
}

std::map<function_id, std::vector<live_range>> buffer_lives_known::compute(const ir::module& m) {
  std::map<function_id, std::vector<live_range>> lives;
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph)) lives.emplace(f, live_ranges(m, m[f].body));
  return lives;
}

}  // namespace tenon::fact
