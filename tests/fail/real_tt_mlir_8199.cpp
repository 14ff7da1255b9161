// tenstorrent/tt-mlir #8199: which buffers share memory was decided, and then blocks were made anew of other sizes.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct generic;
struct to_layout;
struct d2m {
  static constexpr tn::fixed_string name = "d2m";
  using op_list = tn::ops<generic, to_layout>;
};
struct aliases_decided {
  static constexpr tn::fixed_string name = "aliases_decided";
  using of_each = tn::ops<generic>;
};
struct plan_memory {
  static constexpr tn::fixed_string name = "plan_memory";
  using runs_in = d2m;
  using needs = tn::facts<>;
  using gives = tn::facts<aliases_decided>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct reblock {
  static constexpr tn::fixed_string name = "reblock";
  using runs_in = d2m;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using changes = tn::ops<generic>;
};
struct allocate {
  static constexpr tn::fixed_string name = "allocate";
  using runs_in = d2m;
  using needs = tn::facts<aliases_decided>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<reblock, plan_memory, allocate>;
#else
// CHECK: tenon-E003: pass 'allocate' (3rd) needs 'aliases_decided', which pass 'reblock' (2nd) breaks, since it changes 'generic', after 'plan_memory' (1st) gave it: move 'reblock' before 'plan_memory'
using order = tn::pipeline<plan_memory, reblock, allocate>;
#endif
