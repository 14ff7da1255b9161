// An op says that it writes an operand that it has not.
#include "house.hpp"
#include <tenon/op.hpp>

using namespace house;

struct scatter_into {
  static constexpr tn::fixed_string name = "scatter_into";
  static constexpr tn::op_traits traits{.min_operands = 2, .max_operands = 2, .results = 0};
  using reads = tn::operands<0>;
#ifdef TENON_TWIN
  using writes = tn::operands<1>;
#else
  using writes = tn::operands<2>;
#endif
};
struct memory {
  static constexpr tn::fixed_string name = "memory";
  using op_list = tn::ops<scatter_into>;
  using op_effects = tn::effects<tn::effect::reads, tn::effect::writes>;
};
struct plan {
  static constexpr tn::fixed_string name = "plan";
  using runs_in = memory;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
};
// CHECK: tenon-E037: pass 'plan' runs in phase 'memory', and its op 'scatter_into' says that it writes operand 2, counted from 0, and takes 2 at most: name operands that it has, or raise 'max_operands'
using order = tn::pipeline<plan>;
