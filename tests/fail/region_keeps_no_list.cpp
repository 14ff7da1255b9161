// What a region keeps is said by effects: a pass says of effects what it moves.
#include "house.hpp"

using namespace house;

struct alloc {
  using effects = tn::effects<tn::effect::allocates>;
};
struct parallel_for {
#ifdef TENON_TWIN
  using region_keeps = tn::effects<tn::effect::allocates>;
#else
  using region_keeps = tn::ops<alloc>;
#endif
};
struct kernel {
  static constexpr tn::fixed_string name = "kernel";
  using op_list = tn::ops<alloc, parallel_for>;
  using op_effects = tn::effects<tn::effect::allocates>;
};
struct tidy {
  static constexpr tn::fixed_string name = "tidy";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: tenon-E037: pass 'tidy' runs in phase 'kernel', and its op 'parallel_for' says 'region_keeps' without a list: write 'using region_keeps = tenon::effects<...>'
using order = tn::pipeline<tidy>;
