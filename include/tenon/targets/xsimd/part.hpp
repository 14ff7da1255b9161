/// @file part: a part of a graph, bound to the vectorized kernel that computes it: what an artifact of `targets::xsimd`
/// runs as.
///
/// A part is what one kernel computes (`one_step`, targets/xsimd/rules.hpp): an op, elementwise ops as a chain, or a
/// product and the chain on its result. Where its arguments and results are says the caller; memory is planned by
/// `passes::plan_memory`, like that of other kernels. Which kernels are used is chosen here, on the machine that runs
/// them. Extents that are symbols are those of a run's buffers: the kernel is bound once for each set of them, and the
/// latest are kept. Errors: "external.no_kernel".
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include <tenon/compile/external/code_generator.hpp>
#include <tenon/targets/xsimd/steps.hpp>

namespace tenon::xsimd_kernels {

/// The kernel of a part for given extents.
struct bound_part {
  std::vector<i64> extents;  ///< of the part's symbols
  std::vector<int> inputs, outputs;
  std::vector<std::pair<int, const void*>> constants;
  std::vector<std::pair<int, i64>> unused;  ///< results that nobody reads: slot and bytes
  size_t slots = 0;
  std::vector<std::unique_ptr<step>> steps;
};

class part final : public external_code {
 public:
  static constexpr size_t kept = 8;  ///< sets of extents for which kernels stay bound

  /// Binds the graph function `function` of a module, which is kept.
  part(ir::module m, std::string_view function);
  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override;
  size_t result_count() const override { return results_.size(); }
  void run_into(std::span<const external_buffer> buffers, int threads) const override;

 private:
  void read_extents(const ir::type& t, dtype elem, std::span<const i64> shape, size_t number,
                    std::span<i64> extents) const;
  std::vector<ir::type> result_types(std::span<const tensor> inputs) const;
  std::shared_ptr<const bound_part> bound_for(std::span<const i64> extents) const;

  ir::module module_;
  function_id function_;
  std::vector<const ir::type*> arguments_, results_;
  mutable std::mutex mutex_;
  mutable std::vector<std::shared_ptr<const bound_part>> bound_;  ///< the latest first
};

}  // namespace tenon::xsimd_kernels
