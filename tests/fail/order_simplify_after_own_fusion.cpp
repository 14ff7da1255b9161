// A fusion pass of one's own hides ops in groups as the built-in one does: it says so by what it emits.
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/simplify.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

struct fuse_attention {
  static constexpr tenon::fixed_string name = "fuse_attention";
  using runs_in = tenon::phases::optimization;
  using needs = tenon::facts<tenon::fact::shapes_known>;
  using keeps = tenon::all_facts;
  using emits = tenon::ops<tenon::op::fused, tenon::op::yield>;
  void run(tenon::ir_module<runs_in>&, tenon::context&) const;
};
#ifdef TENON_TWIN
using order = tenon::pipeline<infer_shapes, simplify, fold_extents, require_known_extents, fuse_attention, fuse, legalize_ops>;
#else
// CHECK: tenon-E019: pass 'simplify' (5th) may not run between 'fuse_attention' (4th), which emits 'fused', and 'legalize_ops' (7th): move 'simplify' before 'fuse_attention'
using order = tenon::pipeline<infer_shapes, fold_extents, require_known_extents, fuse_attention, simplify, fuse, legalize_ops>;
#endif
