// databendlabs/databend #10368: predicates went into scans as prewhere before other rules had seen their filters, and
// plans had to be optimized twice. The pass that is last of those who take filters says so, and names nobody.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct filter;
struct scan;
struct limit;
struct logical {
  static constexpr tn::fixed_string name = "logical";
  using op_list = tn::ops<filter, scan, limit>;
};
struct push_down_prewhere {
  static constexpr tn::fixed_string name = "push_down_prewhere";
  using runs_in = logical;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using works_on = tn::ops<tn::together<filter, scan>>;
  using emits = tn::ops<>;
  using changes = tn::ops<scan>;
  using deletes = tn::effects<>;
  using not_before = tn::rewriter_of<filter, scan>;
};
struct push_down_limit {
  static constexpr tn::fixed_string name = "push_down_limit";
  using runs_in = logical;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using works_on = tn::ops<tn::together<limit, filter, scan>>;
  using emits = tn::ops<filter>;
  using changes = tn::ops<scan>;
  using deletes = tn::effects<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<push_down_limit, push_down_prewhere>;
#else
// CHECK: tenon-E019: pass 'push_down_prewhere' (1st) may not run before 'push_down_limit' (2nd), which rewrites 'scan': move 'push_down_prewhere' after 'push_down_limit', or move 'push_down_limit' before 'push_down_prewhere'
using order = tn::pipeline<push_down_prewhere, push_down_limit>;
#endif
