// llvm/llvm-project #209123: functions for powers were added behind the pass that marks functions of the device, and
// the filter of host functions took them for such.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct ipowi;
struct call;
struct add;
struct device_functions_marked {
  static constexpr tn::fixed_string name = "device_functions_marked";
  using of_each = tn::any_functions;
};
struct fir {
  static constexpr tn::fixed_string name = "fir";
  using op_list = tn::ops<ipowi, call, add>;
};
struct mark_declare_target {
  static constexpr tn::fixed_string name = "mark_declare_target";
  using runs_in = fir;
  using needs = tn::facts<>;
  using gives = tn::facts<device_functions_marked>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool changes_functions = true;
};
struct convert_math_to_funcs {
  static constexpr tn::fixed_string name = "convert_math_to_funcs";
  using runs_in = fir;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<ipowi>;
  using handles = eliminates;
  using emits = tn::ops<call>;
  static constexpr bool adds_functions = true;
};
struct filter_host_ops {
  static constexpr tn::fixed_string name = "filter_host_ops";
  using runs_in = fir;
  using needs = tn::facts<device_functions_marked>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool removes_functions = true;
  static constexpr bool changes_functions = true;
};
#ifdef TENON_TWIN
using order = tn::pipeline<convert_math_to_funcs, mark_declare_target, filter_host_ops>;
#else
// CHECK: tenon-E003: pass 'filter_host_ops' (3rd) needs 'device_functions_marked', which pass 'convert_math_to_funcs' (2nd) breaks, since it adds functions, after 'mark_declare_target' (1st) gave it: move 'convert_math_to_funcs' before 'mark_declare_target', or move 'filter_host_ops' before 'convert_math_to_funcs'
using order = tn::pipeline<mark_declare_target, convert_math_to_funcs, filter_host_ops>;
#endif
