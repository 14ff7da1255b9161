/// @file entry: the entry of a module in phase `build`, bound to vectorized code: calls of artifacts go to the kernels
/// of targets/xsimd/part.hpp, those of other kernels to targets/xsimd/nests.hpp, in the module's own arena.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include <tenon/compile/external/native_calls.hpp>
#include <tenon/targets/xsimd/nests.hpp>

namespace tenon::xsimd_kernels {

class bound_entry {
 public:
  /// Keeps the module. Errors: "external.no_kernel"; what binding artifacts throws.
  bound_entry(const ir::module& built, function_id entry, std::span<const external_format> formats);
  bound_entry(const bound_entry&) = delete;
  bound_entry& operator=(const bound_entry&) = delete;

  const ir::module& module() const { return module_; }
  function_id function() const { return entry_; }
  /// Returns early where the run is stopped, or an artifact failed.
  void run(void* const* inputs, void* const* outputs, char* arena, const void* const* constants,
           const tenon_runtime& rt) const;

 private:
  struct place {
    enum { input, output, constant, arena } in = input;
    i64 number = 0;  ///< in the arena, where it begins, or -2 - i: the i-th that a run places
  };
  struct step {
    const nests* kernel = nullptr;
    const tenon_external_call* call = nullptr;  ///< else, without a kernel, a copy
    std::vector<place> buffers;
    ir::type copied{};
  };
  void read(op_id op, std::unordered_map<u32, place>& places);

  const ir::module module_;
  function_id entry_;
  size_t inputs_ = 0;
  std::unordered_map<std::string, std::unique_ptr<const nests>> kernels_;
  native_calls calls_;
  std::vector<step> steps_;
};

}  // namespace tenon::xsimd_kernels
