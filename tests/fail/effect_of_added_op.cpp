// A user adds an op that writes; dead-code elimination must be answered for.
#include "house.hpp"

using namespace house;

struct eliminate_dead {
  static constexpr tn::fixed_string name = "eliminate_dead";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using deletes = tn::effects<tn::effect::random>;
};
struct ref_write {
  static constexpr tn::fixed_string name = "ref_write";
  using effects = tn::effects<tn::effect::writes>;
};
#ifdef TENON_TWIN
template <>
inline constexpr bool tenon::treats<eliminate_dead, tn::effect::writes> = true;
#endif
// CHECK: tenon-E016: pass 'eliminate_dead' (2nd) deletes, merges or moves ops, and does not say how it treats the effect 'writes' of an op that this pipeline adds: specialize tenon::treats<eliminate_dead, effect>
using order = tn::pipeline<lift_lambdas, eliminate_dead>::with_ops<ref_write>;
