// A target's runtime takes what its code generator makes.
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/interpreter.hpp>

namespace tn = tenon;

struct my_target {
  static constexpr tn::fixed_string name = "my_target";
  using device = tn::host_device;
  using code_generator = tn::passes::generate_code;
  using pipeline = tn::targets::cpu::pipeline;
  using format = tn::formats::elf_object;
  using abi = tn::abis::c_entry;
#ifdef TENON_TWIN
  using runtime = tn::targets::native_runtime;
#else
  using runtime = tn::targets::evaluator;
#endif
};
template <tn::complete_target T>
struct session {};
// CHECK: tenon-E070: target 'my_target' cannot run, since its code generator makes code of format 'elf_object', and its 'runtime' is for 'module': join parts that speak of one format
session<my_target> s;
