// iree-org/iree #14280: functions that nobody called were dropped, among them those of a math library, and a pass behind
// expanded intrinsics into calls of them. Who calls functions needs them there.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct call;
struct intrinsic;
struct add;
struct functions {
  static constexpr tn::fixed_string name = "functions";
  using op_list = tn::ops<call, intrinsic, add>;
};
struct math_linked {
  static constexpr tn::fixed_string name = "math_linked";
  using of_all = tn::any_functions;
};
struct in_functions {
  using runs_in = functions;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct link_math : in_functions {
  static constexpr tn::fixed_string name = "link_math";
  using gives = tn::facts<math_linked>;
  using emits = tn::ops<add, call>;
  static constexpr bool adds_functions = true;
};
struct expand_math : in_functions {
  static constexpr tn::fixed_string name = "expand_math";
  using needs = tn::facts<math_linked>;
  using eliminates = tn::ops<intrinsic>;
  using handles = eliminates;
  using emits = tn::ops<call>;
};
struct drop_uncalled : in_functions {
  static constexpr tn::fixed_string name = "drop_uncalled";
  static constexpr bool removes_functions = true;
};
#ifdef TENON_TWIN
using order = tn::pipeline<link_math, expand_math, drop_uncalled>;
#else
// CHECK: tenon-E003: pass 'expand_math' (3rd) needs 'math_linked', which pass 'drop_uncalled' (2nd) breaks, since it removes functions, after 'link_math' (1st) gave it: move 'expand_math' before 'drop_uncalled', or move 'drop_uncalled' before 'link_math'
using order = tn::pipeline<link_math, drop_uncalled, expand_math>;
#endif
