/// @file host_side.ipp: definitions of passes/host_side.hpp.
#pragma once

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/host_side.hpp>
#include <tenon/passes/lowering_table.hpp>

namespace tenon::passes {

bool host_side::has_kernels(op_id op) const {
  const ir::op_view v = m_.view(op);
  const lowering_entry* e = more_ == nullptr ? find_lowering(v.info()) : find_lowering(v.info(), *more_);
  if (!v.info().traits.view && (e == nullptr || (e->element == nullptr && e->lower == nullptr))) return false;
  if (!v.info().is_pure() || v.region_count() != 0) return false;
  for (int i = 0; i < v.operand_count(); ++i)
    if (v.has_operand(i) && (!v.operand_type(i).is_tensor() || v.operand_type(i).elem == dtype::string)) return false;
  for (int i = 0; i < v.result_count(); ++i)
    if (!v.result_type(i).is_tensor() || v.result_type(i).elem == dtype::string) return false;
  return true;
}

bool host_side::shapes_follow(op_id op) {
  const ir::op_view v = m_.view(op);
  const bool reads_values = v.is<op::range>() || v.info().absorb != nullptr;
  if (!reads_values) return true;
  // Of constant_of_shape the first operand is the element; of the others it is the data.
  for (int i = v.is<op::range>() ? 0 : 1; i < v.operand_count(); ++i)
    if (v.has_operand(i) && !follows_from_shapes(v.operand(i))) return false;
  return true;
}

bool host_side::is_native(op_id op) { return has_kernels(op) && shapes_follow(op); }

std::string host_side::reason(op_id op) {
  const ir::op_view v = m_.view(op);
  if (is_native(op)) return {};
  if (has_kernels(op)) return "the shape of its result depends on values";
  if (v.region_count() != 0) return "it is control flow";
  for (int i = 0; i < v.operand_count(); ++i)
    if (v.has_operand(i) && v.operand_type(i).is_tensor() && v.operand_type(i).elem == dtype::string)
      return "it works on strings";
  for (int i = 0; i < v.result_count(); ++i)
    if (!v.result_type(i).is_tensor()) return "it works on values that are not tensors";
  return "no loop nests exist for it";
}

bool host_side::follows_from_shapes(value_id value) {
  if (from_shapes_.size() < m_.value_count()) from_shapes_.resize(m_.value_count(), 0);
  // Without recursion: chains of shape arithmetic are long in some models.
  std::vector<value_id> open{value};
  while (!open.empty()) {
    const value_id v = open.back();
    signed char& known = from_shapes_[v.index];
    const op_id op = m_[v].definition;
    if (known != 0 || !op) {
      if (known == 0) known = -1;
      open.pop_back();
      continue;
    }
    const ir::op_view o = m_.view(op);
    if (o.is<op::constant>() || o.is<op::shape_of>() || o.is<op::count_of>()) {
      known = 1;
      continue;
    }
    bool all =
        o.info().is_pure() && o.region_count() == 0 && o.operand_count() != 0 && find_lowering(o.info()) != nullptr;
    bool asked = true;
    for (int i = 0; all && i < o.operand_count(); ++i) {
      if (!o.has_operand(i)) continue;
      const signed char from = from_shapes_[o.operand(i).index];
      if (from == 0) {
        open.push_back(o.operand(i));
        asked = false;
      }
      all = from >= 0;
    }
    if (asked || !all) known = all ? 1 : -1;
  }
  return from_shapes_[value.index] > 0;
}

bool host_side::is_shape_like(value_id v) const {
  const ir::type& t = m_.type_of(v);
  return t.is_tensor() && t.ranked && t.rank() <= 1 && (is_int(t.elem) || t.elem == dtype::boolean);
}

}  // namespace tenon::passes
