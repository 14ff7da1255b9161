// A detour that does not come back leaves the phase that it began in too: nobody takes the module there again.
#include "house.hpp"

using namespace house;

struct aside {
  static constexpr tn::fixed_string name = "aside";
  using side_of = graph;
  using op_list = graph::op_list;
};
struct cut_out {
  static constexpr tn::fixed_string name = "cut_out";
  using from = graph;
  using to = aside;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct compile_parts {
  static constexpr tn::fixed_string name = "compile_parts";
  using from = aside;
  using to = code;
  using needs = tn::facts<>;
  using eliminates = tn::ops<add, mul>;
  using handles = tn::ops<add, mul>;
  using emits = tn::ops<jump>;
};
struct raise_code {
  static constexpr tn::fixed_string name = "raise_code";
  using from = code;
  using to = graph;
  using needs = tn::facts<>;
  using eliminates = tn::ops<jump>;
  using handles = tn::ops<jump>;
  using emits = tn::ops<add>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, cut_out, compile_parts, schedule>;
#else
// CHECK: tenon-E011: the phases of a pipeline form a chain, and pass 'raise_code' (4th) takes the module back to 'graph', which it left by 'compile_parts' (3rd): drop 'raise_code'
using order = tn::pipeline<lift_lambdas, cut_out, compile_parts, raise_code>;
#endif
