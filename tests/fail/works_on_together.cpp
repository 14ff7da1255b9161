// A pass that matches convolutions with the addition of their bias finds none where biases are plain additions, though
// convolutions are still there (tenstorrent/tt-mlir #4611 is of this kind).
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct conv;
struct bias_add;
struct expand_dims;
struct add;
struct conv_bias;
struct relay {
  static constexpr tn::fixed_string name = "relay";
  using op_list = tn::ops<conv, bias_add, expand_dims, add, conv_bias>;
};
struct canonicalize_ops {
  static constexpr tn::fixed_string name = "canonicalize_ops";
  using runs_in = relay;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<bias_add>;
  using handles = eliminates;
  using emits = tn::ops<expand_dims, add>;
};
struct fuse_conv_bias {
  static constexpr tn::fixed_string name = "fuse_conv_bias";
  using runs_in = relay;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<conv_bias>;
  using works_on = tn::ops<tn::together<conv, bias_add>>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<fuse_conv_bias, canonicalize_ops>;
#else
// CHECK: tenon-E038: pass 'fuse_conv_bias' (2nd) matches patterns of 'bias_add' and 'conv', and pass 'canonicalize_ops' (1st) leaves no 'bias_add': move 'fuse_conv_bias' before 'canonicalize_ops'
using order = tn::pipeline<canonicalize_ops, fuse_conv_bias>;
#endif
