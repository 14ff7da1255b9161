/// @file fold_constants.ipp: definitions of passes/fold_constants.hpp.
#pragma once

#include <algorithm>
#include <optional>

#include <tenon/core/attempt.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/moved_elements.hpp>
#include <tenon/ops/graph/movement.hpp>
#include <tenon/ops/graph/movement_shapes.hpp>
#include <tenon/ops/graph/packed.hpp>
#include <tenon/passes/fold_constants.hpp>

namespace tenon::passes {
namespace folding {

inline void replace_by_constants(ir::module& m, op_id op, std::vector<tensor> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    const value_id old = m.result(op, static_cast<int>(i));
    if (!m.has_uses(old)) continue;
    ir::builder<ops<op::constant>> b(m, m[op].parent);
    b.before(op);
    m.replace_uses(old, b.make(op::constant{m.add_constant(std::move(values[i]))}, {}));
  }
}

/// Bytes of the results when the types say so, else -1.
inline i64 result_bytes(const ir::module& m, op_id op) {
  i64 n = 0;
  for (value_id v : m.results(op)) {
    if (!m.type_of(v).is_static()) return -1;
    n += m.type_of(v).bytes();
  }
  return n;
}

}  // namespace folding

namespace folding {

/// What ops that only move elements make of large constants, computed when somebody reads it: kernels have it in one
/// step, and what is neither kept nor packed again is never in memory.
inline std::optional<tensor> moved(const ir::op_view& v, std::span<const tensor* const> operands) {
  const auto* t = v.get_if<op::transpose>();
  const auto* p = v.get_if<op::pack_panels>();
  if (t == nullptr && (p == nullptr || p->interleave != 1 || p->panel < 1)) return std::nullopt;
  const tensor* const from = operands.size() == 1 ? operands[0] : nullptr;
  if (from == nullptr || from->rank() < 1 || from->type() == dtype::string) return std::nullopt;
  op::moved_elements r(*from);
  if (t != nullptr) {
    const auto order = op::movement_detail::full_permutation(*t, from->shape().size());
    if (order.size() != from->shape().size()) return std::nullopt;
    r.transpose(order);
  } else {
    r.pack(p->panel);
  }
  return r.result_when_read();
}

}  // namespace folding

bool is_foldable(const ir::op_info& info) { return info.is_pure() && &info != &ir::info_of<op::call_pure_packed>; }

bool fold_op(ir::module& m, op_id op, i64 max_bytes, std::span<const eval_entry> evaluations) {
  const ir::op_view v = m.view(op);
  const ir::op_info& info = v.info();
  if (!is_foldable(info) || v.region_count() != 0 || v.result_count() == 0 || v.is<op::constant>()) return false;
  bool used = false;
  for (value_id r : m.results(op)) used = used || m.has_uses(r);
  if (!used) return false;
  if (info.value_from_type != nullptr) {
    tensor value;
    if (!info.value_from_type(m.attributes(m[op].attributes), v.operand_type(0), value)) return false;
    folding::replace_by_constants(m, op, {std::move(value)});
    return true;
  }
  if (find_evaluation(info, evaluations) == nullptr) return false;
  std::vector<const tensor*> operands;
  i64 given = 0;
  for (value_id x : m.operands(op)) {
    operands.push_back(m.constant_value(x));
    if (!x) continue;
    if (operands.back() == nullptr) return false;
    given += operands.back()->bytes();
  }
  if (given == 0 && operands.empty()) return false;
  const i64 limit = std::max(given, max_bytes);
  if (folding::result_bytes(m, op) > limit) return false;
  std::vector<tensor> results;
  const failure wrong = attempt([&] {
    if (auto moved = folding::moved(v, operands)) results.push_back(*std::move(moved));
    else results = evaluate_op(m, op, operands, evaluations);
  });
  if (wrong) return false;          // it fails when it runs, if it runs at all
  for (const tensor* t : operands)  // nobody reads all of them soon
    if (t != nullptr) release_pages(*t);
  i64 bytes = 0;
  for (const tensor& t : results) bytes += t.bytes();
  if (bytes > limit) return false;
  folding::replace_by_constants(m, op, std::move(results));
  return true;
}

void erase_unused(ir::module& m, op_id op) {
  constexpr i64 least_bytes = 1 << 16;
  std::vector<op_id> open{op};
  while (!open.empty()) {
    const op_id o = open.back();
    open.pop_back();
    if (!m.alive(o) || !m.view(o).info().is_pure() || m.view(o).region_count() != 0) continue;
    if (m.view(o).is<op::call>()) continue;  // eliminate_dead knows what callees do
    const std::vector<value_id> results = m.results(o);
    if (std::any_of(results.begin(), results.end(), [&](value_id v) { return m.has_uses(v); })) continue;
    if (const auto* c = m.view(o).get_if<op::constant>()) {
      const constant_id elements = c->value;
      if (m[elements].value.bytes() < least_bytes) continue;
      m.erase(o);
      m.release_constant(elements);
      continue;
    }
    for (value_id v : m.operands(o))
      if (v && m[v].definition) open.push_back(m[v].definition);
    m.erase(o);
  }
}

bool absorb_constants(ir::module& m, op_id op) {
  const ir::op_info& info = m.view(op).info();
  if (info.absorb == nullptr) return false;
  const int count = m.view(op).operand_count();
  std::unique_ptr<void, void (*)(void*)> attributes{info.copy(m.attributes(m[op].attributes)), info.destroy};
  bool changed = false;
  for (int i = 1; i < count; ++i) {
    const tensor* value = m.constant_value(m.operand(op, i));
    if (value == nullptr) continue;
    std::unique_ptr<void, void (*)(void*)> tried{info.copy(attributes.get()), info.destroy};
    if (!info.absorb(tried.get(), i, *value)) continue;
    attributes = std::move(tried);
    m.set_operand(op, i, {});
    changed = true;
  }
  if (!changed) return false;
  while (m[op].operand_count > 1 && !m.operand(op, static_cast<int>(m[op].operand_count) - 1)) --m[op].operand_count;
  m.set_attributes(op, m.intern_attributes(info, attributes.get()));
  return true;
}

namespace folding {

inline void fold_region(ir::module& m, region_id r, i64 max_bytes, std::span<const eval_entry> evaluations) {
  const std::vector<op_id> ops = m[r].ops;
  for (op_id op : ops) {
    if (!m.alive(op)) continue;
    for (int i = 0; i < m.view(op).region_count(); ++i) fold_region(m, m.region(op, i), max_bytes, evaluations);
    absorb_constants(m, op);
    ir::refine_op(m, op);
    if (fold_op(m, op, max_bytes, evaluations)) erase_unused(m, op);
  }
}

}  // namespace folding

void fold_constants::run(ir_module<runs_in>& module, context&) const {
  ir::module& m = module.body();
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph)) folding::fold_region(m, m[f].body, max_bytes, evaluations);
  ir::refine_types(m);  // for results that functions state
}

}  // namespace tenon::passes
