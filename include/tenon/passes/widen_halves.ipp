/// @file widen_halves.ipp: definition of passes/widen_halves.hpp.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/widen_halves.hpp>

namespace tenon::passes {
namespace widening {

using form = excess_precision;
form form_of(const ir::module& m, op_id op) {
  const ir::op_info& info = *m[op].info;
  return info.excess != nullptr ? info.excess(m.attributes(m[op].attributes)) : info.traits.excess.form;
}

class widener {
 public:
  widener(ir::module& m, const kernel_options& program) : m_(m), program_(program), b_(m, {}) {}

  void region(region_id r) {
    const std::vector<op_id> ops = m_[r].ops;
    for (size_t i = 0; i < ops.size(); ++i) {
      for (u32 k = 0; k < m_[ops[i]].region_count; ++k) region(m_.region(ops[i], static_cast<int>(k)));
      if (i + 1 < ops.size()) visit(ops[i], ops[i + 1]);  // what ends a region stays as it is
    }
  }
  /// Roundings that nobody reads.
  void clean() {
    for (size_t i = made_.size(); i-- > 0;)
      if (!m_.has_uses(m_.result(made_[i]))) m_.erase(made_[i]);
  }

 private:
  bool is_half(value_id v) const { return v && m_.type_of(v).is_tensor() && op::is_half(m_.type_of(v).elem); }
  bool is_f32(value_id v) const { return m_.type_of(v).is_tensor() && m_.type_of(v).elem == dtype::f32; }
  bool widens(op_id op) const { return program_.of(ir::constraint_of(m_, op)).widens_halves(); }

  void visit(op_id op, op_id next) {
    bool any = false;
    for (value_id v : m_.operands(op)) any = any || is_half(v);
    for (value_id v : m_.results(op)) any = any || is_half(v);
    if (!any || !widens(op)) return;
    const ir::op_view v = m_.view(op);
    if (const auto* c = v.get_if<op::cast>()) return convert(op, *c);
    const form f = form_of(m_, op);
    if (f == form::none || !is_half(m_.result(op))) return;
    int wide = 0, narrow = 0;
    for (int i = 0; i < last_half(v); ++i) {
      if (!is_half(m_.operand(op, i)) || m_.constant_value(m_.operand(op, i)) != nullptr) continue;
      ++(wide_of(m_.operand(op, i), op) ? wide : narrow);
    }
    if (f == form::chooses && wide == 0) return;
    if (f == form::moves && (wide == 0 || narrow > 0 || !is_computed_with(m_.result(op)))) return;
    widen(op, next);
  }

  /// The operands from here on are not of the result's type: scales, places.
  int last_half(const ir::op_view& v) const {
    const int said = v.info().traits.excess.operands;
    return said < 0 ? v.operand_count() : std::min(said, v.operand_count());
  }

  void convert(op_id op, const op::cast& c) {
    const value_id x = m_.operand(op, 0), y = m_.result(op);
    if (c.excess && is_half(y) && is_f32(x)) {
      wide_[y.index] = x;
    } else if (is_half(x) && is_f32(y)) {
      const value_id wide = wide_of(x, op);
      if (!wide) return;
      m_.replace_uses(y, wide);
      m_.erase(op);
    }
  }

  void widen(op_id op, op_id next) {
    for (int i = 0, n = last_half(m_.view(op)); i < n; ++i)
      if (const value_id x = m_.operand(op, i); is_half(x)) {
        value_id wide = wide_of(x, op);
        if (!wide) {
          b_.before(op);
          wide = cast(x, {.to = dtype::f32});
        }
        m_.set_operand(op, i, wide);
      }
    for (value_id y : m_.results(op)) {
      if (!is_half(y)) continue;
      const dtype half = m_.type_of(y).elem;
      ir::type t = m_.type_of(y);
      t.elem = dtype::f32;
      m_.set_type(y, m_.intern(t));
      b_.before(next);
      b_.set_location(m_[op].location);
      const value_id rounded = cast(y, {.to = half, .excess = true});
      m_.replace_uses(y, rounded);
      m_.set_operand(m_[rounded].definition, 0, y);
      wide_[rounded.index] = y;
    }
  }
  value_id cast(value_id x, op::cast c) {
    ir::type t = m_.type_of(x);
    t.elem = c.to;
    const value_id y = b_.make(c, {x});
    m_.set_type(y, m_.intern(t));
    made_.push_back(m_[y].definition);
    return y;
  }

  /// What a half is the rounding of, for a user that is to run where that is computed.
  value_id wide_of(value_id half, op_id user) const {
    const auto found = wide_.find(half.index);
    if (found == wide_.end()) return {};
    const op_id made = m_[half].definition;
    return m_.target(m_[made].location) == m_.target(m_[user].location) ? found->second : value_id{};
  }

  /// Is a half widened by one of its users, or behind what they move?
  bool is_computed_with(value_id half) {
    const auto [known, is_new] = computed_with_.try_emplace(half.index, false);
    if (!is_new) return known->second;
    bool found = false;
    for (use_id u = m_[half].first_use; u && !found; u = m_[u].next) {
      const ir::op_view user = m_.view(m_[u].user);
      const form f = form_of(m_, user.id());
      if (user.is<op::cast>()) found = user.result_type().elem == dtype::f32;
      else if (f == form::computes) found = true;
      else if (f != form::none) found = is_computed_with(m_.result(user.id()));
    }
    return computed_with_[half.index] = found;
  }

  ir::module& m_;
  const kernel_options& program_;
  ir::builder<widen_halves::emits> b_;
  std::unordered_map<u32, value_id> wide_;  ///< what f32 a half is the rounding of
  std::unordered_map<u32, bool> computed_with_;
  std::vector<op_id> made_;
};

}  // namespace widening

void widen_halves::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  const auto program = cx.get<kernel_options>();
  widening::widener w(m, program);
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph)) w.region(m[f].body);
  w.clean();
}

}  // namespace tenon::passes
