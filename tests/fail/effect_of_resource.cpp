// A pass deletes appends to a cache that nobody reads; an op that appends to a journal is not its to delete.
#include "house.hpp"

using namespace house;

struct cache;
struct journal;
struct drop_unread_appends {
  static constexpr tn::fixed_string name = "drop_unread_appends";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using deletes = tn::effects<tn::effect::writes_of<cache>>;
#ifdef TENON_TWIN
  using leaves = tn::effects<tn::effect::writes>;  // whatever else is written
#endif
};
struct append {
  static constexpr tn::fixed_string name = "append";
  using effects = tn::effects<tn::effect::writes_of<cache>>;
};
struct note {
  static constexpr tn::fixed_string name = "note";
  using effects = tn::effects<tn::effect::writes_of<journal>>;
};
// CHECK: tenon-E016: pass 'drop_unread_appends' (2nd) deletes, merges or moves ops, and does not say how it treats the effect 'writes_of<journal>' of an op that this pipeline adds: specialize tenon::treats<drop_unread_appends, effect>
using order = tn::pipeline<lift_lambdas, drop_unread_appends>::with_ops<append, note>;
