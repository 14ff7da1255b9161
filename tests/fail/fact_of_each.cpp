// A fact that holds of each op ends where a pass makes such ops, and does not know it.
// triton-lang/triton #10901: every op of a loop says which partition it is in; the pass that removes layout conversions made new
// ones that say nothing, and the pass that splits the loop stopped at them.
#include "house.hpp"

using namespace house;

struct ops_partitioned {
  static constexpr tn::fixed_string name = "ops_partitioned";
  using of_each = tn::any_ops;
};
struct assign_partitions {
  static constexpr tn::fixed_string name = "assign_partitions";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<ops_partitioned>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct remove_conversions {
  static constexpr tn::fixed_string name = "remove_conversions";
  using runs_in = graph;
  using needs = tn::facts<>;
#ifdef TENON_TWIN
  using keeps = tn::facts<ops_partitioned>;  // its conversions are put into the partition of their operand
#else
  using keeps = tn::all_facts;
#endif
  using emits = tn::ops<mul>;
};
struct split_partitions {
  static constexpr tn::fixed_string name = "split_partitions";
  using runs_in = graph;
  using needs = tn::facts<ops_partitioned>;
  using keeps = tn::facts<>;
  using emits = tn::ops<>;
};
// CHECK: tenon-E003: pass 'split_partitions' (3rd) needs 'ops_partitioned', which pass 'remove_conversions' (2nd) breaks, since it emits 'mul', after 'assign_partitions' (1st) gave it: move 'remove_conversions' before 'assign_partitions', or move 'split_partitions' before 'remove_conversions'
using order = tn::pipeline<assign_partitions, remove_conversions, split_partitions>;
