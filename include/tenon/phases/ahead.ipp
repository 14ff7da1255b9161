/// @file ahead.ipp: definition of phases/ahead.hpp.
#pragma once

#include <algorithm>

#include <tenon/ir/module.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/phases/ahead.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::phases {

void verify_ahead(const ir::module& m, std::string_view phase) {
  static const ir::verify_rules built_in[] = {ir::rules_of<ingestion>(),   ir::rules_of<optimization>(),
                                              ir::rules_of<partitioned>(), ir::rules_of<lowering>(),
                                              ir::rules_of<build>(),       ir::rules_of<built>()};
  const auto known = [](std::string_view name) {
    return std::find_if(std::begin(built_in), std::end(built_in),
                        [&](const ir::verify_rules& r) { return r.phase == name; });
  };
  const auto rules = known(phase);
  bool ahead = false;
  for (function_id f : m.functions()) {
    if (m[f].phase.empty()) continue;
    if (known(m[f].phase) == std::end(built_in)) return;
    ahead = true;
  }
  // The module's own functions may hold the ops of an extension: who reads them names these.
  if (ahead && rules != std::end(built_in)) ir::verify(m, {rules->phase, {}, {}, rules->within});
}

}  // namespace tenon::phases
