// A pass must say where it runs.
#include "house.hpp"

using namespace house;

struct canonicalize {
  static constexpr tn::fixed_string name = "canonicalize";
#ifdef TENON_TWIN
  using runs_in = graph;
#endif
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
};
// CHECK: tenon-E018: pass 'canonicalize' does not say where it runs: add 'using runs_in = ...', or 'from' and 'to'
using order = tn::pipeline<lift_lambdas, canonicalize>;
