// Every member of a composite can be built and run.
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>

namespace tn = tenon;

struct npu {
  static constexpr tn::fixed_string name = "npu";
  using device = tn::targets::reference_device;
  using code_generator = tn::targets::interpreter::code_generator;
#ifdef TENON_TWIN
  using pipeline = tn::targets::interpreter::pipeline;
#endif
  using ends_in = tn::phases::optimization;
  using format = tn::formats::module_file;
  using abi = tn::abis::interpreted;
  using runtime = tn::targets::evaluator;
};
// CHECK: tenon-E071: member 'second' of a composite cannot be built: target 'npu' cannot run, since it has no 'using pipeline': a target that runs has a device, a code generator, a pipeline, a format, an abi and a runtime
using board = tn::composite<tn::host<tn::targets::interpreter>, tn::device<"second", npu>>;
