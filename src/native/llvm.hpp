/// @file llvm.hpp: all that LLVM is asked for, as a table of functions. A program has the table linked in
/// (`tenon::llvm`, src/codegen/table.cpp), or opens it as a file when it is first needed (src/llvm/on_demand.cpp):
/// loading LLVM takes some 60 ms, for which a command that compiles nothing need not wait.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenon/compile/codegen.hpp>
#include <tenon/compile/codegen/progress.hpp>

namespace tenon::codegen {

/// An object in this process's memory, ready to run.
struct loaded_object {
  virtual ~loaded_object() = default;
  /// The address of a function. Error "codegen.jit" where there is none.
  virtual void* find(const std::string& symbol) const = 0;
};

/// In this process, whatever `makes_code_apart` says. Meaning and errors are those of compile/codegen.hpp.
struct llvm_functions {
  object_code (*emit_object)(const ir::module&, const options&, const progress_reader&);
  std::vector<char> (*link_shared)(const object_code&, std::optional<u64> interface);
  std::unique_ptr<loaded_object> (*load_object)(const object_code&);
  vector_unit (*vector_unit_of)(const std::string& triple, const std::string& cpu, const std::string& features);
  std::string (*host_triple)();
  std::string (*host_cpu)();
  std::string (*host_features)();
  /// What is called when LLVM runs out of memory, and when it fails with a reason; neither may return.
  void (*on_failure)(void (*out_of_memory)(), void (*failed)(const char* reason));
};

/// Safe from any thread. Error "codegen.llvm" where the table is in a file that cannot be opened.
const llvm_functions& llvm();

}  // namespace tenon::codegen

/// Where the table stands.
extern "C" const tenon::codegen::llvm_functions* llvm_functions_of_tenon();
