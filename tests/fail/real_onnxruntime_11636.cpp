// microsoft/onnxruntime #11636: quantizers were moved over transposes, and transposes over quantizers, for ever. Both facts are about
// ops that the other pass makes anew, which nobody has to say once more as what it breaks.
#include <tenon/compile/repeat.hpp>
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct quantize;
struct dequantize;
struct transpose;
struct conv;
struct graph {
  static constexpr tn::fixed_string name = "graph";
  using op_list = tn::ops<quantize, dequantize, transpose, conv>;
};
struct qdq_propagated {
  static constexpr tn::fixed_string name = "qdq_propagated";
  using of_all = tn::ops<quantize, dequantize, transpose>;
};
struct transposes_pushed {
  static constexpr tn::fixed_string name = "transposes_pushed";
  using of_all = tn::ops<quantize, dequantize, transpose>;
};
struct propagate_qdq {
  static constexpr tn::fixed_string name = "propagate_qdq";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<qdq_propagated>;
  using keeps = tn::all_facts;
  using emits = tn::ops<quantize, dequantize>;
  using moves = tn::effects<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct optimize_transposes {
  static constexpr tn::fixed_string name = "optimize_transposes";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<transposes_pushed>;
  using keeps = tn::all_facts;
  using emits = tn::ops<transpose>;
  using moves = tn::effects<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<optimize_transposes, propagate_qdq>;
#else
// CHECK: tenon-E039: a repeat may never come to rest: pass 'propagate_qdq' gives 'qdq_propagated', which 'optimize_transposes' breaks, and 'optimize_transposes' gives 'transposes_pushed', which 'propagate_qdq' breaks: leave one of them out, or let it run once, in front of the repeat
using order = tn::pipeline<tn::repeat<propagate_qdq, optimize_transposes>>;
#endif
