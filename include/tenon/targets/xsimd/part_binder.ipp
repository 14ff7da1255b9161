/// @file part_binder.ipp: how targets/xsimd/part.hpp is made: where values are, and the ops of a part as a step.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <tenon/ir/dims.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/targets/xsimd/part.hpp>
#include <tenon/targets/xsimd/rules.hpp>

namespace tenon::xsimd_kernels {

class part_binder {
 public:
  /// `extents`: of the module's symbols; -1 where it follows from those of others.
  part_binder(const ir::module& m, function_id f, std::span<const i64> extents)
      : m_(m), f_(f), extents_(extents), k_(kernels()), made_(std::make_shared<bound_part>()), ops_(ops_of(m, f)) {
    made_->extents.assign(extents.begin(), extents.end());
  }

  /// Is it what one kernel computes?
  static void check(const ir::module& m, function_id f) {
    const std::vector<op_id> ops = ops_of(m, f);
    if (one_step(m, ops) != passes::joint::yes)
      throw error("external.no_kernel", "'" + m[f].name + "' is not what one kernel of xsimd computes",
                  ops.empty() ? std::string() : m.text(m[ops[0]].location));
  }
  static std::vector<i64> extents_of(const ir::module& m, const ir::type& t, std::span<const i64> extents) {
    std::vector<i64> shape;
    for (ir::dim d : t.shape) {
      const i64 known = d.is_symbol() ? extents[d.symbol().index] : d.extent();
      shape.push_back(known >= 0 ? known : std::max<i64>(0, follows(m, d, extents)));
    }
    return shape;
  }

  std::shared_ptr<const bound_part> bind() {
    const region_id body = m_[f_].body;
    for (value_id v : m_[body].arguments) made_->inputs.push_back(slot(v));
    for (op_id op : ops_)
      for (value_id r : m_.results(op)) slot(r);
    add_steps();
    for (value_id v : m_.operands(m_[body].ops.back())) {
      life& l = slots_[static_cast<size_t>(slot(v))];
      if (std::exchange(l, life::output) != life::inside)
        throw error("external.no_kernel",
                    "'" + m_[f_].name + "' returns a value twice, or one that it does not compute");
      made_->outputs.push_back(slot(v));
    }
    for (value_id r : m_.results(ops_.back()))  // such as outputs of a recurrence of which the last state is taken
      if (const int s = slot(r); slots_[static_cast<size_t>(s)] == life::inside)
        made_->unused.emplace_back(s, count(r) * size_of(m_.type_of(r).elem));
    made_->slots = slots_.size();
    return made_;
  }

 private:
  friend struct step_makers;
  /// Where the memory of a slot comes from; a value within a part has none.
  enum class life : u8 { inside, input, constant, output };
  std::vector<std::unique_ptr<step>>& steps() { return made_->steps; }
  static std::vector<op_id> ops_of(const ir::module& m, function_id f) {
    std::vector<op_id> ops;
    for (op_id op : m[m[f].body].ops)
      if (!m.view(op).info().traits.terminator && !m.view(op).is<op::constant>()) ops.push_back(op);
    return ops;
  }

  // -- extents ------------------------------------------------------------------------------------------------------
  /// An extent within the part that is none of its arguments' or results'.
  static i64 follows(const ir::module& m, ir::dim d, std::span<const i64> extents) {
    return ir::expression_of(m, d).evaluate([&](const std::string& name) -> i64 {
      for (size_t s = 0; s < extents.size(); ++s)
        if (extents[s] >= 0 && m.name(symbol_id(s)) == name) return extents[s];
      throw error("external.no_kernel", "the extent '" + name + "' is none of its arguments");
    });
  }
  std::vector<i64> shape(value_id v) const { return extents_of(m_, m_.type_of(v), extents_); }
  i64 count(value_id v) const {
    i64 n = 1;
    for (i64 e : shape(v)) n *= e;
    return n;
  }

