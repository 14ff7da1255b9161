// With a flag, an op may get into a region that does not allow it.
#include "warps.hpp"

using namespace warps;

struct lower_conversions {
  static constexpr tn::fixed_string name = "lower_conversions";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<cluster_barrier>;
#ifdef TENON_TWIN
  using emits_outside = tn::any_ops;
#endif
};
// CHECK: tenon-E025: when 'keep_warps' is on, pass 'lower_conversions' (3rd) may emit 'cluster_barrier', which a region of 'warp_specialize' does not allow, and there may be one: pass 'specialize_warps' (1st) emits it
using order = tn::pipeline<specialize_warps, tn::optional<split_warps, tn::unless<"keep_warps">>, lower_conversions>;
