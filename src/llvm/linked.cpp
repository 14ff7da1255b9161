/// @file linked.cpp: `llvm()` of a program that has LLVM linked in.
#include "llvm.hpp"

namespace tenon::codegen {

const llvm_functions& llvm() { return *llvm_functions_of_tenon(); }
std::vector<std::string> files_opened_later() { return {}; }

}  // namespace tenon::codegen
