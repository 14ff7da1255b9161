/// @file table.cpp: the table of what LLVM does, for programs that link it and for those that open it as a file.
#include "table.hpp"

#include <llvm/Support/ErrorHandling.h>

#include "processor.hpp"

namespace tenon::codegen {
namespace {

void (*told_of_memory)() = nullptr;
void (*told_of_failure)(const char* reason) = nullptr;

void report_failures(void (*out_of_memory)(), void (*failed)(const char* reason)) {
  told_of_memory = out_of_memory, told_of_failure = failed;
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { told_of_memory(); });
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler([](void*, const char* reason, bool) { told_of_failure(reason); });
}

constexpr llvm_functions table = {emit_by_llvm, link_shared_by_lld, load_by_jit,       unit_by_llvm,
                                  told_triple,  told_name,          told_feature_list, report_failures};

}  // namespace
}  // namespace tenon::codegen

extern "C" const tenon::codegen::llvm_functions* llvm_functions_of_tenon() { return &tenon::codegen::table; }
