/// @file xsimd: vectorized kernels written with the xsimd library: whole models run without LLVM.
///
///     auto m = build<targets::xsimd>(importers::onnx::load("model.onnx"));       // ir_module<phases::optimization, …>
///     external_program p(std::move(std::move(m).edit().body()), external_formats<targets::xsimd>());
///
/// It is an external code generator like any other (compile/external/code_generator.hpp): what its patterns match, all
/// that has a kernel or loop nests, is cut out, becomes an artifact, and is called; the rest is evaluated. An artifact
/// is a part of the graph as text: it is checked when it is loaded, and planned for the machine that loads it. With the
/// compiled library the kernels are there for AVX-512, AVX2 with FMA, and SSE2, chosen when the program runs; those of
/// definitions/xsimd.hpp are for the instruction set that the compiler was told to use.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/artifact.hpp>
#include <tenon/compile/build.hpp>
#include <tenon/compile/external/runner.hpp>
#include <tenon/facts/extents_known.hpp>
#include <tenon/facts/static_shapes.hpp>
#include <tenon/passes/convert_layout.hpp>
#include <tenon/passes/eliminate_common.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/pack_weights.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/run_external_codegen.hpp>
#include <tenon/passes/simplify.hpp>
#include <tenon/targets/graph_level.hpp>
#include <tenon/targets/parts.hpp>
#include <tenon/targets/xsimd/patterns.hpp>

namespace tenon::targets {

/// The host's processor through its vector registers.
struct vector_unit : tenon::detail::in_host_memory {
  static constexpr fixed_string name = "vector_unit";
  static constexpr device_kind kind = device_kind::cpu;
  using provides = capabilities<capability::threads, capability::vector_registers>;
};

/// A part of a graph as text, planned when it is loaded.
struct xsimd_part {
  static constexpr fixed_string name = "xsimd_part";
  using abilities = tenon::abilities<can::save>;
  static constexpr fixed_string advice =
      "external_program (compile/external/runner.hpp) plans and runs it, as a part of its module";
};

struct xsimd_code_generator {
  using format = xsimd_part;
  using requires_facts = facts<fact::extents_known>;  // its patterns ask for numbers, op by op
  /// Throws "external.no_kernel" naming the op.
  static std::vector<char> compile(const external_function& part, context& cx);
  static std::unique_ptr<external_code> load(std::span<const char> bytes);
};

/// What is cut out beside native code: what there are kernels for, which are faster than nests by far.
struct xsimd_library {
  static constexpr fixed_string name = "xsimd";
  using patterns = xsimd_kernels::patterns_of_kernels;
  using external_code_generator = xsimd_code_generator;
};

/// Runs a module whose parts are artifacts, and evaluates the rest.
struct external_runtime {
  static constexpr fixed_string name = "external";
  using code_format = xsimd_part;
  static std::unique_ptr<executable> load(const ir::module& built);
};

struct xsimd {
  static constexpr fixed_string name = "xsimd";
  using device = vector_unit;
  using patterns = xsimd_kernels::patterns;
  using external_code_generator = xsimd_code_generator;
  struct code_generator {
    using requires_facts = facts<fact::static_shapes>;
  };
  using format = xsimd_part;
  using abi = abis::interpreted;
  using runtime = external_runtime;
  using ends_in = phases::optimization;
  using pipeline = graph_level::pipeline::edit<
      append<passes::fold_extents, passes::eliminate_dead, passes::require_known_extents, passes::convert_layout,
             passes::fold_constants, passes::simplify, passes::eliminate_dead,  // as `cpu`; here it goes another way
             passes::require_static_shapes, passes::pack_weights, passes::eliminate_common, passes::eliminate_dead,
             passes::partition_for<xsimd>, passes::run_external_codegen<xsimd>>,
      add_ops<op::call_external>>;

  i64 threads = 0;  ///< 0: the process's default
  TENON_OPTIONS(threads)

  /// Says in a context how wide the vectors are for which weights are packed.
  void configure(context& cx) const;

  // With native code beside it (targets/cpu_with.hpp): its kernels take images that are padded, and packed weights.
  using beside_native = xsimd_library;
  using cut_before = passes::fuse;
  static void configure_host(context& cx);
};

}  // namespace tenon::targets
