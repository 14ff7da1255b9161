// pytorch #154945 (and #61092): constants are folded before the pattern "FP8 weight, dequantized, used" is looked for, and a
// dequantized constant is a number like any other. fold_constants is this library's own.
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/pipeline.hpp>

namespace tn = tenon;
using namespace tn::passes;

struct weights_are_dequantized {
  static constexpr tn::fixed_string name = "weights_are_dequantized";
};
struct quantize_weights {
  static constexpr tn::fixed_string name = "quantize_weights";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using gives = tn::facts<weights_are_dequantized>;
  using keeps = tn::all_facts;
  using emits = tn::ops<tn::op::constant, tn::op::dequantize>;
};
struct fuse_fp8_products {
  static constexpr tn::fixed_string name = "fuse_fp8_products";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<weights_are_dequantized>;
  using keeps = tn::all_facts;
  using emits = tn::ops<tn::op::matmul>;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<infer_shapes, quantize_weights, fuse_fp8_products, fold_constants>;
#else
using pipeline = tn::pipeline<infer_shapes, quantize_weights, fold_constants, fuse_fp8_products>;  // CHECK: tenon-E003: pass 'fuse_fp8_products' (4th) needs 'weights_are_dequantized', which pass 'fold_constants' (3rd) breaks after 'quantize_weights' (2nd) gave it: move 'fold_constants' before 'quantize_weights', or move 'fuse_fp8_products' before 'fold_constants'
#endif
