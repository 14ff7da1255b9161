// llvm/torch-mlir #1261: simplification was repeated until nothing changes. Types were refined once more behind the pass
// that decomposes ops, which had made one that refinement does not know.
#include <tenon/compile/repeat.hpp>
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct linear;
struct matmul;
struct empty;
struct types_refined {
  static constexpr tn::fixed_string name = "types_refined";
  using of_each = tn::any_ops;
};
struct nothing_empty {
  static constexpr tn::fixed_string name = "nothing_empty";
  using absent_ops = tn::ops<empty>;
};
struct torch {
  static constexpr tn::fixed_string name = "torch";
  using op_list = tn::ops<linear, matmul, empty>;
  using begins_with = tn::facts<nothing_empty>;
};
struct in_torch {
  using runs_in = torch;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct refine_types : in_torch {
  static constexpr tn::fixed_string name = "refine_types";
  using needs = tn::facts<nothing_empty>;
  using gives = tn::facts<types_refined>;
  using emits = tn::ops<>;
};
struct decompose : in_torch {
  static constexpr tn::fixed_string name = "decompose";
  using needs = tn::facts<types_refined>;
  using eliminates = tn::ops<linear>;
  using handles = eliminates;
  using emits = tn::ops<matmul, empty>;
};
struct lower_empty : in_torch {
  static constexpr tn::fixed_string name = "lower_empty";
  using eliminates = tn::ops<empty>;
  using handles = eliminates;
  using emits = tn::ops<matmul>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<tn::repeat<refine_types, decompose, lower_empty>>;
#else
// CHECK: tenon-E039: pass 'refine_types' cannot be repeated here, since it needs 'nothing_empty', which 'decompose' breaks, in this round or the one before: put a pass that gives it between them, in the repeat
using order = tn::pipeline<tn::repeat<refine_types, decompose>, lower_empty>;
#endif
