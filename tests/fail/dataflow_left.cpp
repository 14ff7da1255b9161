// apache/tvm #15009: dataflow blocks end with the phase of graphs. A pass that makes some must not be the last one there.
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/to_lowering.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

/// Gathers what belongs together.
struct mark_dataflow {
  static constexpr tenon::fixed_string name = "mark_dataflow";
  using runs_in = tenon::phases::optimization;
  using needs = tenon::facts<>;
  using keeps = tenon::all_facts;
  using emits = tenon::ops<tenon::op::dataflow>;
  void run(tenon::ir_module<runs_in>&, tenon::context&) const {}
};

#ifdef TENON_TWIN
using order = tenon::pipeline<mark_dataflow, infer_shapes, fold_extents, require_known_extents, legalize_ops, to_lowering>;
#else
// CHECK: tenon-E003: pass 'to_lowering' (6th) needs 'ops_legalized', which pass 'mark_dataflow' (5th) breaks after 'legalize_ops' (4th) gave it: move 'mark_dataflow' before 'legalize_ops'
using order = tenon::pipeline<infer_shapes, fold_extents, require_known_extents, legalize_ops, mark_dataflow, to_lowering>;
#endif
