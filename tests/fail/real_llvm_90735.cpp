// llvm/llvm-project #90735, and again #225149: allocations were hoisted out of loops, out of parallel ones too, and all
// iterations shared what had been memory of each. Whose memory it is, is in the type of the op: memory of one iteration
// has an effect of its own, and who moves allocations has to say what it does with it.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct of_one_iteration {
  static constexpr tn::fixed_string name = "of_one_iteration";
};
struct alloc {
  using effects = tn::effects<tn::effect::allocates>;
};
struct alloc_private {
  using effects = tn::effects<of_one_iteration>;
};
struct parallel_for;
struct loops {
  static constexpr tn::fixed_string name = "loops";
  using op_list = tn::ops<alloc, alloc_private, parallel_for>;
};
struct hoist_buffers {
  static constexpr tn::fixed_string name = "hoist_buffers";
  using runs_in = loops;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<tn::effect::allocates>;
#ifdef TENON_TWIN
  using leaves = tn::effects<of_one_iteration>;
#endif
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
// CHECK: tenon-E016: pass 'hoist_buffers' deletes, merges or moves ops, and does not say how it treats the effect 'of_one_iteration' of phase 'loops': add it to its 'deletes', 'merges', 'moves' or 'leaves', or specialize tenon::treats<hoist_buffers, effect>
using order = tn::pipeline<hoist_buffers>;
