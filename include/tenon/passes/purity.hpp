/// @file purity: which ops do nothing besides computing results: neither they, nor what they call or hold in their
/// regions.
///
/// Whoever deletes ops, or puts them in another order, goes by this, not by what an op says of itself alone: a call is
/// as pure as the function that it calls, an `if_else` as its branches. Cost: O(ops in regions) an op; functions once.
#pragma once

#include <vector>

#include <tenon/ir/module.hpp>
#include <tenon/ops/graph/call.hpp>

namespace tenon::passes {

/// The answers for one module; what it knows of functions stays true while passes move pure ops.
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

}  // namespace tenon::passes
