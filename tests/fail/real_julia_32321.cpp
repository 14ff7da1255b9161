// JuliaLang/julia #32321: loads that are marked invariant may cross safe points until roots are placed, and were moved
// behind that, too.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct invariant_load {};
struct safepoint {
  using effects = tn::effects<tn::effect::writes>;
};
struct root {
  using effects = tn::effects<tn::effect::writes>;
};
struct inst;
struct roots_placed {
  static constexpr tn::fixed_string name = "roots_placed";
  using of_all = tn::ops<invariant_load, safepoint, root>;
};
struct llvm {
  static constexpr tn::fixed_string name = "llvm";
  using op_list = tn::ops<invariant_load, safepoint, root>;
  using op_effects = tn::effects<tn::effect::writes>;
};
struct mc {
  static constexpr tn::fixed_string name = "mc";
  using op_list = tn::ops<inst>;
};
struct late_lower_gc {
  static constexpr tn::fixed_string name = "late_lower_gc";
  using runs_in = llvm;
  using needs = tn::facts<>;
  using gives = tn::facts<roots_placed>;
  using keeps = tn::all_facts;
  using emits = tn::ops<root>;
};
struct sink_loads {
  static constexpr tn::fixed_string name = "sink_loads";
  using runs_in = llvm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<>;
  using leaves = tn::effects<tn::effect::writes>;
};
struct isel {
  static constexpr tn::fixed_string name = "isel";
  using from = llvm;
  using to = mc;
  using needs = tn::facts<roots_placed>;
  using eliminates = tn::ops<invariant_load, safepoint, root>;
  using handles = eliminates;
  using emits = tn::ops<inst>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<sink_loads, late_lower_gc, isel>;
#else
// CHECK: tenon-E003: pass 'isel' (3rd) needs 'roots_placed', which pass 'sink_loads' (2nd) breaks, since it deletes, merges or moves ops, after 'late_lower_gc' (1st) gave it: move 'sink_loads' before 'late_lower_gc', or run 'late_lower_gc' again after it
using order = tn::pipeline<late_lower_gc, sink_loads, isel>;
#endif
