/// @file buffer_lives_known.ipp: definitions of facts/buffer_lives_known.hpp.
#pragma once

#include <unordered_map>

#include <tenon/facts/buffer_lives_known.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>

namespace tenon::fact {

op_id storage_of(const ir::module& m, value_id v) {
  while (m.definition_info(v) == &ir::info_of<op::view_buffer>) v = m.operand(m[v].definition, 0);
  return m.definition_info(v) == &ir::info_of<op::alloc> ? m[v].definition : op_id{};
}

std::vector<live_range> live_ranges(const ir::module& m, region_id body) {
  std::vector<live_range> ranges;
  std::unordered_map<u32, size_t> number;
  const auto& ops = m[body].ops;
  const auto use = [&](op_id op, size_t i) {
    for (value_id v : m.operands(op)) {
      const op_id a = v ? storage_of(m, v) : op_id{};  // absent operands have none
      const auto at = a ? number.find(a.index) : number.end();
      if (at == number.end()) continue;  // or it is of a region within
      live_range& r = ranges[at->second];
      if (!r.used) r.first = i, r.used = true;
      r.last = i;
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
    if (m.view(ops[i]).is<op::view_buffer>()) continue;  // a view alone touches nothing
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
