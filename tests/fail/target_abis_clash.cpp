// A target's runtime calls code as its code generator means it to be called.
#include <tenon/targets/interpreter.hpp>

namespace tn = tenon;

struct queue_calls {
  static constexpr tn::fixed_string name = "queue_calls";
};
struct queue_codegen {
  static constexpr tn::fixed_string name = "queue_codegen";
  using code_format = tn::formats::module_file;
#ifndef TENON_TWIN
  using abi = queue_calls;
#endif
};
struct my_target {
  static constexpr tn::fixed_string name = "my_target";
  using device = tn::targets::reference_device;
  using code_generator = queue_codegen;
  using pipeline = tn::targets::interpreter::pipeline;
  using ends_in = tn::phases::optimization;
  using format = tn::formats::module_file;
  using abi = tn::abis::interpreted;
  using runtime = tn::targets::evaluator;
};
template <tn::complete_target T>
struct session {};
// CHECK: tenon-E070: target 'my_target' cannot run, since its code generator makes code that is called as 'queue_calls' says, and its 'runtime' says 'interpreted': join parts that speak of one abi
session<my_target> s;
