/// @file c_source: portable C11 from the same loops: the pipeline of `targets::cpu` with another code generator.
///
///     auto built = build<targets::c_source>(importers::onnx::load("model.onnx"));
///     write_atomically("model.c", c_file_of(built.body(), "model"));           // cc -std=c11 -O3 model.c … -lm
///     program p = load_c_source(built);                                        // compiled by the system's compiler
/// One thread, no schedule for one processor: what a compiler makes of plain loops. Needs no LLVM. It is a target like
/// any other: of sessions, and a member of composites (`composite(cpu,plain@c_source:optimize=2)`).
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/artifacts/c_source.hpp>
#include <tenon/passes/emit_c.hpp>
#include <tenon/targets/cpu.hpp>

namespace tenon {
namespace targets {

/// Compiles the source by the system's compiler, and puts the code into this process.
struct c_compiler {
  static constexpr fixed_string name = "c_compiler";
  using code_format = formats::c_source;
  using abi = abis::c_entry;
  static constexpr bool runs_variants = true;
  static std::unique_ptr<executable> load(const ir::module& built);
  static std::string program_file(const ir::module& built);
};

struct c_source {
  static constexpr fixed_string name = "c_source";
  using device = host_device;
  using code_generator = passes::emit_c;
  using format = formats::c_source;
  using abi = abis::c_entry;
  using runtime = c_compiler;
  using pipeline = cpu::pipeline::edit<replace<passes::generate_code, passes::emit_c>,
                                       without<passes::vectorize, passes::parallelize, passes::tile>>;

  i64 optimize = 3;     ///< 0 to 3: the C compiler's level, where this library runs it
  std::string entry{};  ///< the function's name, where several sources are linked to one program; empty: tenon_main
  bounds_checks check_bounds = bounds_checks::untrusted;
  TENON_OPTIONS(optimize, entry, check_bounds)

  /// Says in a context what the passes are to make code for.
  void configure(context& cx) const;
  /// Element types that C has no arithmetic for stay with the host of a composite.
  static bool has(const ir::op_view& op);
};

}  // namespace targets

namespace detail {
/// The options of the target that a module was built for, where that is `c_source`.
targets::c_source c_source_options(const ir::module& built);
/// Entries, ports and arena; constants are in the artifact's code.
program::parts c_source_parts(const ir::module& built);
}  // namespace detail

/// Compiles a module that was built for `targets::c_source`, and returns it as a program of this process.
program load_c_source(const ir::module& built);
template <class... Facts>
program load_c_source(const ir_module<phases::built, Facts...>& m) {
  return load_c_source(m.body());
}
/// Such a module as one file of C, which is used by itself: the code, and beside it the functions that a library of the
/// model has in its C header (targets/model_library.hpp): they check sizes, and say what a run needs. Their names begin
/// with `symbol`, those of a second entry with SYMBOL_ENTRY; `model`: what it was made from, for people.
std::string c_file_of(const ir::module& built, const std::string& symbol, const std::string& model = {});
/// The same as a program file, which needs no compiler to run.
void save_c_source_program(const std::string& path, const ir::module& built);

}  // namespace tenon
