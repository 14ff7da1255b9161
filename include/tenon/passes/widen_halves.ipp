/// @file widen_halves.ipp: definition of passes/widen_halves.hpp.
#pragma once

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

/// What becomes of an op whose operands and results are halves.
enum class form : u8 {
  stays,     ///< it decides by values, converts them, hands them on, or is not known
  computes,  ///< it is of f32
  chooses,   ///< elements that stand at the same place of its operands: it is of f32 where one of these is
  moves,     ///< elements, through memory: it is of f32 where all operands are, and something computes with the result
};

template <class Op>
constexpr form form_of_scalar() {
  using enum loop::scalar_fn;
  constexpr loop::scalar_fn f = Op::fn;
  if (!op::takes(Op::takes, dtype::f16) || loop::gives_bool(f)) return form::stays;
  if (f == abs || f == neg || f == min || f == max) return form::chooses;
  // These jump: what is a little less than an integer would be another one.
  if (f == sign || f == mod || f == fmod || f == floor || f == ceil || f == loop::scalar_fn::round || f == trunc)
    return form::stays;
  return form::computes;
}
using computing = ops<op::matmul, op::conv, op::conv_transpose, op::matmul_nbits, op::attention, op::softmax,
                      op::log_softmax, op::reduce_sum, op::reduce_prod, op::cumulative_sum, op::cumulative_prod,
                      op::average_pool, op::lp_pool, op::lrn, op::affine_grid, op::col2im, op::roi_align>;
using moving = ops<op::reshape, op::transpose, op::expand, op::slice, op::concat, op::pad, op::tile, op::trilu,
                   op::reverse_sequence, op::gather, op::gather_elements, op::gather_nd, op::scatter_elements,
                   op::scatter_nd, op::reduce_max, op::reduce_min, op::max_unpool>;

template <class Op>
form form_of(const Op&) {
  if constexpr (op::scalar_op<Op>) return form_of_scalar<Op>();
  else if constexpr (meta::contains_v<Op, computing>) return form::computes;
  else if constexpr (meta::contains_v<Op, moving>) return form::moves;
  else return form::stays;
}
inline form form_of(const op::where&) { return form::chooses; }
inline form form_of(const op::max_pool& p) { return p.indices ? form::stays : form::moves; }
inline form form_of(const op::resize& r) { return r.mode == op::interpolation::nearest ? form::moves : form::computes; }
inline form form_of(const op::grid_sample& g) {
  return g.mode == op::interpolation::nearest ? form::stays : form::computes;
}

template <class... Op>
form form_in(const ir::op_view& v, ops<Op...>) {
  form f = form::stays;
  (void)((v.is<Op>() && (f = form_of(v.as<Op>()), true)) || ...);
  return f;
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
    const form f = form_in(v, graph_ops{});
    if (f == form::stays || !is_half(m_.result(op))) return;
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
    return v.is<op::matmul_nbits>() || v.is<op::resize>() ? 1 : v.operand_count();
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
      const form f = form_in(user, graph_ops{});
      if (user.is<op::cast>()) found = user.result_type().elem == dtype::f32;
      else if (f == form::computes) found = true;
      else if (f != form::stays) found = is_computed_with(m_.result(user.id()));
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
