/// @file require_known_extents.ipp: definition of passes/require_known_extents.hpp.
#pragma once

#include <tenon/passes/require_known_extents.hpp>

namespace tenon::passes {

void require_known_extents::run(ir_module<runs_in>& m, context&) const { fact::extents_known::check(m.body()); }

}  // namespace tenon::passes
