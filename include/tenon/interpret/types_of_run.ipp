/// @file types_of_run.ipp: what the type rules say of a region for the values of one run, without running it.
#pragma once

#include <unordered_set>
#include <vector>

#include <tenon/core/attempt.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ir/transplant.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>

namespace tenon::interpreting {

/// Copies the ops of a region but for its terminator, and in the place of a call those of the function, which rules see
/// with the values of this call.
inline void copy_with_calls(const ir::module& m, region_id from, ir::transplanter& copy, region_id to, int depth = 0) {
  for (const op_id op : m[from].ops) {
    const ir::op_view v = m.view(op);
    if (v.info().traits.terminator) return;
    const auto* const call = v.get_if<op::call>();
    const function_id f = call != nullptr ? m.find_function(call->callee.name) : function_id{};
    const op_id end = f && m[f].here(ir::function_kind::graph) && depth < 250 ? m.terminator(m[f].body) : op_id{};
    const std::vector<value_id> given = m.operands(op), results = m.results(op);
    if (!end || given.size() != m[m[f].body].arguments.size() || results.size() != m.operands(end).size()) {
      copy.copy(op, to);
      continue;
    }
    for (size_t i = 0; i < given.size(); ++i) copy.map(m[m[f].body].arguments[i], copy.at(given[i]));
    copy_with_calls(m, m[f].body, copy, to, depth + 1);
    for (size_t i = 0; i < results.size(); ++i) copy.map(results[i], copy.at(m.operands(end)[i]));
  }
}

/// The types of what a region would yield, where `known` gives the tensors of its arguments and of what it uses from
/// around it (null: another value, or none). Nothing where a rule does not allow these values.
template <class Known>
std::vector<ir::type> types_of_run(const ir::module& m, region_id region, Known&& known) {
  constexpr i64 most_elements = 64;  // of what lists of extents, axes and numbers have, which rules ask for
  ir::module part;
  part.build.values_are_bound = true;
  ir::transplanter copy(m, part);
  const region_id body = part[part.add_function("run", ir::function_kind::graph, {})].body;
  ir::builder<> b(part, body);
  const auto bring = [&](value_id v) {
    if (copy.at(v)) return;
    const tensor* const t = known(v);
    if (t != nullptr && t->size() <= most_elements) {
      copy.map(v, b.make(op::constant{part.add_constant(*t)}, {}));
    } else {
      type_id type = copy.type(m[v].type);
      if (t != nullptr) type = part.intern(ir::type::tensor(t->type(), {t->shape().begin(), t->shape().end()}));
      copy.map(v, part.add_argument(body, type));
    }
  };
  std::unordered_set<u32> inside;
  ir::for_each_op(m, region, [&](op_id op) {
    for (const value_id v : m.results(op)) inside.insert(v.index);
    for (u32 i = 0; i < m[op].region_count; ++i)
      for (const value_id v : m[m.region(op, static_cast<int>(i))].arguments) inside.insert(v.index);
  });
  const failure wrong = attempt([&] {
    for (const value_id v : m[region].arguments) bring(v);
    ir::for_each_op(m, region, [&](op_id op) {
      for (const value_id v : m.operands(op))
        if (v && inside.count(v.index) == 0) bring(v);
    });
    copy_with_calls(m, region, copy, body);
    ir::refine_types(part);
  });
  if (wrong) return {};
  std::vector<ir::type> types;
  for (const value_id v : m.operands(m.terminator(region))) types.push_back(part.type_of(copy.at(v)));
  return types;
}

}  // namespace tenon::interpreting
