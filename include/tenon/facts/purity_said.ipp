/// @file purity_said.ipp: the checker of facts/purity_said.hpp.
#pragma once

#include <tenon/facts/purity_said.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::fact {

void purity_said::check(const ir::module& m) {
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph) && m[f].purity == ir::function_purity::unsaid)
      throw error("fact.purity_said", "function '" + m[f].name + "' does not say whether it is pure", {},
                  "run note_purity");
}

}  // namespace tenon::fact
