// PaddlePaddle/Paddle #16490: norms were folded into convolutions before another pass turned depthwise convolutions
// into such as the library has, and these kept their norms; users had to name the passes themselves.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct conv;
struct depthwise_conv;
struct batch_norm;
struct fluid {
  static constexpr tn::fixed_string name = "fluid";
  using op_list = tn::ops<conv, depthwise_conv, batch_norm>;
};
struct fuse_conv_bn {
  static constexpr tn::fixed_string name = "fuse_conv_bn";
  using runs_in = fluid;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using works_on = tn::ops<tn::together<conv, batch_norm>>;
  using emits = tn::ops<>;
  using changes = tn::ops<conv>;
  using deletes = tn::effects<>;
  using not_before = tn::emitter_of<conv>;
};
struct depthwise_to_conv {
  static constexpr tn::fixed_string name = "depthwise_to_conv";
  using runs_in = fluid;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using eliminates = tn::ops<depthwise_conv>;
  using handles = eliminates;
  using emits = tn::ops<conv>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<depthwise_to_conv, fuse_conv_bn>;
#else
// CHECK: tenon-E019: pass 'fuse_conv_bn' (1st) may not run before 'depthwise_to_conv' (2nd), which emits 'conv': move 'fuse_conv_bn' after 'depthwise_to_conv', or move 'depthwise_to_conv' before 'fuse_conv_bn'
using order = tn::pipeline<fuse_conv_bn, depthwise_to_conv>;
#endif
