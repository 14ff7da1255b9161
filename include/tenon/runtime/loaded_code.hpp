/// @file loaded_code: a shared object's code in this process. Needs no LLVM and no linker.
///
/// The system's loader wants a file, so the bytes go to a nameless one in memory, whose pages the process maps.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tenon/core/int.hpp>
#include <tenon/runtime/abi.hpp>

namespace tenon {

/// The value of an absolute symbol of a shared object, read from its bytes: nothing is loaded. Null where it defines
/// none of that name. Throws "artifact.load" for bytes that are no sound shared object of this machine: the system's
/// loader believes what these say of themselves.
std::optional<u64> absolute_symbol(std::span<const char> shared_object, std::string_view name);

/// Is TENON_PERF_MAP set to 1? Then code is loaded, also what is made in this process, from where profilers and
/// debuggers find the names of kernels: files tenon-PID-N.so in the folder of temporary files (TMPDIR, else /tmp),
/// which have symbol tables and tables of calls, and are left there.
bool perf_map_asked();

class loaded_code {
 public:
  /// Errors: "artifact.load" when the bytes are no sound shared object, when the loader refuses them, when a symbol
  /// that the code needs is nowhere, or when it does not define `symbol`.
  loaded_code(std::span<const char> shared_object, const std::string& symbol);

  tenon_entry entry() const { return entry_; }
  void call(void* const* inputs, void* const* outputs, void* arena, const void* constants,
            const tenon_runtime* rt) const {
    entry_(inputs, outputs, arena, constants, rt);
  }
  /// Another function that the code defines, or null.
  void* find(const std::string& symbol) const;
  /// The code stays mapped as long as this lives.
  const std::shared_ptr<const void>& keep() const { return handle_; }

 private:
  std::shared_ptr<const void> handle_;
  tenon_entry entry_ = nullptr;
};

}  // namespace tenon
