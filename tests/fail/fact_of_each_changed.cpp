// A fact that holds of each op ends where a pass changes such ops where they stand, and does not know it.
// Memory of one iteration (apache/tvm #7246): scratch was placed outside of loops that ran one iteration after the other, a pass
// behind it made more of them parallel, and all iterations wrote to the same memory.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct for_loop;
struct alloc;
struct loops {
  static constexpr tn::fixed_string name = "loops";
  using op_list = tn::ops<for_loop, alloc>;
};
struct scratch_private {  // what a parallel loop writes to, and nobody else reads, is of its iteration
  static constexpr tn::fixed_string name = "scratch_private";
  using of_each = tn::ops<for_loop, alloc>;
};
struct expand_scratch {
  static constexpr tn::fixed_string name = "expand_scratch";
  using runs_in = loops;
  using needs = tn::facts<>;
  using gives = tn::facts<scratch_private>;
  using keeps = tn::all_facts;
  using emits = tn::ops<alloc>;
};
struct mark_parallel {
  static constexpr tn::fixed_string name = "mark_parallel";
  using runs_in = loops;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using changes = tn::ops<for_loop>;
};
struct make_code {
  static constexpr tn::fixed_string name = "make_code";
  using runs_in = loops;
  using needs = tn::facts<scratch_private>;
  using keeps = tn::facts<>;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<mark_parallel, expand_scratch, make_code>;
#else
// CHECK: tenon-E003: pass 'make_code' (3rd) needs 'scratch_private', which pass 'mark_parallel' (2nd) breaks, since it changes 'for_loop', after 'expand_scratch' (1st) gave it: move 'mark_parallel' before 'expand_scratch', or move 'make_code' before 'mark_parallel'
using order = tn::pipeline<expand_scratch, mark_parallel, make_code>;
#endif
