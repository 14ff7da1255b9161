/// @file processor: which processors and features code can be made for.
#pragma once

#include <string>

namespace llvm {
class Target;
class Triple;
}  // namespace llvm

namespace tenon::codegen {

/// Error "target.value" names what is unknown, with what is near, or says what is missing.
void check_processor(const llvm::Target& target, const llvm::Triple& triple, const std::string& cpu,
                     const std::string& features);

}  // namespace tenon::codegen
