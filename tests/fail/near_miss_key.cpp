// The key beside: facts about additions would be judged as if the pass left these as they are.
#include "house.hpp"

using namespace house;

struct mark_sums {
  static constexpr tn::fixed_string name = "mark_sums";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using changes = tn::ops<add>;
#else
  using chanhes = tn::ops<add>;
#endif
};
// CHECK: tenon-E008: pass 'mark_sums' has a member 'chanhes', which means nothing to the judge: write 'changes'
using order = tn::pipeline<lift_lambdas, infer_shapes, mark_sums>;
