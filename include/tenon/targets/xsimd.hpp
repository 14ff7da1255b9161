/// @file xsimd: vectorized kernels written with the xsimd library: whole models run without LLVM.
///
///     auto built = build<targets::xsimd>(importers::onnx::load("model.onnx"));      // ir_module<phases::build, …>
///     program p = load_xsimd(built);                                                // p.run({x}, 2)
///
/// Its pipeline is that of `cpu`, down to buffers in one arena and direct calls of kernels, with its patterns in it as
/// in targets/cpu_with.hpp: what there are vectorized kernels for, with elementwise ops behind it, is an artifact that
/// the entry calls, a part of the graph as text. The kernels of all other ops are loop nests, as for `cpu`, and run 128
/// iterations at a time (targets/xsimd/nests.hpp). Both are bound when a program is loaded, on the machine that runs
/// it. With the compiled library there are kernels for AVX-512, AVX2 with FMA, and SSE2, chosen when the program runs;
/// those of definitions/xsimd.hpp are for the instruction set that the compiler was told to use.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/artifact.hpp>
#include <tenon/compile/external/code_generator.hpp>
#include <tenon/facts/extents_known.hpp>
#include <tenon/targets/cpu_with.hpp>
#include <tenon/targets/xsimd/patterns.hpp>

namespace tenon {
namespace targets {

/// The host's processor through its vector registers.
struct vector_unit : tenon::detail::in_host_memory {
  static constexpr fixed_string name = "vector_unit";
  static constexpr device_kind kind = device_kind::cpu;
  using provides = capabilities<capability::threads, capability::vector_registers>;
};

/// What one kernel computes, a part of a graph as text: it is checked and bound when it is loaded.
struct xsimd_part {
  static constexpr fixed_string name = "xsimd_part";
  using abilities = tenon::abilities<can::save>;
  static constexpr fixed_string advice =
      "a program binds it, as a part of its module: load_xsimd(built); targets/cpu_with.hpp; external_program "
      "(compile/external/runner.hpp)";
};

struct xsimd_code_generator {
  using format = xsimd_part;
  using requires_facts = facts<fact::extents_known>;
  /// Throws "external.no_kernel" naming the op.
  static std::vector<char> compile(const external_function& part, context& cx);
  static std::unique_ptr<external_code> load(std::span<const char> bytes);
};

/// Its patterns and their code, beside what makes code of the rest: native code in targets/cpu_with.hpp, loop nests
/// here.
struct xsimd_library {
  static constexpr fixed_string name = "xsimd";
  using patterns = xsimd_kernels::patterns;
  using external_code_generator = xsimd_code_generator;
  static constexpr passes::partition_options parts{.joined = &xsimd_kernels::one_step};
  using cut_before = passes::fuse;
  /// Its kernels take images that are padded and have their channels last.
  static void configure_host(context& cx);
};

struct xsimd_runtime {
  static constexpr fixed_string name = "xsimd";
  using code_format = xsimd_part;
  static constexpr bool runs_variants = true;
  static std::unique_ptr<executable> load(const ir::module& built);
};

struct xsimd {
  static constexpr fixed_string name = "xsimd";
  using device = vector_unit;
  using patterns = xsimd_library::patterns;
  using external_code_generator = xsimd_code_generator;
  struct code_generator {
    using requires_facts = facts<>;
  };
  using format = xsimd_part;
  using abi = abis::interpreted;
  using runtime = xsimd_runtime;
  using ends_in = phases::build;
  static constexpr bool divisible = true;  ///< a host may call its code: passes::outline_regions
  using pipeline = tenon::detail::pipeline_with<xsimd_library>::edit<
      without<passes::vectorize, passes::parallelize, passes::tile, passes::generate_code>>;

  i64 threads = 0;  ///< 0: the process's default
  targets::winograd winograd = targets::winograd::on;
  TENON_OPTIONS(threads, winograd)

  /// Says in a context how wide the vectors are for which weights are packed, and what there are no kernels for.
  void configure(context& cx) const;

  using beside_native = xsimd_library;
  using cut_before = xsimd_library::cut_before;
  static void configure_host(context& cx) { xsimd_library::configure_host(cx); }
};

}  // namespace targets

/// Binds a module that was built for `targets::xsimd`. Error: "external.no_kernel".
program load_xsimd(const ir::module& built);
template <class... Facts>
program load_xsimd(const ir_module<phases::build, Facts...>& m) {
  return load_xsimd(m.body());
}

}  // namespace tenon
