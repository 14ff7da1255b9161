// What a pass changes is a list.
#include "house.hpp"

using namespace house;

struct tidy {
  static constexpr tn::fixed_string name = "tidy";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using changes = tn::ops<mul>;
#else
  using changes = mul;
#endif
};
// CHECK: tenon-E018: pass 'tidy' says what it 'changes' without a list: write 'using changes = tenon::ops<...>'
using order = tn::pipeline<lift_lambdas, tidy>;
