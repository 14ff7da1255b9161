/// @file part: a part of a graph, bound to the vectorized kernel that computes it: what an artifact of `targets::xsimd`
/// runs as.
///
/// A part is what one kernel computes (`one_step`, targets/xsimd/rules.hpp): an op, elementwise ops as a chain, or a
/// product and the chain on its result. Where its arguments and results are says the caller; memory is planned by
/// `passes::plan_memory`, like that of other kernels. Which kernels are used is chosen here, on the machine that runs
/// them. Errors: "external.no_kernel".
#pragma once

#include <memory>
#include <string>

#include <tenon/compile/external/code_generator.hpp>
#include <tenon/targets/xsimd/steps.hpp>

namespace tenon::xsimd_kernels {

class part final : public external_code {
 public:
  /// Binds the graph function `function` of a module, which is kept.
  part(ir::module m, std::string_view function);
  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override;
  size_t result_count() const override { return outputs_.size(); }
  void run_into(std::span<const external_buffer> buffers, int threads) const override;

 private:
  friend class part_binder;
  struct port {
    int slot;
    dtype type;
    std::vector<i64> shape;
  };
  ir::module module_;
  std::vector<std::unique_ptr<step>> steps_;
  std::vector<port> inputs_, outputs_;
  std::vector<std::pair<int, const void*>> constants_;
  std::vector<std::pair<int, i64>> unused_;  ///< results that nobody takes, and their bytes
  size_t slots_ = 0;
};

}  // namespace tenon::xsimd_kernels
