/// @file module: a module in memory, as what a session compiles.
///
///     session t(std::move(module), {.target = "xsimd"});
#pragma once

#include <tenon/importer.hpp>

namespace tenon {

/// Known shapes and values are bound in a copy of the module (passes/bind_inputs.hpp). Where an entry has variants, the
/// one is taken that serves the shapes.
std::unique_ptr<module_source> source_of(ir_module<phases::ingestion> m);

}  // namespace tenon
