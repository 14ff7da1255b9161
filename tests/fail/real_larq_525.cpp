// larq/compute-engine #525: additions and activations were fused, and the pass that fuses additions into binary
// convolutions found fewer of them.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct bconv;
struct add;
struct relu;
struct add_relu;
struct tfl {
  static constexpr tn::fixed_string name = "tfl";
  using op_list = tn::ops<bconv, add, relu, add_relu>;
};
struct tfl_optimize {
  static constexpr tn::fixed_string name = "tfl_optimize";
  using runs_in = tfl;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using emits = tn::ops<add_relu>;
  using works_on = tn::ops<tn::together<add, relu>>;
  using deletes = tn::effects<>;
};
struct lce_optimize {
  static constexpr tn::fixed_string name = "lce_optimize";
  using runs_in = tfl;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using emits = tn::ops<bconv>;
  using works_on = tn::ops<tn::together<bconv, add>>;
  using deletes = tn::effects<>;
  using not_after = tn::rewriter_of<add>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lce_optimize, tfl_optimize>;
#else
// CHECK: tenon-E019: pass 'lce_optimize' (2nd) may not run after 'tfl_optimize' (1st), which rewrites 'add': move 'lce_optimize' before 'tfl_optimize'
using order = tn::pipeline<tfl_optimize, lce_optimize>;
#endif
