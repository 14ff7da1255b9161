// pytorch/pytorch #142822: nodes were put in the order that takes the least memory, and communication was ordered
// behind that. Who moves computations alone, and leaves communication where it is, does not end what is true of that.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct kernel;
struct all_gather {
  using effects = tn::effects<tn::effect::sync>;
};
struct wait {
  using effects = tn::effects<tn::effect::sync>;
};
struct dependencies_complete {
  static constexpr tn::fixed_string name = "dependencies_complete";
  using of_all = tn::ops<all_gather, wait>;
};
struct order_chosen {
  static constexpr tn::fixed_string name = "order_chosen";
  using of_all = tn::any_ops;
};
struct nodes {
  static constexpr tn::fixed_string name = "nodes";
  using op_list = tn::ops<kernel, all_gather, wait>;
};
struct order_comms {
  static constexpr tn::fixed_string name = "order_comms";
  using runs_in = nodes;
  using needs = tn::facts<>;
  using gives = tn::facts<dependencies_complete>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<tn::effect::sync>;
};
// [pass]
struct reorder_for_memory {
  static constexpr tn::fixed_string name = "reorder_for_memory";
  using runs_in = nodes;
  using needs = tn::facts<dependencies_complete>;
  using gives = tn::facts<order_chosen>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<>;
  using leaves = tn::effects<tn::effect::sync>;
};
// [end]
struct fuse_nodes {
  static constexpr tn::fixed_string name = "fuse_nodes";
  using runs_in = nodes;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<kernel>;
  using merges = tn::effects<>;
  using leaves = tn::effects<tn::effect::sync>;
};
struct plan_buffers {
  static constexpr tn::fixed_string name = "plan_buffers";
  using runs_in = nodes;
  using needs = tn::facts<order_chosen>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<fuse_nodes, order_comms, reorder_for_memory, plan_buffers>;
#else
// CHECK: tenon-E002: pass 'reorder_for_memory' (2nd) needs 'dependencies_complete', which no pass before it gives: move 'order_comms' before 'reorder_for_memory', or move 'reorder_for_memory' after 'order_comms'
using order = tn::pipeline<fuse_nodes, reorder_for_memory, order_comms, plan_buffers>;
#endif
