/// @file host_program: runs a module whose regions are outlined: native code for the regions, the host between them.
///
/// A region's code is made when the region is first called: once for all shapes of its operands. Where that cannot be, or
/// the shapes at hand are not what the code takes for granted, it is made for these shapes, and kept. A region that is
/// called with ever new shapes then and has little to do is evaluated instead until a shape comes again. Safe to call from
/// many threads.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/program.hpp>

namespace tenon {

/// Makes native code of one function of a module.
class region_compiler {
 public:
  virtual ~region_compiler() = default;
  /// For operands of all shapes. Throws where they cannot be symbols; by default none can.
  virtual program compile_for_all(const ir::module& m, function_id region) {
    throw error("passes.dynamic_shape", "the code of '" + m[region].name + "' is made for given shapes");
  }
  /// For operands of given types and shapes.
  virtual program compile(const ir::module& m, function_id region, std::span<const tensor> operands) = 0;
};

class host_program {
 public:
  struct options {
    size_t eager = 8;         ///< so many variants of a region are made at once
    i64 little = 1 << 14;     ///< elements of operands that are "little to do"
    size_t most = 256;        ///< variants of a region that are kept
  };
  /// What has run so far.
  struct counts {
    u64 native = 0, evaluated = 0, compiled = 0;
    u64 again = 0;                          ///< of the compiled: for given shapes, behind other code of the same region
    std::vector<std::string> without_code;  ///< regions for which no code could be made, and why
    std::vector<std::string> for_shapes;    ///< regions whose code for all shapes could not be made or did not fit, and why
  };

  /// A compiler of null: every region is evaluated, unless it has code already.
  TENON_INLINE host_program(ir::module m, std::unique_ptr<region_compiler> compiler, options o);
  host_program(ir::module m, std::unique_ptr<region_compiler> compiler) : host_program(std::move(m), std::move(compiler), options()) {}
  TENON_INLINE ~host_program();
  host_program(const host_program&) = delete;
  host_program& operator=(const host_program&) = delete;

  TENON_INLINE std::vector<value> run(std::span<const value> inputs, int threads = 0) const;
  const ir::module& module() const { return module_; }
  TENON_INLINE counts counted() const;

 private:
  struct variant;
  struct state;
  class caller;
  TENON_INLINE const program* code_for_all(function_id f, std::span<const tensor> operands, program& keep) const;
  TENON_INLINE void note_misfit(function_id f, std::span<const tensor> operands, const error& e) const;
  TENON_INLINE const program* code_for(function_id f, std::span<const tensor> operands, program& keep) const;

  ir::module module_;
  std::unique_ptr<region_compiler> compiler_;
  options options_;
  std::unique_ptr<state> state_;
};

}  // namespace tenon

#if TENON_HEADER_ONLY
#  include <tenon/targets/host_program.ipp>
#endif
