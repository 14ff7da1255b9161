/// @file note_purity.ipp: definition of passes/note_purity.hpp.
#pragma once

#include <tenon/compile/analysis.hpp>
#include <tenon/facts/purity_known.hpp>
#include <tenon/passes/note_purity.hpp>

namespace tenon::passes {

void note_purity::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  const fact::purity& pure = cx.analysis<fact::purity_known>(*this, m);
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph) && m[f].purity == ir::function_purity::unsaid)
      m[f].purity = pure.of_function(m, f) ? ir::function_purity::pure : ir::function_purity::impure;
}

}  // namespace tenon::passes
