// A pass must say what it needs, if only that it is nothing.
#include "house.hpp"

using namespace house;

struct canonicalize {
  static constexpr tn::fixed_string name = "canonicalize";
  using runs_in = graph;
#ifdef TENON_TWIN
  using needs = tn::facts<>;
#endif
  using keeps = tn::all_facts;
};
// CHECK: tenon-E018: pass 'canonicalize' does not say what it needs: add 'using needs = facts<...>', facts<> if nothing
using order = tn::pipeline<lift_lambdas, canonicalize>;
