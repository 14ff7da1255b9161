// apache/tvm #9782: types were chosen op by op, and then a norm was decomposed into a mean and a variance, which are on
// the list of what must never be in half precision.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct layer_norm;
struct mean;
struct variance;
struct cast;
struct kernel;
struct precisions_as_listed {
  static constexpr tn::fixed_string name = "precisions_as_listed";
  using of_each = tn::ops<layer_norm, mean, variance>;
};
struct relay {
  static constexpr tn::fixed_string name = "relay";
  using op_list = tn::ops<layer_norm, mean, variance, cast>;
};
struct built {
  static constexpr tn::fixed_string name = "built";
  using op_list = tn::ops<kernel>;
};
struct to_mixed_precision {
  static constexpr tn::fixed_string name = "to_mixed_precision";
  using runs_in = relay;
  using needs = tn::facts<>;
  using gives = tn::facts<precisions_as_listed>;
  using keeps = tn::all_facts;
  using emits = tn::ops<cast>;
  using changes = tn::ops<layer_norm, mean, variance>;
};
struct simplify_inference {
  static constexpr tn::fixed_string name = "simplify_inference";
  using runs_in = relay;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<layer_norm>;
  using handles = eliminates;
  using emits = tn::ops<mean, variance>;
};
struct build {
  static constexpr tn::fixed_string name = "build";
  using from = relay;
  using to = built;
  using needs = tn::facts<precisions_as_listed>;
  using eliminates = tn::ops<mean, variance, cast>;
  using handles = eliminates;
  using emits = tn::ops<kernel>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<simplify_inference, to_mixed_precision, build>;
#else
// CHECK: tenon-E003: pass 'build' (3rd) needs 'precisions_as_listed', which pass 'simplify_inference' (2nd) breaks, since it emits 'mean', after 'to_mixed_precision' (1st) gave it: move 'simplify_inference' before 'to_mixed_precision', or run 'to_mixed_precision' again after it
using order = tn::pipeline<to_mixed_precision, simplify_inference, build>;
#endif
