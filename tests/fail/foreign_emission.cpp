// A pass emits an op that its phase does not list.
#include "house.hpp"

using namespace house;

struct outline {
  static constexpr tn::fixed_string name = "outline";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
#ifdef TENON_TWIN
  using emits = tn::ops<kernel_call>;
#else
  using emits = tn::ops<kernel_call, jump>;
#endif
};
// CHECK: tenon-E005: pass 'outline' emits op 'jump', which phase 'graph' does not list: leave it out of 'emits', or let the pass run in a phase that lists it
using order = tn::pipeline<lift_lambdas, outline>;
