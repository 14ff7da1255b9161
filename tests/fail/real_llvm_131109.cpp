// llvm/llvm-project #131109: allocations that are private to teams were hoisted out of regions that are outlined later.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct alloca_ {
  using effects = tn::effects<tn::effect::allocates>;
};
struct teams {
  using region_keeps = tn::effects<tn::effect::allocates>;
};
struct call;
struct omp {
  static constexpr tn::fixed_string name = "omp";
  using op_list = tn::ops<alloca_, teams, call>;
  using op_effects = tn::effects<tn::effect::allocates>;
};
struct hoist_allocas {
  static constexpr tn::fixed_string name = "hoist_allocas";
  using runs_in = omp;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<tn::effect::allocates>;
};
struct outline_teams {
  static constexpr tn::fixed_string name = "outline_teams";
  using runs_in = omp;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<teams>;
  using handles = eliminates;
  using emits = tn::ops<call>;
  static constexpr bool adds_functions = true;
};
#ifdef TENON_TWIN
using order = tn::pipeline<outline_teams, hoist_allocas>;
#else
// CHECK: tenon-E045: pass 'hoist_allocas' (1st) may take an op with effect 'allocates' out of a region of 'teams', each run of which has its own, and phase 'omp' lists it: move 'hoist_allocas' after 'outline_teams', or say 'using keeps_inside = tenon::effects<allocates>' if such ops stay in the regions where they stand, or, if modules come without 'teams', let the phase say so: 'using begins_with = tenon::facts<...>' of a fact with 'absent_ops'
using order = tn::pipeline<hoist_allocas, outline_teams>;
#endif
