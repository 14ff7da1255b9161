// openxla/xla #17500: layouts were normalized behind the pass that makes segments of the graph fit for the host's memory; the
// transposes that this put there are not, and algebra made others of them. convert_layout is this library's own.
#include <tenon/passes/convert_layout.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/simplify.hpp>
#include <tenon/pipeline.hpp>

namespace tn = tenon;
using namespace tn::passes;

struct host_segments_plain {
  static constexpr tn::fixed_string name = "host_segments_plain";
};
struct legalize_host_offload {
  static constexpr tn::fixed_string name = "legalize_host_offload";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using gives = tn::facts<host_segments_plain>;
  using keeps = tn::all_facts;
  using emits = tn::ops<tn::op::reshape>;
};
struct offload_to_host {
  static constexpr tn::fixed_string name = "offload_to_host";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<host_segments_plain>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<infer_shapes, convert_layout, simplify, legalize_host_offload, offload_to_host>;
#else
using pipeline = tn::pipeline<infer_shapes, legalize_host_offload, convert_layout, simplify, offload_to_host>;  // CHECK: tenon-E003: pass 'offload_to_host' (5th) needs 'host_segments_plain', which pass 'convert_layout' (3rd) breaks after 'legalize_host_offload' (2nd) gave it: move 'offload_to_host' before 'convert_layout'
#endif
