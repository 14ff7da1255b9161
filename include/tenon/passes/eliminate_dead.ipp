/// @file eliminate_dead.ipp: definition of passes/eliminate_dead.hpp.
#pragma once

#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/references.hpp>

namespace tenon::passes {
namespace dead {

/// Knows which ops and functions do nothing besides computing results.
class purity {
 public:
  explicit purity(const ir::module& m) : m_(m) {}

  bool of_op(op_id op) {
    const ir::op_view v = m_.view(op);
    // A kernel reads and writes buffers of its own caller only, and a call of one is as pure as its op says.
    if (!v.info().is_pure()) return false;
    if (const auto* c = v.get_if<op::call>()) return of_function(m_.find_function(c->callee.name));
    for (int i = 0; i < v.region_count(); ++i)
      if (!of_region(v.region(i))) return false;
    return true;
  }

 private:
  bool of_region(region_id r) {
    for (op_id op : m_[r].ops)
      if (!m_.view(op).info().traits.terminator && !of_op(op)) return false;
    return true;
  }
  bool of_function(function_id f) {
    if (!f) return false;
    if (state_.size() <= f.index) state_.resize(f.index + 1, unknown);
    if (state_[f.index] == running) return false;  // recursion may not end
    if (state_[f.index] == unknown) {
      state_[f.index] = running;
      state_[f.index] = of_region(m_[f].body) ? pure : impure;
    }
    return state_[f.index] == pure;
  }
  enum verdict : u8 { unknown, running, pure, impure };
  const ir::module& m_;
  std::vector<verdict> state_;
};

inline void sweep(ir::module& m, region_id r, purity& pure) {
  std::vector<op_id> kept;
  const std::vector<op_id> ops = m[r].ops;
  for (auto it = ops.rbegin(); it != ops.rend(); ++it) {
    bool used = false;
    for (value_id v : m.results(*it)) used = used || m.has_uses(v);
    if (!used && pure.of_op(*it)) {
      m[*it].parent = {};  // erase would search the region for it; it is rebuilt below
      m.erase(*it);
      continue;
    }
    kept.push_back(*it);
    for (int i = 0; i < m.view(*it).region_count(); ++i) sweep(m, m.region(*it, i), pure);
  }
  m[r].ops.assign(kept.rbegin(), kept.rend());
}

}  // namespace dead

TENON_INLINE void eliminate_dead::run(ir_module<runs_in>& module, context&) const {
  ir::module& m = module.body();
  dead::purity pure(m);
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph)) dead::sweep(m, m[f].body, pure);
  erase_unreachable_functions(m);
  m.compact();  // constants that nobody uses go too
}

}  // namespace tenon::passes
