// An op says that it writes by a flag: dead-code elimination would delete it.
#include "house.hpp"

using namespace house;

struct store {
#ifdef TENON_TWIN
  using writes = tn::operands<0>;
#else
  static constexpr bool writes = true;
#endif
};
struct memory {
  static constexpr tn::fixed_string name = "memory";
  using op_list = tn::ops<add, store>;
};
struct tidy_up {
  static constexpr tn::fixed_string name = "tidy_up";
  using runs_in = memory;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: pass 'tidy_up' runs in phase 'memory', and its op 'store' has a member 'writes', which means nothing: write 'using writes = operands<...>'
using order = tn::pipeline<tidy_up>;
