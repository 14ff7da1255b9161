/// @file native_calls: joins native code to the code of other generators that it calls.
///
/// A built module's native code calls artifacts by a table, with the buffers that it has (ir/artifact_calls.hpp,
/// runtime/abi.hpp); extents that inputs decide are those of the run. Here each artifact is loaded, told which of its
/// arguments are constants, and put into that table.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <tenon/compile/external/code_generator.hpp>
#include <tenon/runtime/abi.hpp>

namespace tenon {

struct native_calls {
  std::vector<tenon_external_call> table;  ///< one entry for each call, in the order of the code
  std::shared_ptr<const void> code;        ///< what the table refers to
};

/// For a module in phase `built`. Errors: "external.no_format", "external.dynamic_shape"; what loading and preparing
/// throw.
native_calls bind_native_calls(const ir::module& built, std::span<const external_format> formats);

}  // namespace tenon
