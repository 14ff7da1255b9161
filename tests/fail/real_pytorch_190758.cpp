// pytorch/pytorch #190758: a partitioner runs what is not worth its memory again in the backward graph, and a budget let random
// ops in: another mask than the forward one had. With functional random ops, which take their state, nothing is lost.
#include "house.hpp"

using namespace house;

struct matmul;
struct philox;
struct randn_like {
  using effects = tn::effects<tn::effect::random>;
};
struct joint_graph {
  static constexpr tn::fixed_string name = "joint_graph";
  using op_list = tn::ops<matmul, randn_like, philox>;
};
struct partition_by_budget {
  static constexpr tn::fixed_string name = "partition_by_budget";
  using runs_in = joint_graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using recomputes = tn::any_effects;
};
struct functionalize_random {
  static constexpr tn::fixed_string name = "functionalize_random";
  using runs_in = joint_graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<randn_like>;
  using handles = tn::ops<randn_like>;
  using emits = tn::ops<philox>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<functionalize_random, partition_by_budget>;
#else
// CHECK: tenon-E043: pass 'partition_by_budget' (1st) may run 'randn_like' again, whose effect 'random' does not allow that, and phase 'joint_graph' lists it: move 'partition_by_budget' after 'functionalize_random'
using order = tn::pipeline<partition_by_budget, functionalize_random>;
#endif
