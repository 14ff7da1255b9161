// Allocations become places in memory that is there before: one for all iterations of a parallel loop.
#include "lanes.hpp"

using namespace lanes;

struct place_buffers {
  static constexpr tn::fixed_string name = "place_buffers";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<alloc>;
  using handles = tn::ops<alloc>;
  using emits = tn::ops<arena_slice>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<parallelize, outline_loops, place_buffers>;
#else
// CHECK: tenon-E045: pass 'place_buffers' (2nd) may take an op with effect 'allocates' out of a region of 'parallel_for', each run of which has its own, and pass 'parallelize' (1st) emits it: move 'place_buffers' after 'outline_loops'
using order = tn::pipeline<parallelize, place_buffers, outline_loops>;
#endif
