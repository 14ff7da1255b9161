// That a pass adds functions is a flag; as a list, it would say nothing.
#include "house.hpp"

using namespace house;

struct clone_functions {
  static constexpr tn::fixed_string name = "clone_functions";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  static constexpr bool adds_functions = true;
#else
  using adds_functions = tn::ops<add>;
#endif
};
// CHECK: tenon-E018: pass 'clone_functions' says in another way than by a flag that it adds, removes or changes functions: write 'static constexpr bool adds_functions = true', or removes_functions, or changes_functions
using order = tn::pipeline<lift_lambdas, clone_functions>;
