// A flag of a phase that is a member of each object, no constant: nobody can read it.
#include "house.hpp"

using namespace house;

struct loops {
  static constexpr tn::fixed_string name = "loops";
  using op_list = tn::ops<add, jump>;
#ifdef TENON_TWIN
  static constexpr bool open = true;
#else
  bool open = true;
#endif
};
struct unroll {
  static constexpr tn::fixed_string name = "unroll";
  using runs_in = loops;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<jump>;
};
// CHECK: tenon-E008: pass 'unroll' runs in phase 'loops', which has a member 'open' that means nothing to the judge: write 'static constexpr bool open = true'
using order = tn::pipeline<unroll>;
