// Every member of a composite has what runs its code.
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>

namespace tn = tenon;

struct npu {
  static constexpr tn::fixed_string name = "npu";
  using device = tn::targets::reference_device;
  using code_generator = tn::targets::interpreter::code_generator;
  using pipeline = tn::targets::interpreter::pipeline;
  using ends_in = tn::phases::optimization;
  using format = tn::formats::module_file;
  using abi = tn::abis::interpreted;
#ifdef TENON_TWIN
  using runtime = tn::targets::evaluator;
#endif
};
// CHECK: tenon-E071: member 'second' of a composite cannot be built: target 'npu' cannot run, since it has no 'using runtime'
using board = tn::composite<tn::host<tn::targets::interpreter>, tn::device<"second", npu>>;
