// An op is left that the next phase does not list; who eliminates it is known from `eliminators_of`.
#include "house.hpp"

using namespace house;

struct swish;
struct with_swish {
  static constexpr tn::fixed_string name = "with_swish";
  using op_list = graph::op_list::with<swish>;
};
struct expand_swish {
  static constexpr tn::fixed_string name = "expand_swish";
  using runs_in = with_swish;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<swish>;
  using handles = tn::ops<swish>;
  using emits = tn::ops<mul>;
};
template <>
struct tenon::eliminators_of<swish> {
  using type = tenon::pass_list<expand_swish>;
};
struct to_graph {
  static constexpr tn::fixed_string name = "to_graph";
  using from = with_swish;
  using to = graph;
  using needs = tn::facts<>;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<expand_swish, to_graph, infer_shapes>;
#else
using pipeline = tn::pipeline<to_graph, infer_shapes>;  // CHECK: tenon-E004: pass 'to_graph' (1st) enters phase 'graph', which does not list 'swish', and no pass before it eliminates it: insert 'expand_swish' before 'to_graph'
#endif
