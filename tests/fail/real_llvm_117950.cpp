// llvm/llvm-project #117950: functions of the runtime were declared, and made internal with all others.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct dx_intrinsic;
struct call;
struct word;
struct runtime_functions_external {
  static constexpr tn::fixed_string name = "runtime_functions_external";
  using of_each = tn::any_functions;
};
struct dxil {
  static constexpr tn::fixed_string name = "dxil";
  using op_list = tn::ops<dx_intrinsic, call>;
};
struct container {
  static constexpr tn::fixed_string name = "container";
  using op_list = tn::ops<word>;
};
struct dxil_op_lowering {
  static constexpr tn::fixed_string name = "dxil_op_lowering";
  using runs_in = dxil;
  using needs = tn::facts<>;
  using gives = tn::facts<runtime_functions_external>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<dx_intrinsic>;
  using handles = eliminates;
  using emits = tn::ops<call>;
  static constexpr bool adds_functions = true;
};
struct dxil_finalize_linkage {
  static constexpr tn::fixed_string name = "dxil_finalize_linkage";
  using runs_in = dxil;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool changes_functions = true;
  static constexpr bool removes_functions = true;
};
struct write_dxil {
  static constexpr tn::fixed_string name = "write_dxil";
  using from = dxil;
  using to = container;
  using needs = tn::facts<runtime_functions_external>;
  using eliminates = tn::ops<call>;
  using handles = eliminates;
  using emits = tn::ops<word>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<dxil_finalize_linkage, dxil_op_lowering, write_dxil>;
#else
// CHECK: tenon-E003: pass 'write_dxil' (3rd) needs 'runtime_functions_external', which pass 'dxil_finalize_linkage' (2nd) breaks, since it changes functions, after 'dxil_op_lowering' (1st) gave it: move 'dxil_finalize_linkage' before 'dxil_op_lowering', or run 'dxil_op_lowering' again after it
using order = tn::pipeline<dxil_op_lowering, dxil_finalize_linkage, write_dxil>;
#endif
