// An op gets into a region that does not allow it. triton-lang/triton #9456: the lowering of layout conversions made barriers of the whole
// cluster, also inside of partitions that some of the warps run: a deadlock.
#include "warps.hpp"

using namespace warps;

struct lower_conversions {
  static constexpr tn::fixed_string name = "lower_conversions";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<convert_layout>;
  using handles = tn::ops<convert_layout>;
  using emits = tn::ops<cluster_barrier, load>;
#ifdef TENON_TWIN
  using emits_outside = tn::ops<cluster_barrier>;
#endif
};
// CHECK: tenon-E042: pass 'lower_conversions' (2nd) may emit 'cluster_barrier', which a region of 'warp_specialize' does not allow, and there may be one: pass 'specialize_warps' (1st) emits it: say 'using emits_outside = tenon::ops<cluster_barrier>' if it never puts it there
using order = tn::pipeline<specialize_warps, lower_conversions>;
