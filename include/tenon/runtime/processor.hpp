/// @file processor: what this machine's processor has of what machine code may need.
///
///     require_processor("cpu:arch=znver4,features=\"+avx512f,…\"", "model.tenon");   // else "program.processor"
///
/// Code records its target as text (targets/spec.hpp), with its triple (core/machine.hpp), and features by LLVM's
/// names. Those count whose instructions a code generator chooses by itself: code that misses one of them would end the
/// process. Needs no LLVM.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// The features that count, in the order in which errors name them: of x86-64 and AArch64, else none.
std::vector<std::string_view> processor_features();
/// Has this processor, and the system that runs on it, the feature? No for a name that does not count.
bool processor_has(std::string_view feature);
/// The highest of x86-64, x86-64-v2, -v3 and -v4 that this processor is; empty where it is no x86.
std::string_view processor_level();
/// Which processor it is among those of the same features: the vendor and signature (family, model, stepping) that
/// CPUID answers, or AArch64's MIDR_EL1; empty where the machine does not say. For comparing only.
const std::string& processor_model();

/// What the target's text says that the code needs and this processor has not.
std::vector<std::string> missing_features(std::string_view target);
/// Error "program.machine" where the code is for another kind of machine, "program.processor" where anything is
/// missing; `where` names the code.
void require_processor(std::string_view target, const std::string& where);

}  // namespace tenon
