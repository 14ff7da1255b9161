// apache/tvm #3720: in A-normal form every op stands alone, and fusion found nothing to fuse, in silence. The pass that makes
// the form says that it comes too early while fuse, this library's own, is still to come.
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/pipeline.hpp>

namespace tn = tenon;
using namespace tn::passes;

struct to_a_normal_form {
  static constexpr tn::fixed_string name = "to_a_normal_form";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<tn::fact::shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<tn::op::call>;
  using not_between = tn::interval<infer_shapes, fuse>;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<infer_shapes, fold_extents, require_known_extents, fuse, to_a_normal_form>;
#else
using pipeline = tn::pipeline<infer_shapes, to_a_normal_form, fold_extents, require_known_extents, fuse>;  // CHECK: tenon-E019: pass 'to_a_normal_form' (2nd) may not run between 'infer_shapes' (1st) and 'fuse' (5th): move 'to_a_normal_form' after 'fuse'
#endif
