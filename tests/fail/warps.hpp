/// @file warps: a phase of kernels whose warps may be specialized, for the fail tests of regions.
#pragma once

#include "house.hpp"

namespace warps {
namespace tn = tenon;

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
struct split_warps {
  static constexpr tn::fixed_string name = "split_warps";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<warp_specialize>;
  using handles = tn::ops<warp_specialize>;
  using emits = tn::ops<load>;
};

}  // namespace warps
