// apache/tvm #17439: waits were placed between accesses of shared memory, and then allocations were merged, which gave them other
// accesses. The pass that merges never heard of waits; the fact says that it is about each access.
#include "house.hpp"

using namespace house;

struct load;
struct store;
struct wait;
struct memory {
  static constexpr tn::fixed_string name = "memory";
  using op_list = tn::ops<load, store, wait>;
};
struct accesses_ordered {
  static constexpr tn::fixed_string name = "accesses_ordered";
  using of_each = tn::ops<load, store>;
};
struct place_waits {
  static constexpr tn::fixed_string name = "place_waits";
  using runs_in = memory;
  using needs = tn::facts<>;
  using gives = tn::facts<accesses_ordered>;
  using keeps = tn::all_facts;
  using emits = tn::ops<wait>;
};
struct merge_allocations {
  static constexpr tn::fixed_string name = "merge_allocations";
  using runs_in = memory;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<load, store>;
};
struct split_host_device {
  static constexpr tn::fixed_string name = "split_host_device";
  using runs_in = memory;
  using needs = tn::facts<accesses_ordered>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: tenon-E003: pass 'split_host_device' (3rd) needs 'accesses_ordered', which pass 'merge_allocations' (2nd) breaks, since it emits 'load', after 'place_waits' (1st) gave it: move 'merge_allocations' before 'place_waits', or move 'split_host_device' before 'merge_allocations'
#ifdef TENON_TWIN
using order = tn::pipeline<merge_allocations, place_waits, split_host_device>;
#else
using order = tn::pipeline<place_waits, merge_allocations, split_host_device>;
#endif
