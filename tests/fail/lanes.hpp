/// @file lanes: kernels whose parallel loops have buffers of their own, for the fail tests of what regions keep.
#pragma once

#include "house.hpp"

namespace lanes {
namespace tn = tenon;

struct load {
  using effects = tn::effects<tn::effect::reads>;
};
struct store {
  using effects = tn::effects<tn::effect::writes>;
};
struct alloc {
  using effects = tn::effects<tn::effect::allocates>;
};
struct arena_slice;  // a place in memory that was there before
struct parallel_for {
  using region_keeps = tn::effects<tn::effect::allocates>;
};
struct all_serial {
  static constexpr tn::fixed_string name = "all_serial";
  using absent_ops = tn::ops<parallel_for>;
};
struct kernel {
  static constexpr tn::fixed_string name = "kernel";
  using op_list = tn::ops<load, store, alloc, arena_slice, parallel_for>;
  using op_effects = tn::effects<tn::effect::reads, tn::effect::writes, tn::effect::allocates>;
  using begins_with = tn::facts<all_serial>;
};
struct parallelize {
  static constexpr tn::fixed_string name = "parallelize";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<parallel_for>;
};
/// Parallel loops become functions, which threads call.
struct outline_loops {
  static constexpr tn::fixed_string name = "outline_loops";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<parallel_for>;
  using handles = tn::ops<parallel_for>;
  using emits = tn::ops<>;
};

}  // namespace lanes
