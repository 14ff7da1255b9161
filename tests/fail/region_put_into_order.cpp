// The same, and there is an order in which no such region is left.
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
};
// CHECK: tenon-E042: pass 'lower_conversions' (2nd) may emit 'cluster_barrier', which a region of 'warp_specialize' does not allow, and there may be one: pass 'specialize_warps' (1st) emits it: move 'lower_conversions' after 'split_warps', or say 'using emits_outside = tenon::ops<cluster_barrier>' if it never puts it there
#ifdef TENON_TWIN
using order = tn::pipeline<specialize_warps, split_warps, lower_conversions>;
#else
using order = tn::pipeline<specialize_warps, lower_conversions, split_warps>;
#endif
