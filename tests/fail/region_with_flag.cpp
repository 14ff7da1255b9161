// With a flag, an op may get into a region that does not allow it.
#include "house.hpp"

using namespace house;

struct load;
struct convert_layout;
struct cluster_barrier {
  using effects = tn::effects<tn::effect::sync>;
};
struct warp_specialize {
  using region_forbids = tn::effects<tn::effect::sync>;
};
struct kernel {
  static constexpr tn::fixed_string name = "kernel";
  using op_list = tn::ops<load, convert_layout, cluster_barrier, warp_specialize>;
};
struct specialize_warps {
  static constexpr tn::fixed_string name = "specialize_warps";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<warp_specialize>;
  using encloses = tn::ops<load, convert_layout>;
};
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
struct split_warps {
  static constexpr tn::fixed_string name = "split_warps";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<warp_specialize>;
  using handles = tn::ops<warp_specialize>;
  using emits = tn::ops<load>;
};
// CHECK: tenon-E025: when 'keep_warps' is on, pass 'lower_conversions' (3rd) may emit 'cluster_barrier', which a region of 'warp_specialize' does not allow, and there may be one: pass 'specialize_warps' (1st) emits it
using order = tn::pipeline<specialize_warps, tn::optional<split_warps, tn::unless<"keep_warps">>, lower_conversions>;
