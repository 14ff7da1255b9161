// NVIDIA/cudf-spark #16085: rules that look for joins ran before subqueries had become joins, and put themselves at the
// end again from inside of their bodies. What a pass looks for is made by others, whom it does not name.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct exists;
struct filter;
struct semi_join;
struct gpu_join;
struct logical {
  static constexpr tn::fixed_string name = "logical";
  using op_list = tn::ops<exists, filter, semi_join, gpu_join>;
};
struct wild_rule {
  static constexpr tn::fixed_string name = "wild_rule";
  using runs_in = logical;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using works_on = tn::ops<semi_join>;
  using emits = tn::ops<gpu_join>;
  using deletes = tn::effects<>;
  using not_before = tn::emitter_of<semi_join>;
};
struct rewrite_subquery {
  static constexpr tn::fixed_string name = "rewrite_subquery";
  using runs_in = logical;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using eliminates = tn::ops<exists>;
  using handles = eliminates;
  using emits = tn::ops<semi_join>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<rewrite_subquery, wild_rule>;
#else
// CHECK: tenon-E019: pass 'wild_rule' (1st) may not run before 'rewrite_subquery' (2nd), which emits 'semi_join': move 'wild_rule' after 'rewrite_subquery', or move 'rewrite_subquery' before 'wild_rule'
using order = tn::pipeline<wild_rule, rewrite_subquery>;
#endif
