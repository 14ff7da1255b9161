// torch/_inductor/fx_passes/README.md: "we do have one pass that does introduce mutation - reinplace_scatters. This pass must
// run just before Inductor lowering, as otherwise this breaks our invariant." The comment is a declaration here.
#include "house.hpp"

using namespace house;

struct reinplace;
struct lower {
  static constexpr tn::fixed_string name = "lower";
  using from = graph;
  using to = code;
  using needs = tn::facts<ops_legalized>;
  using emits = tn::ops<jump>;
  using immediately_after = reinplace;
};
struct reinplace {
  static constexpr tn::fixed_string name = "reinplace";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool at_most_once = true;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, reinplace, lower>;
#else
using pipeline = tn::pipeline<lift_lambdas, infer_shapes, reinplace, legalize_ops, lower>;  // CHECK: tenon-E020: pass 'lower' (5th) must run immediately after 'reinplace', and it follows 'legalize_ops' (4th)
#endif
