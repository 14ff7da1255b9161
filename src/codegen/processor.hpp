/// @file processor: this processor, and which ones code can be made for.
#pragma once

#include <llvm/ADT/StringMap.h>

#include <string>

namespace llvm {
class Target;
class Triple;
}  // namespace llvm

namespace tenon::codegen {

/// What this processor says of itself, asked once: on a virtual machine each question (cpuid) ends in its host, and
/// LLVM has some hundred.
const llvm::StringMap<bool>& told_features();

/// Those of `host_features` that the name `host_cpu` does not say: LLVM looks at each in all of its tables, for every
/// function.
std::string host_features_beyond_name(const llvm::Target& target, const llvm::Triple& triple);

/// Error "target.value" names what is unknown, with what is near, or says what is missing.
void check_processor(const llvm::Target& target, const llvm::Triple& triple, const std::string& cpu,
                     const std::string& features);

}  // namespace tenon::codegen
