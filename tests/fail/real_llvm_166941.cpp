// llvm/llvm-project #166941: layouts of instructions and of lanes were propagated at once, and blocking, which needs the ones,
// makes ops that have not the others, which distribution needs.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct load_nd;
struct dpas;
struct instruction_layouts {
  static constexpr tn::fixed_string name = "instruction_layouts";
  using of_each = tn::any_ops;
};
struct lane_layouts {
  static constexpr tn::fixed_string name = "lane_layouts";
  using of_each = tn::any_ops;
};
struct blocked {
  static constexpr tn::fixed_string name = "blocked";
};
struct tiles {
  static constexpr tn::fixed_string name = "tiles";
  using op_list = tn::ops<load_nd, dpas>;
};
struct propagate_layouts {
  static constexpr tn::fixed_string name = "propagate_layouts";
  using runs_in = tiles;
  using needs = tn::facts<>;
  using gives = tn::facts<instruction_layouts, lane_layouts>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct block {
  static constexpr tn::fixed_string name = "block";
  using runs_in = tiles;
  using needs = tn::facts<instruction_layouts>;
  using gives = tn::facts<blocked>;
  using keeps = tn::all_facts;
  using emits = tn::ops<load_nd, dpas>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct distribute {
  static constexpr tn::fixed_string name = "distribute";
  using runs_in = tiles;
  using needs = tn::facts<lane_layouts, blocked>;
  using keeps = tn::facts<>;
  using emits = tn::ops<load_nd, dpas>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<propagate_layouts, block, propagate_layouts, distribute>;
#else
// CHECK: tenon-E003: pass 'distribute' (3rd) needs 'lane_layouts', which pass 'block' (2nd) breaks, since it emits 'dpas', after 'propagate_layouts' (1st) gave it: run 'propagate_layouts' again after 'block'
using order = tn::pipeline<propagate_layouts, block, distribute>;
#endif
