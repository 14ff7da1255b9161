/// @file on_demand.cpp: `llvm()` of a program that opens LLVM when it is first asked. The file stands at
/// TENON_CODEGEN_FILE, from the program's folder, and calls functions of the program, which exports them.
#include <dlfcn.h>
#include <sys/mman.h>

#include <filesystem>

#include <tenon/core/error.hpp>

#include "llvm.hpp"

namespace tenon::codegen {
namespace {

std::string codegen_file() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / TENON_CODEGEN_FILE).lexically_normal();
}

/// LLVM's initializers end the process where memory runs out: is there as much as they may take?
bool has_memory() {
  std::error_code e;
  const auto file = std::filesystem::file_size(TENON_LLVM_FILE, e);
  const size_t bytes = (e ? 0 : static_cast<size_t>(file)) + (size_t{64} << 20);
  void* const place = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return place != MAP_FAILED && ::munmap(place, bytes) == 0;
}

}  // namespace

const llvm_functions& llvm() {
  static const llvm_functions& table = [&]() -> const llvm_functions& {
    const std::string file = codegen_file();
    if (!has_memory())
      throw error("codegen.memory", "there is not enough memory to open the code generator", {},
                  "allow more, or use --target interpreter");
    void* const opened = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
    void* const symbol = opened != nullptr ? ::dlsym(opened, "llvm_functions_of_tenon") : nullptr;
    if (symbol == nullptr)
      throw error("codegen.llvm", std::string("the code generator cannot be opened: ") + ::dlerror(), {},
                  "install tenon whole, with LLVM 22 (Debian: libllvm22), or use --target xsimd or interpreter");
    return *reinterpret_cast<decltype(&llvm_functions_of_tenon)>(symbol)();
  }();
  return table;
}

std::vector<std::string> files_opened_later() { return {codegen_file(), TENON_LLVM_FILE}; }

}  // namespace tenon::codegen
