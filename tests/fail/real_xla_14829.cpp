// openxla/xla #14829: the collective pipeliner moved behind layout assignment, which had made call sites unique again
// after it by chance; later passes went wrong on shared computations.
#include "house.hpp"

using namespace house;

struct call_sites_unique {
  static constexpr tn::fixed_string name = "call_sites_unique";
};
struct flatten_call_graph {
  static constexpr tn::fixed_string name = "flatten_call_graph";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<call_sites_unique>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
template <>
struct tenon::givers_of<call_sites_unique> {
  using type = tenon::pass_list<flatten_call_graph>;
};
struct assign_layouts {
  static constexpr tn::fixed_string name = "assign_layouts";
  using runs_in = graph;
  using needs = tn::facts<call_sites_unique>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct pipeline_collectives {  // peels loops: their bodies are called from two places then
  static constexpr tn::fixed_string name = "pipeline_collectives";
  using runs_in = graph;
  using needs = tn::facts<>;
  using breaks = tn::facts<call_sites_unique>;
  using emits = tn::ops<>;
};
struct schedule_loops {
  static constexpr tn::fixed_string name = "schedule_loops";
  using runs_in = graph;
  using needs = tn::facts<call_sites_unique>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<flatten_call_graph, assign_layouts, pipeline_collectives, flatten_call_graph, schedule_loops>;
#else
using pipeline = tn::pipeline<flatten_call_graph, assign_layouts, pipeline_collectives, schedule_loops>;  // CHECK: tenon-E003: pass 'schedule_loops' (4th) needs 'call_sites_unique', which pass 'pipeline_collectives' (3rd) breaks after 'flatten_call_graph' (1st) gave it: move 'pipeline_collectives' before 'flatten_call_graph', or move 'schedule_loops' before 'pipeline_collectives'
#endif
