// openxla/xla #20374 (issue 20373): common subexpressions were eliminated between the pass that gives every host buffer a
// broadcast of its own and the one that relies on it. eliminate_common is this library's own, and never heard of the fact.
#include <tenon/passes/eliminate_common.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/pipeline.hpp>

namespace tn = tenon;
using namespace tn::passes;

struct buffers_have_own_broadcasts {
  static constexpr tn::fixed_string name = "buffers_have_own_broadcasts";
};
struct legalize_host_offload {
  static constexpr tn::fixed_string name = "legalize_host_offload";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using gives = tn::facts<buffers_have_own_broadcasts>;
  using keeps = tn::all_facts;
  using emits = tn::ops<tn::op::expand>;
};
struct offload_to_host {
  static constexpr tn::fixed_string name = "offload_to_host";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<buffers_have_own_broadcasts>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<infer_shapes, eliminate_common, legalize_host_offload, offload_to_host>;
#else
using pipeline = tn::pipeline<infer_shapes, legalize_host_offload, eliminate_common, offload_to_host>;  // CHECK: tenon-E003: pass 'offload_to_host' (4th) needs 'buffers_have_own_broadcasts', which pass 'eliminate_common' (3rd) breaks after 'legalize_host_offload' (2nd) gave it: move 'eliminate_common' before 'legalize_host_offload', or move 'offload_to_host' before 'eliminate_common'
#endif
