// An op without results that forgot its effects: nobody could ever see that it ran, and passes delete it.
#include "house.hpp"
#include <tenon/op.hpp>

using namespace house;

struct print {
  static constexpr tn::fixed_string name = "print";
  static constexpr tn::op_traits traits{.min_operands = 1, .max_operands = 1, .results = 0};
#ifdef TENON_TWIN
  using effects = tn::effects<tn::effect::io>;
#endif
};
// CHECK: tenon-E037: op 'print' has no results and no effects, and ends no region: it does nothing, and dead-code elimination deletes it; say what it does with 'using effects = tenon::effects<...>'
using order = tn::pipeline<lift_lambdas, infer_shapes>::with_ops<print>;
