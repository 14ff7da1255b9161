// Unrolling, tail duplication and the like: of several barriers some threads wait at one, and some at another.
#include "house.hpp"

using namespace house;

struct load;
struct barrier {
  using effects = tn::effects<tn::effect::sync>;
};
struct kernel {
  static constexpr tn::fixed_string name = "kernel";
  using op_list = tn::ops<load, barrier>;
  using op_effects = tn::effects<tn::effect::reads, tn::effect::sync>;
};
struct duplicate_tails {
  static constexpr tn::fixed_string name = "duplicate_tails";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using duplicates = tn::any_effects;
#ifdef TENON_TWIN
  using leaves = tn::effects<tn::effect::sync>;
#endif
};
// CHECK: tenon-E043: pass 'duplicate_tails' (1st) may leave more than one of 'barrier', whose effect 'sync' does not allow that, and phase 'kernel' lists it: say 'using leaves = tenon::effects<sync>' if the pass leaves such ops alone
using order = tn::pipeline<duplicate_tails>;
