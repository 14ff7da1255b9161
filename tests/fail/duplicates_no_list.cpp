// What a pass duplicates is a list of effects.
#include "house.hpp"

using namespace house;

struct relu;
struct dropout {
  using effects = tn::effects<tn::effect::random>;
};
struct net {
  static constexpr tn::fixed_string name = "net";
  using op_list = tn::ops<relu, dropout>;
  using op_effects = tn::effects<tn::effect::random>;
};
struct unroll {
  static constexpr tn::fixed_string name = "unroll";
  using runs_in = net;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using duplicates = tn::effects<tn::effect::random>;
#else
  using duplicates = tn::effect::random;
#endif
};
// CHECK: tenon-E018: pass 'unroll' says what it 'duplicates' or 'recomputes' without a list: write 'using duplicates = tenon::effects<...>', or tenon::any_effects
using order = tn::pipeline<unroll>;
