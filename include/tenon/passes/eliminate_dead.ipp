/// @file eliminate_dead.ipp: definition of passes/eliminate_dead.hpp.
#pragma once

#include <tenon/compile/analysis.hpp>
#include <tenon/facts/purity_known.hpp>
#include <tenon/ir/references.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/eliminate_dead.hpp>

namespace tenon::passes {
namespace dead {

inline void sweep(ir::module& m, region_id r, const fact::purity& pure) {
  std::vector<op_id> kept;
  const std::vector<op_id> ops = m[r].ops;
  for (auto it = ops.rbegin(); it != ops.rend(); ++it) {
    bool used = false;
    for (value_id v : m.results(*it)) used = used || m.has_uses(v);
    if (!used && pure.of_op(m, *it)) {
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

void eliminate_dead::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  const fact::purity& pure = cx.analysis<fact::purity_known>(*this, m);
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph)) dead::sweep(m, m[f].body, pure);
  ir::erase_unreachable_functions(m);
  m.compact();  // constants that nobody uses go too
}

}  // namespace tenon::passes
