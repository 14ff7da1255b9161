// A pass by hand puts an op into a region that does not allow it, as far as the type of the module knows.
#include <tenon/compile/run.hpp>

#include "warps.hpp"

using namespace warps;

struct lower_conversions {
  static constexpr tn::fixed_string name = "lower_conversions";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<cluster_barrier>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct warps_split {
  static constexpr tn::fixed_string name = "warps_split";
  using absent_ops = tn::ops<warp_specialize>;
};
// CHECK: tenon-E042: pass 'lower_conversions' may emit 'cluster_barrier', which a region of 'warp_specialize' does not allow, and this module may have one: say 'using emits_outside = tenon::ops<...>' if it never puts it there, or run a pass that eliminates 'warp_specialize' first
#ifdef TENON_TWIN
using module = tn::ir_module<kernel, warps_split>;
#else
using module = tn::ir_module<kernel>;
#endif
auto f(module&& m, tn::context& cx) { return tn::run<lower_conversions>(std::move(m), cx); }
