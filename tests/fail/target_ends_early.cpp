// The pipeline of a target stops before code is made.
#include "house.hpp"
#include <tenon/target.hpp>

using namespace house;
struct npu {
  static constexpr tn::device_kind kind = tn::device_kind::extension;
};
struct npu_codegen {};
struct my_npu {
  static constexpr tn::fixed_string name = "my_npu";
  using device = npu;
  using code_generator = npu_codegen;
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes>;
#ifdef TENON_TWIN
  using ends_in = graph;
#else
  using ends_in = code;
#endif
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E012: target 'my_npu' requires its pipeline to end in phase 'code', and it ends in 'graph': append the passes that lead there, or leave out what leads elsewhere
compiler<my_npu> c;
