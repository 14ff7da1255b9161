// taichi-dev/taichi #729: a pass over whole kernels shared constants between tasks, each of which becomes a kernel of its own. The op
// says that its region keeps what stands in it.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct constant;
struct add;
struct global_store {
  using effects = tn::effects<tn::effect::writes>;
};
struct offloaded {
  using region_keeps = tn::any_effects;
};
struct not_offloaded {
  static constexpr tn::fixed_string name = "not_offloaded";
  using absent_ops = tn::ops<offloaded>;
};
struct chi {
  static constexpr tn::fixed_string name = "chi";
  using op_list = tn::ops<constant, add, global_store, offloaded>;
  using op_effects = tn::effects<tn::effect::writes>;
  using begins_with = tn::facts<not_offloaded>;
};
struct offload {
  static constexpr tn::fixed_string name = "offload";
  using runs_in = chi;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<offloaded>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct whole_kernel_cse {
  static constexpr tn::fixed_string name = "whole_kernel_cse";
  using runs_in = chi;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using merges = tn::effects<>;
  using leaves = tn::effects<tn::effect::writes>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<whole_kernel_cse, offload>;
#else
// CHECK: tenon-E045: pass 'whole_kernel_cse' (2nd) may take ops out of a region of 'offloaded', which keeps what stands in it, and pass 'offload' (1st) emits it: move 'whole_kernel_cse' before 'offload', or say 'using keeps_inside = tenon::any_effects' if ops stay in the regions where they stand
using order = tn::pipeline<offload, whole_kernel_cse>;
#endif
