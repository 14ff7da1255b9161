// A phase lists an op without results that forgot its effects.
#include "house.hpp"
#include <tenon/op.hpp>

using namespace house;

struct barrier {
  static constexpr tn::fixed_string name = "barrier";
#ifdef TENON_TWIN
  static constexpr tn::op_traits traits{.effects = tn::effect_bits::sync, .results = 0};
#else
  static constexpr tn::op_traits traits{.results = 0};
#endif
};
struct threads {
  static constexpr tn::fixed_string name = "threads";
  using op_list = tn::ops<add, mul, barrier>;
};
struct merge_loops {
  static constexpr tn::fixed_string name = "merge_loops";
  using runs_in = threads;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: tenon-E037: pass 'merge_loops' runs in phase 'threads', and its op 'barrier' has no results and no effects, and ends no region: it does nothing, and dead-code elimination deletes it
using order = tn::pipeline<merge_loops>;
