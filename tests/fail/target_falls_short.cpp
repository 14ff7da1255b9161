// The pipeline ends before the phase of the code generator, which is a pass that nobody listed: no repair of the order
// is reported.
#include "house.hpp"

#include <tenon/target.hpp>

using namespace house;

struct my_device {
  static constexpr tn::device_kind kind = tn::device_kind::extension;
};
struct write_code {
  static constexpr tn::fixed_string name = "write_code";
  using from = code;
  using to = tn::phases::built;
  using needs = tn::facts<>;
  using eliminates = tn::ops<kernel_call, jump>;
  using handles = tn::ops<kernel_call, jump>;
};
struct my_npu {
  static constexpr tn::fixed_string name = "my_npu";
  using device = my_device;
  using code_generator = write_code;
#ifdef TENON_TWIN
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, to_code>;
#else
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes>;
#endif
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E012: target 'my_npu' requires its pipeline to end in phase 'code', and it ends in 'graph': append the passes that lead there
compiler<my_npu> c;
