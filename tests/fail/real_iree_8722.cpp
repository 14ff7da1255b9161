// iree-org/iree #8722: shape casts were lowered to extracts and inserts in front of the lowering of transposes, which makes more of them,
// that would have folded away.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct transpose;
struct shape_cast;
struct extract;
struct shuffle;
struct vector {
  static constexpr tn::fixed_string name = "vector";
  using op_list = tn::ops<transpose, shape_cast, extract, shuffle>;
};
struct llvm {
  static constexpr tn::fixed_string name = "llvm";
  using op_list = tn::ops<extract, shuffle>;
};
struct lower_transposes {
  static constexpr tn::fixed_string name = "lower_transposes";
  using runs_in = vector;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<transpose>;
  using handles = eliminates;
  using emits = tn::ops<shape_cast, shuffle>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct fold_shape_casts {
  static constexpr tn::fixed_string name = "fold_shape_casts";
  using runs_in = vector;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<shape_cast>;
  using works_on = tn::ops<shape_cast>;
  using deletes = tn::effects<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct lower_shape_casts {
  static constexpr tn::fixed_string name = "lower_shape_casts";
  using runs_in = vector;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<shape_cast>;
  using handles = eliminates;
  using emits = tn::ops<extract>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct to_llvm {
  static constexpr tn::fixed_string name = "to_llvm";
  using from = vector;
  using to = llvm;
  using needs = tn::facts<>;
  using eliminates = tn::ops<>;
  using handles = eliminates;
  using emits = tn::ops<>;
  tn::ir_module<to> run(tn::ir_module<from>&&, tn::context&) const;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lower_transposes, lower_shape_casts, to_llvm>;
#else
// CHECK: tenon-E004: pass 'to_llvm' (3rd) enters phase 'llvm', which does not list 'shape_cast', and pass 'lower_transposes' (2nd) may emit it after 'lower_shape_casts' (1st) eliminated it: move 'lower_transposes' before 'lower_shape_casts'
using order = tn::pipeline<lower_shape_casts, lower_transposes, to_llvm>;
#endif
