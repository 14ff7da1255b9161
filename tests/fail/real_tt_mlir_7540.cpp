// tenstorrent/tt-mlir #7540: weights were converted behind the pass that hoists what is constant, and conversions were
// laid out as if they ran each time. Hoisting runs once more in front of that; behind, it still has work.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct matmul;
struct typecast;
struct prepare_weights;
struct inst;
struct constants_hoisted {
  static constexpr tn::fixed_string name = "constants_hoisted";
  using of_each = tn::any_ops;
};
struct ttnn {
  static constexpr tn::fixed_string name = "ttnn";
  using op_list = tn::ops<matmul, typecast, prepare_weights>;
};
struct flatbuffer {
  static constexpr tn::fixed_string name = "flatbuffer";
  using op_list = tn::ops<inst>;
};
struct convert_weight_types {
  static constexpr tn::fixed_string name = "convert_weight_types";
  using runs_in = ttnn;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<typecast>;
};
struct optimize_layouts {
  static constexpr tn::fixed_string name = "optimize_layouts";
  using runs_in = ttnn;
  using needs = tn::facts<constants_hoisted>;
  using keeps = tn::all_facts;
  using emits = tn::ops<prepare_weights>;
  using changes = tn::any_ops;
};
struct hoist_constants {
  static constexpr tn::fixed_string name = "hoist_constants";
  using runs_in = ttnn;
  using needs = tn::facts<>;
  using gives = tn::facts<constants_hoisted>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<>;
  static constexpr bool adds_functions = true;
};
struct serialize {
  static constexpr tn::fixed_string name = "serialize";
  using from = ttnn;
  using to = flatbuffer;
  using needs = tn::facts<constants_hoisted>;
  using eliminates = tn::ops<matmul, typecast, prepare_weights>;
  using handles = eliminates;
  using emits = tn::ops<inst>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<convert_weight_types, hoist_constants, optimize_layouts, hoist_constants, serialize>;
#else
// CHECK: tenon-E002: pass 'optimize_layouts' (2nd) needs 'constants_hoisted', which no pass before it gives: run 'hoist_constants' before 'optimize_layouts' too
using order = tn::pipeline<convert_weight_types, optimize_layouts, hoist_constants, serialize>;
#endif
