/// @file plan: a graph function as steps of vectorized kernels over planned memory: what an artifact of
/// `targets::xsimd` runs as.
///
/// Elementwise ops become chains, which join the product whose result they work on; views cost nothing; buffers whose
/// lives do not meet share memory. Which kernels are used is chosen here, on the machine that runs the plan. Errors:
/// "external.no_kernel".
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include <tenon/compile/external/code_generator.hpp>
#include <tenon/targets/xsimd/steps.hpp>

namespace tenon::xsimd_kernels {

class plan final : public external_code {
 public:
  /// Plans the graph function `function` of a module, which is kept.
  plan(ir::module m, std::string_view function);
  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override;
  size_t result_count() const override { return outputs_.size(); }
  void run_into(std::span<const external_buffer> buffers, int threads) const override;

  size_t step_count() const { return steps_.size(); }
  i64 arena_bytes() const { return arena_bytes_; }

 private:
  friend class planner;
  struct copied {
    int slot;
    size_t output;
  };
  struct port {
    int slot;
    dtype type;
    std::vector<i64> shape;
  };
  ir::module module_;
  std::vector<std::unique_ptr<step>> steps_;
  std::vector<port> inputs_, outputs_;
  std::vector<std::pair<int, const void*>> constants_;
  std::vector<std::pair<int, i64>> arena_;  ///< slots and their places
  std::vector<copied> copies_;              ///< results that another result, an argument or a constant holds
  i64 arena_bytes_ = 0;
  size_t slots_ = 0;
  mutable std::mutex mutex_;
  mutable std::vector<tensor> free_arenas_;
};

}  // namespace tenon::xsimd_kernels
