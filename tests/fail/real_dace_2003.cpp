// spcl/dace #2003: a graph was moved to the GPU by one transformation, and once more by another, which optimizes for it.
// Each of them takes a graph on the host, and leaves none.
#include <tenon/ir/ir_module.hpp>
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct map;
struct gpu_map;
struct copy;
struct on_host {
  static constexpr tn::fixed_string name = "on_host";
  using of_each = tn::any_ops;
  static void check(const tn::ir::module&);
};
struct graph {
  static constexpr tn::fixed_string name = "graph";
  using op_list = tn::ops<map, gpu_map, copy>;
  using begins_with = tn::facts<on_host>;
};
struct to_gpu {
  static constexpr tn::fixed_string name = "to_gpu";
  using runs_in = graph;
  using needs = tn::facts<on_host>;
  using keeps = tn::facts<>;
  using emits = tn::ops<gpu_map, copy>;
};
struct optimize_for_gpu {
  static constexpr tn::fixed_string name = "optimize_for_gpu";
  using runs_in = graph;
  using needs = tn::facts<on_host>;
  using keeps = tn::facts<>;
  using emits = tn::ops<map, gpu_map, copy>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<optimize_for_gpu>;
#else
// CHECK: tenon-E003: pass 'optimize_for_gpu' (2nd) needs 'on_host', which pass 'to_gpu' (1st) breaks after it held from the start: drop 'to_gpu', or drop 'optimize_for_gpu'
using order = tn::pipeline<to_gpu, optimize_for_gpu>;
#endif
