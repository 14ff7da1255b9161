// ROCm/llvm-project #243: a pass that gives the shared memory of each kernel its place ran twice in whole-program builds, and what made
// more of it ran in between. It runs once, behind that.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct global;
struct kernel_struct;
struct load;
struct ir {
  static constexpr tn::fixed_string name = "ir";
  using op_list = tn::ops<global, kernel_struct, load>;
};
struct lower_lds {
  static constexpr tn::fixed_string name = "lower_lds";
  using runs_in = ir;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<global>;
  using handles = eliminates;
  using emits = tn::ops<kernel_struct>;
  static constexpr bool at_most_once = true;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct openmp_opt {
  static constexpr tn::fixed_string name = "openmp_opt";
  using runs_in = ir;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<global>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<openmp_opt, lower_lds>;
#else
// CHECK: tenon-E015: pass 'lower_lds' (3rd) may run at most once, and ran before (1st): drop the first 'lower_lds'
using order = tn::pipeline<lower_lds, openmp_opt, lower_lds>;
#endif
