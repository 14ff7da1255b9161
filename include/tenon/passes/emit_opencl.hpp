/// @file emit_opencl: the last pass of `targets::opencl`: a module in phase `build` gains the OpenCL C made from it.
///
/// Before: entry and kernels         After: the same, and an artifact of format "opencl_c" that defines the grids
/// Each grid of a kernel (ir/grid.hpp) is a `__kernel` function, whose work items each run one iteration of the bound
/// loops. The text is that of `emit_c` but for what C and OpenCL C say differently: where memory is, and the names of a
/// few functions. It is OpenCL C 1.2, with cl_khr_fp64 where there are doubles. What launches the functions, and in
/// which order, the entry says, which stays in the module.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/threads_bound.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/targets/capability.hpp>

namespace tenon::formats {
struct opencl_c;  // targets/opencl.hpp
}

namespace tenon::passes {

struct emit_opencl {
  static constexpr fixed_string name = "emit_opencl";
  using from = phases::build;
  using to = phases::built;
  using needs = facts<fact::threads_bound>;
  using keeps = all_facts;
  using handles = build_ops;  // the entry stays as what launches the code, and kernels as its source
  using emits = ops<>;
  using code_format = formats::opencl_c;
  using needs_of_device = capabilities<capability::thread_blocks>;
  ir_module<to> run(ir_module<from>&& m, context& cx) const;
};

/// The function that runs a step of a kernel. Its arguments: for each buffer the memory object and where in it the
/// buffer begins, in bytes; the table of the run's sizes; then where each bound loop begins, and how often it runs.
std::string grid_symbol(const ir::module& m, function_id kernel, size_t step);
/// A module in phase `build`, of whose loops `threads_bound` holds. Errors: "codegen.unsupported", which names op and
/// kernel; with `check_bounds` also for an access that is not proven to stay inside of its buffer.
std::string opencl_source_of(const ir::module& m, bool check_bounds = false);

}  // namespace tenon::passes
