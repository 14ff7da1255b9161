// pytorch/glow #2165: constants were quantized early, and passes of a backend changed their scales behind that. That
// constants are exact is true of the graph as it comes.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct quantize;
struct constant;
struct conv;
struct rescale;
struct constants_exact {
  static constexpr tn::fixed_string name = "constants_exact";
  using of_each = tn::ops<constant>;
  static void check(const tn::ir::module&);
};
struct graph {
  static constexpr tn::fixed_string name = "graph";
  using op_list = tn::ops<quantize, constant, conv, rescale>;
  using begins_with = tn::facts<constants_exact>;
};
struct fold_quantized_constants {
  static constexpr tn::fixed_string name = "fold_quantized_constants";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<constant>;
  using deletes = tn::effects<>;
};
struct transform_post_lowering {
  static constexpr tn::fixed_string name = "transform_post_lowering";
  using runs_in = graph;
  using needs = tn::facts<constants_exact>;
  using keeps = tn::facts<constants_exact>;
  using emits = tn::ops<rescale>;
  using changes = tn::ops<conv, quantize>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<transform_post_lowering, fold_quantized_constants>;
#else
// CHECK: tenon-E003: pass 'transform_post_lowering' (2nd) needs 'constants_exact', which pass 'fold_quantized_constants' (1st) breaks, since it emits 'constant', after it held from the start: move 'transform_post_lowering' before 'fold_quantized_constants'
using order = tn::pipeline<fold_quantized_constants, transform_post_lowering>;
#endif
