// iree-org/iree #6651: slices of tensors had become ops of the next dialect before fusion, and unit extents, which are
// folded by slices of lower rank, stayed. Generic ops were still there, so a pass that works on both found something.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct generic;
struct extract_slice;
struct flow_slice;
struct reshape;
struct tensors {
  static constexpr tn::fixed_string name = "tensors";
  using op_list = tn::ops<generic, extract_slice, flow_slice, reshape>;
};
struct convert_to_flow {
  static constexpr tn::fixed_string name = "convert_to_flow";
  using runs_in = tensors;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using eliminates = tn::ops<extract_slice>;
  using handles = eliminates;
  using emits = tn::ops<flow_slice>;
};
struct fold_unit_extents {
  static constexpr tn::fixed_string name = "fold_unit_extents";
  using runs_in = tensors;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using works_on = tn::ops<generic, extract_slice>;
  using emits = tn::ops<generic, extract_slice, reshape>;
  using deletes = tn::effects<>;
  using not_after = tn::rewriter_of<generic, extract_slice>;
};
struct fuse {
  static constexpr tn::fixed_string name = "fuse";
  using runs_in = tensors;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using works_on = tn::ops<generic>;
  using emits = tn::ops<generic>;
  using deletes = tn::effects<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<fold_unit_extents, fuse>;
#else
// CHECK: tenon-E019: pass 'fold_unit_extents' (2nd) may not run after 'convert_to_flow' (1st), which rewrites 'extract_slice': move 'fold_unit_extents' before 'convert_to_flow'
using order = tn::pipeline<convert_to_flow, fold_unit_extents, fuse>;
#endif
