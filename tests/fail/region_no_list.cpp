// What a region allows is a list.
#include "house.hpp"

using namespace house;

struct load;
struct dispatch {
#ifdef TENON_TWIN
  using region_allows = tn::ops<load>;
#else
  using region_allows = load;
#endif
};
struct flow {
  static constexpr tn::fixed_string name = "flow";
  using op_list = tn::ops<load, dispatch>;
};
struct tidy {
  static constexpr tn::fixed_string name = "tidy";
  using runs_in = flow;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: tenon-E037: pass 'tidy' runs in phase 'flow', and its op 'dispatch' says 'region_allows' without a list: write 'using region_allows = tenon::ops<...>', or tenon::effects<...>
using order = tn::pipeline<tidy>;
