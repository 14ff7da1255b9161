/// @file infer_shapes.ipp: definition of passes/infer_shapes.hpp.
#pragma once

#include <tenon/ir/refine.hpp>
#include <tenon/passes/infer_shapes.hpp>

namespace tenon::passes {

void infer_shapes::run(ir_module<runs_in>& m, context&) const { ir::refine_types(m.body()); }

}  // namespace tenon::passes
