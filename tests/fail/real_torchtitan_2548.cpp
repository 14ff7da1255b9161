// pytorch/torchtitan #2548: whole compilation leaves code instead of a graph, and a pass over graphs that was named behind it died
// with "no attribute 'graph'". What a pass leaves is in its type.
#include "house.hpp"

using namespace house;

struct node;
struct compiled_code;
struct fx_graph {
  static constexpr tn::fixed_string name = "fx_graph";
  using op_list = tn::ops<node>;
};
struct compiled {
  static constexpr tn::fixed_string name = "compiled";
  using op_list = tn::ops<compiled_code>;
};
struct bucket_collectives {
  static constexpr tn::fixed_string name = "bucket_collectives";
  using runs_in = fx_graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<node>;
};
struct compile_whole {
  static constexpr tn::fixed_string name = "compile_whole";
  using from = fx_graph;
  using to = compiled;
  using needs = tn::facts<>;
  using eliminates = tn::ops<node>;
  using handles = tn::ops<node>;
  using emits = tn::ops<compiled_code>;
};
struct record_cudagraph {
  static constexpr tn::fixed_string name = "record_cudagraph";
  using runs_in = compiled;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<compiled_code>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<bucket_collectives, compile_whole, record_cudagraph>;
#else
// CHECK: tenon-E001: pass 'bucket_collectives' (2nd) runs in phase 'fx_graph', but the module is in 'compiled' since 'compile_whole' (1st): move 'bucket_collectives' before 'compile_whole'
using order = tn::pipeline<compile_whole, bucket_collectives, record_cudagraph>;
#endif
