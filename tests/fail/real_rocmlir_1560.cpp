// ROCm/rocMLIR #1560: common subexpressions were merged, and with them the empty tensors that stand for the destinations of
// two ops; what then allocates a buffer for each empty tensor allocated one for both, and fusion met a buffer that is written
// twice. Whoever allocates relies on a destination for each op: something of all empty tensors together.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct empty;
struct alloc;
struct conv;
struct destinations_apart {
  static constexpr tn::fixed_string name = "destinations_apart";
  using of_all = tn::ops<empty>;
  static void check(const tn::ir::module&);
};
struct tensors {
  static constexpr tn::fixed_string name = "tensors";
  using op_list = tn::ops<empty, alloc, conv>;
  using begins_with = tn::facts<destinations_apart>;
};
struct eliminate_common {
  static constexpr tn::fixed_string name = "eliminate_common";
  using runs_in = tensors;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using merges = tn::effects<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct allocate_destinations {
  static constexpr tn::fixed_string name = "allocate_destinations";
  using runs_in = tensors;
  using needs = tn::facts<destinations_apart>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<empty>;
  using handles = tn::ops<empty>;
  using emits = tn::ops<alloc>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<allocate_destinations, eliminate_common>;
#else
// CHECK: tenon-E003: pass 'allocate_destinations' (2nd) needs 'destinations_apart', which pass 'eliminate_common' (1st) breaks, since it deletes, merges or moves ops, after it held from the start: move 'allocate_destinations' before 'eliminate_common'
using order = tn::pipeline<eliminate_common, allocate_destinations>;
#endif
