// tile-ai/tilelang #1682: branches of one condition were merged before barriers were placed. Accesses that conflict then
// stood in one branch, the barrier between them, too, and the threads that do not take it never came there.
#include <tenon/ir/ir_module.hpp>
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct branch;
struct load {
  using effects = tn::effects<tn::effect::reads>;
};
struct store {
  using effects = tn::effects<tn::effect::writes>;
};
struct barrier {
  using effects = tn::effects<tn::effect::sync>;
};
struct conflicts_apart {  // no two accesses that conflict stand in one branch
  static constexpr tn::fixed_string name = "conflicts_apart";
  using of_all = tn::ops<load, store>;
  static void check(const tn::ir::module&);
};
struct kernels {
  static constexpr tn::fixed_string name = "kernels";
  using op_list = tn::ops<branch, load, store, barrier>;
  using begins_with = tn::facts<conflicts_apart>;
};
struct merge_branches {
  static constexpr tn::fixed_string name = "merge_branches";
  using runs_in = kernels;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<branch>;
  using moves = tn::effects<tn::effect::reads, tn::effect::writes>;
  using leaves = tn::effects<tn::effect::sync>;
};
struct place_barriers {
  static constexpr tn::fixed_string name = "place_barriers";
  using runs_in = kernels;
  using needs = tn::facts<conflicts_apart>;
  using keeps = tn::all_facts;
  using emits = tn::ops<barrier>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<place_barriers, merge_branches>;
#else
// CHECK: tenon-E003: pass 'place_barriers' (2nd) needs 'conflicts_apart', which pass 'merge_branches' (1st) breaks, since it deletes, merges or moves ops, after it held from the start: move 'place_barriers' before 'merge_branches'
using order = tn::pipeline<merge_branches, place_barriers>;
#endif