  // -- values and slots ---------------------------------------------------------------------------------------------
  /// What a value's elements are the elements of, views looked through.
  value_id root(value_id v) const {
    for (;;) {
      const op_id d = m_[v].definition;
      if (!d || !(m_.view(d).is<op::reshape>() || m_.view(d).is<op::view>())) return v;
      v = m_.operand(d, 0);
    }
  }
  int slot(value_id v) {
    const value_id r = root(v);
    const auto [it, fresh] = slot_of_.emplace(r.index, static_cast<int>(slots_.size()));
    if (fresh) {
      slots_.push_back(m_[r].definition ? life::inside : life::input);
      if (const tensor* c = m_.constant_value(r)) {
        slots_.back() = life::constant;
        made_->constants.emplace_back(it->second, c->data());
      }
    }
    return it->second;
  }
  bool is_elementwise_op(op_id op) const {
    loop::scalar_fn fn;
    return is_elementwise(m_.view(op), fn);
  }

  /// The elementwise members as a chain; `anchor` is the value that is in `out` already, or none.
  chain chain_of(value_id anchor, value_id out) {
    chain c;
    std::unordered_map<u32, int> at;
    const std::vector<i64> whole = shape(out);
    const auto inside = [&](value_id v) { return std::find(ops_.begin(), ops_.end(), m_[v].definition) != ops_.end(); };
    // Operands first: registers are numbered by them.
    std::vector<std::pair<u32, std::vector<i64>>> known;
    std::unordered_map<u64, int> operand_at;
    const auto operand = [&](op_id op, value_id v) {
      const value_id r = root(v);
      const bool from_anchor = anchor && r == root(anchor);
      if (!from_anchor && inside(r)) return;
      const u64 key = static_cast<u64>(op.index) << 32 | v.index;
      if (operand_at.contains(key)) return;
      const access how = from_anchor ? access{} : access::broadcast(shape(v), shape(m_.result(op)));
      const int s = slot(from_anchor ? out : v);
      chain::operand made{s, m_.type_of(v).elem == dtype::boolean, how};
      if (from_anchor) made.how = access::broadcast(whole, whole);
      for (size_t i = 0; i < c.operands.size(); ++i)
        if (c.operands[i].slot == made.slot && c.operands[i].how.extents == made.how.extents &&
            c.operands[i].how.strides == made.how.strides) {
          operand_at[key] = static_cast<int>(i);
          return;
        }
      operand_at[key] = static_cast<int>(c.operands.size());
      c.operands.push_back(made);
    };
    for (op_id op : ops_)
      if (is_elementwise_op(op))
        for (value_id v : m_.operands(op)) operand(op, v);
    c.registers = static_cast<int>(c.operands.size());
    for (op_id op : ops_) {
      loop::scalar_fn fn;
      const ir::op_view v = m_.view(op);
      if (!is_elementwise(v, fn)) continue;
      int from[3] = {-1, -1, -1};
      for (int o = 0; o < v.operand_count(); ++o) {
        const auto known_operand = operand_at.find(static_cast<u64>(op.index) << 32 | v.operand(o).index);
        from[o] = known_operand != operand_at.end() ? known_operand->second : at.at(root(v.operand(o)).index);
      }
      if (v.is<op::cast>()) from[1] = from[0];
      c.code.push_back({fn, c.registers, from[0], from[1], from[2]});
      at[v.result().index] = c.registers++;
    }
    c.result = c.code.back().to;
    c.out = slot(out);
    c.gives_flags = m_.type_of(out).elem == dtype::boolean;
    c.divide();
    return c;
  }

  inline void add_steps();  // part_steps.ipp

  const ir::module& m_;
  function_id f_;
  std::span<const i64> extents_;
  const kernel_table& k_;
  std::shared_ptr<bound_part> made_;
  std::vector<op_id> ops_;
  std::unordered_map<u32, int> slot_of_;
  std::vector<life> slots_;
};

}  // namespace tenon::xsimd_kernels

#include <tenon/targets/xsimd/part_steps.ipp>
