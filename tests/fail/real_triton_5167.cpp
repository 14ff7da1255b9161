// triton-lang/triton #5167: patterns were combined before the canonical form that they match was there. Combining leaves no
// canonical form, which behind the last pass must hold as it did: so the canonicalizer runs in front of it too.
#include "house.hpp"

using namespace house;

struct canonical {
  static constexpr tn::fixed_string name = "canonical";
};
struct combine {
  static constexpr tn::fixed_string name = "combine";
  using runs_in = graph;
  using needs = tn::facts<canonical>;
  using breaks = tn::facts<canonical>;
  using emits = tn::ops<mul>;
};
struct canonicalize {
  static constexpr tn::fixed_string name = "canonicalize";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<canonical>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, canonicalize, combine, canonicalize>;
#else
// CHECK: tenon-E002: pass 'combine' (2nd) needs 'canonical', which no pass before it gives: run 'canonicalize' before 'combine' too
using order = tn::pipeline<lift_lambdas, combine, canonicalize>;
#endif
