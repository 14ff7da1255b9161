// A pass says that it eliminates ops, and has no code for one of them.
#include "house.hpp"

using namespace house;

struct expand_ops {
  static constexpr tn::fixed_string name = "expand_ops";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<add, mul>;
  using emits = tn::ops<kernel_call>;
#ifdef TENON_TWIN
  using handles = tn::ops<add, mul>;
#else
  using handles = tn::ops<add>;
#endif
};
// CHECK: tenon-E006: pass 'expand_ops' eliminates op 'mul' and handles it nowhere: add to its 'handles', or specialize tenon::lower_with<expand_ops, mul>
using order = tn::pipeline<lift_lambdas, expand_ops>;
