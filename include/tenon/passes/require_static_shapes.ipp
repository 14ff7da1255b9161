/// @file require_static_shapes.ipp: definition of passes/require_static_shapes.hpp.
#pragma once

#include <tenon/passes/require_static_shapes.hpp>

namespace tenon::passes {

void require_static_shapes::run(ir_module<runs_in>& m, context&) const { fact::static_shapes::check(m.body()); }

}  // namespace tenon::passes
