/// @file opencl: GPUs, and whatever else OpenCL (1.2 or newer) serves: kernels as grids of threads.
///
///     auto built = build<targets::opencl>(importers::onnx::load("model.onnx"));
///     program p = load_opencl(built);                      // compiled by the device's driver
/// The pipeline is that of `targets::cpu` down to loops, where `bind_threads` takes the place of `vectorize`,
/// `parallelize` and `tile`. OpenCL itself is looked for when a program is loaded: nothing is linked, and a machine
/// without it builds all the same. Constants are brought to the device once; what is computed in between stays there.
/// Needs no LLVM.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/artifact.hpp>
#include <tenon/passes/bind_threads.hpp>
#include <tenon/passes/emit_opencl.hpp>
#include <tenon/targets/cpu.hpp>

namespace tenon {
namespace formats {

/// OpenCL C: text that the driver of a device compiles.
struct opencl_c {
  static constexpr fixed_string name = "opencl_c";
  using abilities = tenon::abilities<can::save>;
  static constexpr fixed_string advice = "the driver of a device compiles it: load_opencl(built)";
};

}  // namespace formats

namespace abis {
/// Grids that a host launches, in the order of the module's entry.
struct opencl_grids {
  static constexpr fixed_string name = "opencl_grids";
};
}  // namespace abis

/// Tensors between runs are in the host's memory.
struct opencl_device : detail::in_host_memory {
  static constexpr fixed_string name = "opencl";
  static constexpr device_kind kind = device_kind::opencl;
  using provides = capabilities<capability::thread_blocks>;
};

namespace targets {

struct opencl_runtime {
  static constexpr fixed_string name = "opencl_runtime";
  using code_format = formats::opencl_c;
  using abi = abis::opencl_grids;
  static std::unique_ptr<executable> load(const ir::module& built);
};

struct opencl {
  static constexpr fixed_string name = "opencl";
  using device = opencl_device;
  using code_generator = passes::emit_opencl;
  using format = formats::opencl_c;
  using abi = abis::opencl_grids;
  using runtime = opencl_runtime;
  static constexpr bool divisible = true;  ///< a host may call its code: passes::outline_regions
  using pipeline = cpu::pipeline::edit<replace<passes::generate_code, passes::emit_opencl>,
                                       insert_after<passes::plan_memory, passes::bind_threads>,
                                       without<passes::vectorize, passes::parallelize, passes::tile>>;

  i64 device_number = 0;  ///< among those that `opencl_devices` lists
  bounds_checks check_bounds = bounds_checks::untrusted;
  TENON_OPTIONS(device_number, check_bounds)

  /// Says in a context what the passes are to make code for.
  void configure(context& cx) const;
  /// Element types that there is no arithmetic for stay with the host of a composite.
  static bool has(const ir::op_view& op);
};

}  // namespace targets

/// The devices that OpenCL finds on this machine, GPUs first: "NAME (VENDOR's platform)". Empty where there is none, or
/// no OpenCL.
std::vector<std::string> opencl_devices();

/// Compiles a module that was built for `targets::opencl`, by the driver of the device that its options name. Errors:
/// "opencl.no_device", which says what to install; "opencl.build", with the driver's log; "opencl.capability", for a
/// type that the device does not compute in; "opencl.failed", for what else a driver refuses, such as more memory than
/// there is.
program load_opencl(const ir::module& built);
template <class... Facts>
program load_opencl(const ir_module<phases::built, Facts...>& m) {
  return load_opencl(m.body());
}

}  // namespace tenon
