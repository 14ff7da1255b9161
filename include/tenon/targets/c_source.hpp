/// @file c_source: portable C11 from the same loops: the pipeline of `targets::cpu` with another code generator.
///
///     auto built = build<targets::c_source>(importers::onnx::load("model.onnx"));
///     artifact_of<formats::c_source>(built).save("model.c");                   // cc -std=c11 -O3 model.c … -lm
///     program p = load_c_source(built);                                        // compiled by the system's compiler
/// One thread, no schedule for one processor: what a compiler makes of plain loops. Needs no LLVM.
#pragma once

#include <tenon/artifacts/c_source.hpp>
#include <tenon/passes/emit_c.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/targets/cpu.hpp>

namespace tenon {
namespace targets {

struct c_source {
  static constexpr fixed_string name = "c_source";
  using device = host_device;
  using code_generator = passes::emit_c;
  using pipeline = cpu::pipeline::edit<replace<passes::generate_code, passes::emit_c>,
                                       replace<passes::require_known_extents, passes::require_static_shapes>,
                                       without<passes::vectorize, passes::parallelize, passes::tile>>;

  /// Says in a context what the passes are to make code for.
  TENON_INLINE void configure(context& cx) const;
};

}  // namespace targets

/// Compiles a module that was built for `targets::c_source`, and returns it as a program of this process.
TENON_INLINE program load_c_source(const ir::module& built);
template <class... Facts>
program load_c_source(const ir_module<phases::built, Facts...>& m) {
  return load_c_source(m.body());
}
/// The same as a program file, which needs no compiler to run.
TENON_INLINE void save_c_source_program(const std::string& path, const ir::module& built);

}  // namespace tenon

#if TENON_HEADER_ONLY
#  include <tenon/targets/c_source.ipp>
#endif
