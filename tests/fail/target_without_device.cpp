// "llvm is not a device": a target has both.
#include "house.hpp"
#include <tenon/target.hpp>

using namespace house;

struct llvm {};
struct npu {
  static constexpr tn::device_kind kind = tn::device_kind::extension;
};
struct my_npu {
  static constexpr tn::fixed_string name = "my_npu";
#ifdef TENON_TWIN
  using device = npu;
#endif
  using code_generator = llvm;
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes>;
  using ends_in = graph;
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E022: 'my_npu' is no target, since it has no 'using device': a target has a name, a device, a code generator and a pipeline
compiler<my_npu> c;
