// Dead-code elimination in a phase whose ops write memory, and nobody said how it treats writes.
#include "house.hpp"

using namespace house;

struct memory_graph {
  static constexpr tn::fixed_string name = "memory_graph";
  using op_list = tn::ops<add, kernel_call>;
  using op_effects = tn::effects<tn::effect::writes, tn::effect::random>;
};
struct eliminate_dead {
  static constexpr tn::fixed_string name = "eliminate_dead";
  using runs_in = memory_graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using deletes = tn::effects<tn::effect::random>;
#ifdef TENON_TWIN
  using leaves = tn::effects<tn::effect::writes>;
#endif
};
// CHECK: tenon-E016: pass 'eliminate_dead' deletes, merges or moves ops, and does not say how it treats the effect 'writes' of phase 'memory_graph': add it to its 'deletes', 'merges', 'moves' or 'leaves', or specialize tenon::treats<eliminate_dead, effect>
using order = tn::pipeline<eliminate_dead>;
