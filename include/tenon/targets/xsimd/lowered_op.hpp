/// @file lowered_op: any op that has loop nests, as a step of `targets::xsimd`: lowered by itself, as for `cpu`, and
/// run by targets/xsimd/nests.hpp.
#pragma once

#include <memory>
#include <vector>

#include <tenon/targets/xsimd/nests.hpp>
#include <tenon/targets/xsimd/steps.hpp>

namespace tenon::xsimd_kernels {

class lowered_op {
 public:
  /// Errors: what lowerings say that are asked for what they cannot do, and "external.no_kernel".
  lowered_op(const ir::module& m, op_id op);
  /// The operands that it reads, each once.
  const std::vector<value_id>& operands() const { return operands_; }
  /// Memory of operands and results, in order.
  void run(std::span<char* const> given, int threads) const;

 private:
  struct action {
    int kernel = -1;  ///< else a copy from the first buffer to the second
    std::vector<size_t> buffers;
    i64 bytes = 0;
  };
  struct buffer {
    int given = -1;
    const void* constant = nullptr;
    i64 bytes = 0;  ///< of scratch
  };
  std::unique_ptr<ir::module> module_;
  std::vector<value_id> operands_;
  std::vector<std::unique_ptr<nests>> kernels_;
  std::vector<buffer> buffers_;
  std::vector<action> actions_;
};

struct lowered_step final : step {
  std::unique_ptr<lowered_op> work;
  std::vector<int> slots;  ///< operands, then results
  void run(const frame& f) const override;
};

}  // namespace tenon::xsimd_kernels
