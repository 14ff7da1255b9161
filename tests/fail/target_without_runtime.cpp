// A target that is to be run says what runs it.
#include <tenon/targets/interpreter.hpp>

namespace tn = tenon;

struct my_target {
  static constexpr tn::fixed_string name = "my_target";
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
template <tn::complete_target T>
struct session {};
// CHECK: tenon-E070: target 'my_target' cannot run, since it has no 'using runtime': a target that runs has a device, a code generator, a pipeline, a format, an abi and a runtime
session<my_target> s;
