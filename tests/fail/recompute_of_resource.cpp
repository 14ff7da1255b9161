// Filling a cache again does no harm; a write that names no resource may be one to it, and to others.
#include "house.hpp"

using namespace house;

struct fills_cache {
  static constexpr tn::fixed_string name = "fills_cache";
  using in = tn::effect::writes;
  static constexpr bool recomputable = true;
};
struct memoize {
  using effects = tn::effects<fills_cache>;
};
struct store {
  using effects = tn::effects<tn::effect::writes>;
};
struct net {
  static constexpr tn::fixed_string name = "net";
  using op_list = tn::ops<memoize, store>;
};
struct rematerialize {
  static constexpr tn::fixed_string name = "rematerialize";
  using runs_in = net;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using recomputes = tn::effects<fills_cache>;
#ifdef TENON_TWIN
  using leaves = tn::effects<tn::effect::writes>;  // whatever names no resource
#endif
};
// CHECK: tenon-E043: pass 'rematerialize' (1st) may run 'store' again, whose effect 'writes' does not allow that, and phase 'net' lists it
using order = tn::pipeline<rematerialize>;
