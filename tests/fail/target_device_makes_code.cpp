// A code generator where the device is meant, though nothing says that it is one.
#include "house.hpp"
#include <tenon/target.hpp>

using namespace house;

struct llvm {
  static constexpr tn::fixed_string name = "llvm";
};
struct machine {
  static constexpr tn::fixed_string name = "machine";
  static constexpr tn::device_kind kind = tn::device_kind::cpu;
};
struct my_cpu {
  static constexpr tn::fixed_string name = "my_cpu";
#ifdef TENON_TWIN
  using device = machine;
  using code_generator = llvm;
#else
  using device = llvm;
  using code_generator = schedule;
#endif
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes>;
  using ends_in = graph;
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E022: 'my_cpu' is no target, since its 'device', 'llvm', is no device: a device is where code runs, and says 'static constexpr tenon::device_kind kind'; what makes code is the 'code_generator'
compiler<my_cpu> c;
