/// @file processor: this processor, and which ones code can be made for, of which machines.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/TargetParser/Triple.h>

#include <string>

#include <tenon/compile/codegen.hpp>

namespace llvm {
class MCSubtargetInfo;
class Target;
}  // namespace llvm

namespace tenon::codegen {

/// A machine that code is made for, as LLVM is told of it.
struct chosen_processor {
  const llvm::Target* target = nullptr;
  llvm::Triple triple;
  std::string name, features;
};
/// Errors "target.triple" and "target.value" say what is unknown, with what is near, or what is missing.
chosen_processor choose_processor(const options& o);

/// All that code for the processor may use, or may not, in the form of `told_feature_list`: its name says it to LLVM
/// only. `given`: what was asked for.
std::string features_of(const llvm::Triple& triple, const llvm::MCSubtargetInfo& info, const std::string& given);
vector_unit vector_unit_of(const llvm::Triple& triple, const llvm::MCSubtargetInfo& info);

/// What this processor says of itself, asked once: on a virtual machine each question (cpuid) ends in its host, and
/// LLVM has some hundred.
const llvm::StringMap<bool>& told_features();
/// codegen::host_triple, host_cpu and host_features.
std::string told_triple();
std::string told_name();
std::string told_feature_list();

}  // namespace tenon::codegen
