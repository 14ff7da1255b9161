// A list of ops in a list of ops: nobody takes it apart, since a list may stand for any op by its name.
#include "house.hpp"

using namespace house;

using products = tn::ops<mul>;
struct expand {
  static constexpr tn::fixed_string name = "expand";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
#ifdef TENON_TWIN
  using emits = products::with<add>;
#else
  using emits = tn::ops<products, add>;
#endif
};
// CHECK: tenon-E005: pass 'expand' says what it 'emits' by a list in a list, 'ops<house::mul>': join them, as in 'these_ops::with<more, ...>'
using order = tn::pipeline<lift_lambdas, expand>;
