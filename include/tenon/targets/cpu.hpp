/// @file cpu: processors through LLVM: the pipeline from an imported graph to native code.
///
///     auto built = build<targets::cpu>(importers::onnx::load("model.onnx"));
///     program p = load(built);
/// The processor's features are found when the code is made: AVX-512, AVX2 or SSE. With a triple the code is for
/// another machine: `cpu:triple=aarch64-linux-gnu,arch=cortex-a72` (core/machine.hpp); it is linked, or kept in files,
/// and not run here. Link `tenon::llvm`.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <span>

#include <tenon/artifacts/elf.hpp>
#include <tenon/compile/build.hpp>
#include <tenon/compile/codegen.hpp>
#include <tenon/passes/convert_layout.hpp>
#include <tenon/passes/eliminate_common.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/fuse_attention.hpp>
#include <tenon/passes/generate_code.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/lower_builtins.hpp>
#include <tenon/passes/narrow_weights.hpp>
#include <tenon/passes/pack_weights.hpp>
#include <tenon/passes/parallelize.hpp>
#include <tenon/passes/plan_memory.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/simplify.hpp>
#include <tenon/passes/tile.hpp>
#include <tenon/passes/to_lowering.hpp>
#include <tenon/passes/use_winograd.hpp>
#include <tenon/passes/vectorize.hpp>
#include <tenon/passes/widen_halves.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/targets/graph_level.hpp>
#include <tenon/targets/parts.hpp>

namespace tenon {

struct external_format;  // compile/external/code_generator.hpp

/// The machine that runs this program: its memory, its threads.
struct host_device : detail::in_host_memory {
  static constexpr fixed_string name = "host";
  static constexpr device_kind kind = device_kind::cpu;
  using provides = capabilities<capability::threads, capability::vector_registers>;
};

namespace targets {

/// Puts object code into this process and calls it.
struct native_runtime {
  static constexpr fixed_string name = "native";
  using code_format = formats::elf_object;
  using abi = abis::c_entry;
  static constexpr bool runs_variants = true;
  static std::unique_ptr<executable> load(const ir::module& built);
  static std::string program_file(const ir::module& built);
  static void save_program(const std::string& path, const ir::module& built);
};

using passes::precision;

/// What floats below the least normal one (f32: 1.2e-38) are while code runs: zeros, since most processors take a
/// hundred cycles for them, or themselves. Kept in any case where precision is strict, and in programs with f64 or
/// floats of fewer than 16 bits. On x86-64 and AArch64, since RISC-V has no such mode; the caller's floating-point
/// environment stays what it was.
enum class denormals : u8 { flush, keep };
inline std::span<const std::string_view> enumerator_names(denormals) {
  static constexpr std::string_view names[] = {"flush", "keep"};
  return names;
}

/// Whether 3x3 convolutions are computed by transformed tiles where that is faster (passes/use_winograd.hpp). Sums have
/// about the errors of the direct ones. Off in any case where precision is strict, or rounds weights.
enum class winograd : u8 { on, off };
inline std::span<const std::string_view> enumerator_names(winograd) {
  static constexpr std::string_view names[] = {"on", "off"};
  return names;
}

struct cpu {
  static constexpr fixed_string name = "cpu";
  using device = host_device;
  using code_generator = passes::generate_code;
  using format = formats::elf_object;
  using abi = abis::c_entry;
  using runtime = native_runtime;
  static constexpr bool divisible = true;  ///< a host may call its code: passes::outline_regions
  using pipeline = graph_level::pipeline::edit<
      append<passes::fold_extents, passes::eliminate_dead, passes::require_known_extents, passes::widen_halves,
             passes::convert_layout, passes::fold_constants, passes::simplify, passes::eliminate_dead,
             passes::use_winograd, passes::fuse_attention, passes::narrow_weights, passes::pack_weights,
             passes::eliminate_common, passes::eliminate_dead, passes::fuse, passes::legalize_ops,
             passes::eliminate_dead, passes::to_lowering, passes::vectorize, passes::parallelize, passes::tile,
             passes::plan_memory, passes::lower_builtins, passes::generate_code>>;

  std::string triple{};    ///< the machine, such as aarch64-linux-gnu; empty: the host
  std::string arch{};      ///< LLVM's name of a processor; empty: the host's, or with a triple the least that there is
  std::string features{};  ///< "+avx2,-avx512f"; empty: what the processor has
  i64 threads = 0;         ///< threads that the code is cut for; 0: the process's default
  i64 optimize = 2;        ///< 0 to 3
  targets::precision precision = targets::precision::standard;
  targets::denormals denormals = targets::denormals::flush;
  targets::winograd winograd = targets::winograd::on;
  bounds_checks check_bounds = bounds_checks::untrusted;
  TENON_OPTIONS(triple, arch, features, threads, optimize, precision, denormals, winograd, check_bounds)
  /// Those that the constraint of one function may say otherwise than the program; the others are of the whole object.
  static constexpr std::string_view function_options[] = {"threads", "precision", "winograd", "check_bounds"};

  /// With this machine's triple, and what its processor has, by name.
  static cpu host();
  /// Says in a context what the passes are to make code for.
  void configure(context& cx) const;
};

/// Makes `cpu` a target of sessions (compile/session.hpp), by its name.
void register_cpu_target();

}  // namespace targets

namespace detail {
template <class Phase>
struct whole_check {
  static constexpr bool ok = meta::same<root_phase_t<Phase>, phases::built>;
  static consteval meta::phrase say() {
    meta::phrase s;
    return s << "tenon-E041: a module in phase '" << label(Phase::name)
             << "' is no program: build<Target>(std::move(m)) finishes it; save_module(path, m) keeps it as it is";
  }
};
}  // namespace detail
/// A program of code in this process's memory. It runs, and cannot be saved: save the built module that it was made
/// from.
class jit_program : public program {
 public:
  explicit jit_program(program p) : program(std::move(p)) {}
  template <class Format = formats::jit>
  void save(const std::string&) const {
    meta::answer_t<detail::ability_check<can::save, Format>>::accept();
  }
};
jit_program jit(const ir::module& built);
/// Of code that calls artifacts: `formats` says how these become code (`external_formats<…>()`).
jit_program jit(const ir::module& built, std::span<const external_format> formats);
template <class... Facts>
jit_program jit(const ir_module<phases::built, Facts...>& m) {
  return jit(m.body());
}
/// Puts native code into this process and returns it as a program. The module must have been built for `targets::cpu`.
program load(const ir::module& built);
program load(const ir::module& built, std::span<const external_format> formats);
template <class Phase, class... Facts>
program load(const ir_module<Phase, Facts...>& m) {
  meta::answer_t<detail::whole_check<Phase>>::accept();
  return load(m.body());
}

/// Links a built module's code and writes a program file, which runs without LLVM. Atomic.
void save(const std::string& path, const ir::module& built);
template <class... Facts>
void save(const std::string& path, const ir_module<phases::built, Facts...>& m) {
  save(path, m.body());
}
/// Nothing else has a form that a file can hold.
template <class T>
auto save(const std::string& path, const T& it) TENON_REFUSED(
    "tenon-E029: only a built module can be saved, since code that was put into memory, or was not made yet, "
    "has no form that a file can hold: save the ir_module<phases::built> that 'build' returns, and load that");

}  // namespace tenon
