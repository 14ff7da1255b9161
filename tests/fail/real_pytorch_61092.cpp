// pytorch/pytorch #61092: constant propagation folded `dequantize` of constant weights, and fusion, which looks for it in front
// of a convolution, made no quantized convolution any more.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct quantize;
struct dequantize;
struct constant;
struct conv;
struct quantized_conv;
struct quantization_explicit {
  static constexpr tn::fixed_string name = "quantization_explicit";
  using of_all = tn::ops<quantize, dequantize>;
};
struct graph {
  static constexpr tn::fixed_string name = "graph";
  using op_list = tn::ops<quantize, dequantize, constant, conv, quantized_conv>;
};
struct insert_quantization {
  static constexpr tn::fixed_string name = "insert_quantization";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<quantization_explicit>;
  using keeps = tn::all_facts;
  using emits = tn::ops<quantize, dequantize>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct propagate_constants {
  static constexpr tn::fixed_string name = "propagate_constants";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<constant>;
  using deletes = tn::effects<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct fuse_quantized {
  static constexpr tn::fixed_string name = "fuse_quantized";
  using runs_in = graph;
  using needs = tn::facts<quantization_explicit>;
  using keeps = tn::facts<>;
  using works_on = tn::ops<dequantize>;
  using emits = tn::ops<quantized_conv>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<insert_quantization, fuse_quantized, propagate_constants>;
#else
// CHECK: tenon-E003: pass 'fuse_quantized' (3rd) needs 'quantization_explicit', which pass 'propagate_constants' (2nd) breaks, since it deletes, merges or moves ops, after 'insert_quantization' (1st) gave it: move 'propagate_constants' before 'insert_quantization', or move 'fuse_quantized' before 'propagate_constants'
using order = tn::pipeline<insert_quantization, propagate_constants, fuse_quantized>;
#endif
