/// @file host_program: runs a module whose regions are outlined: native code for the regions, the host between them.
///
/// A region's code is made once, for operands of any extents, when the region is first called; or it was made ahead and
/// is given. Where that cannot be, or where its conditions on the extents do not hold, code is made for operands of
/// these shapes and kept. A region that is called with ever new shapes and has little to do is evaluated instead until
/// a shape comes again. Safe to call from many threads. Errors: "program.count", "program.type", "program.condition".
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/runtime/executable.hpp>
#include <tenon/runtime/program.hpp>

namespace tenon {

/// A region as a module of its own: its function, with arguments of the operands' shapes.
ir::module region_module(const ir::module& host, function_id region, std::span<const tensor> operands);
/// The same for operands of any extents: those that are not known become symbols. Throws "passes.dynamic_shape" where
/// `rank_obstacle` finds something.
ir::module region_module(const ir::module& host, function_id region);
/// An operand of a region of which not even the number of dimensions is known.
std::optional<ir::obstacle> rank_obstacle(const ir::module& host, function_id region);

/// Native code of one function of a module, or why there is none.
struct region_code {
  std::optional<program> code;
  std::string why;
};
class region_compiler {
 public:
  virtual ~region_compiler() = default;
  /// For operands of any extents.
  virtual region_code compile_for_all(const ir::module& m, function_id region) = 0;
  /// For operands of given types and shapes.
  virtual region_code compile(const ir::module& m, function_id region, std::span<const tensor> operands) = 0;
};

class host_program {
 public:
  struct options {
    size_t eager = 8;      ///< so many variants of a region are made at once
    i64 little = 1 << 14;  ///< elements of operands that are "little to do"
    size_t most = 256;     ///< variants of a region that are kept
  };
  /// What has run so far.
  struct counts {
    u64 native = 0, evaluated = 0, compiled = 0;
    u64 again = 0;    ///< of those compiled: for given shapes, behind other code of the same region
    u64 for_all = 0;  ///< of those compiled: for all sizes
    std::vector<std::string> without_code;  ///< regions for which no code could be made, and why
    std::vector<std::string> not_for_all;   ///< regions whose code cannot be for all sizes, or not for some, and why
  };

  /// A compiler of null: every region is evaluated, unless it is given code.
  host_program(ir::module m, std::unique_ptr<region_compiler> compiler, options o);
  host_program(ir::module m, std::unique_ptr<region_compiler> compiler)
      : host_program(std::move(m), std::move(compiler), options()) {}
  ~host_program();
  host_program(const host_program&) = delete;
  host_program& operator=(const host_program&) = delete;

  /// Code that was made ahead, for all sizes; null and a reason where there is none. Before the first run.
  void give(function_id region, const program* code, std::string reason = {});

  std::vector<value> run(std::span<const value> inputs, int threads = 0) const;
  /// Why the module is not for inputs of these sizes.
  std::optional<error> refusal(std::span<const value> inputs) const;
  const ir::module& module() const { return module_; }
  counts counted() const;

 private:
  struct variant;
  struct state;
  class caller;
  struct call_code;
  call_code code_for(function_id f, std::span<const tensor> operands) const;
  void refuse(function_id f, std::span<const tensor> operands, const error& why) const;
  function_id entry() const;
  function_id checked(std::span<const value> inputs) const;

  ir::module module_;
  std::unique_ptr<region_compiler> compiler_;
  options options_;
  std::unique_ptr<state> state_;
};

/// A host program as sessions and files know it.
class hosted final : public executable {
 public:
  explicit hosted(std::unique_ptr<host_program> p) : program_(std::move(p)) {}
  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override;
  std::vector<value> run_values(std::span<const value> inputs, int threads) const override {
    return program_->run(inputs, threads);
  }
  std::optional<error> refusal(std::span<const value> inputs) const override { return program_->refusal(inputs); }
  specializations specialized() const override;
  const host_program& host() const { return *program_; }

 private:
  std::unique_ptr<host_program> program_;
};

}  // namespace tenon
