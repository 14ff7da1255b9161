// The code generator of a target requires what its pipeline does not give.
#include "house.hpp"
#include <tenon/target.hpp>

using namespace house;
struct npu {
  static constexpr tn::device_kind kind = tn::device_kind::extension;
};
struct npu_codegen {
  using requires_facts = tn::facts<shapes_known>;
};

struct my_npu {
  static constexpr tn::fixed_string name = "my_npu";
  using device = npu;
  using code_generator = npu_codegen;
  using ends_in = graph;
#ifdef TENON_TWIN
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes>;
#else
  using pipeline = tn::pipeline<lift_lambdas>;
#endif
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E012: target 'my_npu' requires 'shapes_known' of the module that its code generator gets, and no pass of its pipeline gives it: add a pass that 'gives' it
compiler<my_npu> c;
