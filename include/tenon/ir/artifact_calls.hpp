/// @file artifact_calls: calls of kernels that artifacts define: native code calls what an external generator made.
///
///     %1 = call_kernel(%x, %w) {kernel = @my_library_0}              artifact my_library_0 : my_format
/// The kernel that a `call_kernel`, `call_dps` or `call_native` names is a function of the module, or, where no
/// function has the name, an artifact. Nothing is known of an artifact's arguments: they are buffers for the operands,
/// then for the results, and there is no scratch. `passes::lower_external_calls` makes such calls.
#pragma once

#include <vector>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// The name of the kernel that an op calls, or null.
const function_ref* called_kernel(const op_view& v);
/// The artifact that an op calls as a kernel, or null.
const artifact* called_artifact(const module& m, op_id op);

/// The calls of artifacts in the entries of a module in phase `build`, in the order in which native code numbers them.
std::vector<op_id> artifact_calls(const module& m);

}  // namespace tenon::ir
