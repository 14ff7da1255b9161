/// @file part_binder.ipp: how targets/xsimd/part.hpp is made: where values are, and the ops of a part as a step.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <tenon/ops/all.hpp>
#include <tenon/targets/xsimd/part.hpp>
#include <tenon/targets/xsimd/rules.hpp>

namespace tenon::xsimd_kernels {

class part_binder {
 public:
  part_binder(part& p, function_id f) : p_(p), m_(p.module_), f_(f), k_(kernels()) {}

  void bind() {
    const region_id body = m_[f_].body;
    for (value_id v : m_[body].arguments) p_.inputs_.push_back({slot(v), m_.type_of(v).elem, m_.type_of(v).extents()});
    for (op_id op : m_[body].ops)
      if (!m_.view(op).info().traits.terminator && !m_.view(op).is<op::constant>()) ops_.push_back(op);
    if (one_step(m_, ops_) != passes::joint::yes)
      throw error("external.no_kernel", "'" + m_[f_].name + "' is not what one kernel of xsimd computes",
                  ops_.empty() ? std::string() : m_.text(m_[ops_[0]].location));
    for (op_id op : ops_)
      for (value_id r : m_.results(op)) slot(r);
    add_steps();
    for (value_id v : m_.operands(m_[body].ops.back())) {
      life& l = slots_[static_cast<size_t>(slot(v))];
      if (std::exchange(l, life::output) != life::inside)
        throw error("external.no_kernel",
                    "'" + m_[f_].name + "' returns a value twice, or one that it does not compute");
      p_.outputs_.push_back({slot(v), m_.type_of(v).elem, m_.type_of(v).extents()});
    }
    for (value_id r : m_.results(ops_.back()))  // such as outputs of a recurrence of which the last state is taken
      if (const int s = slot(r); slots_[static_cast<size_t>(s)] == life::inside)
        p_.unused_.emplace_back(s, m_.type_of(r).bytes());
    p_.slots_ = slots_.size();
  }

 private:
  friend struct step_makers;
  /// Where the memory of a slot comes from; a value within a part has none.
  enum class life : u8 { inside, input, constant, output };
  std::vector<std::unique_ptr<step>>& steps() { return p_.steps_; }

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
        p_.constants_.emplace_back(it->second, c->data());
      }
    }
    return it->second;
  }
  std::vector<i64> shape(value_id v) const { return m_.type_of(v).extents(); }
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
    return c;
  }

  inline void add_steps();  // part_steps.ipp

  part& p_;
  const ir::module& m_;
  function_id f_;
  const kernel_table& k_;
  std::vector<op_id> ops_;
  std::unordered_map<u32, int> slot_of_;
  std::vector<life> slots_;
};

}  // namespace tenon::xsimd_kernels

#include <tenon/targets/xsimd/part_steps.ipp>
