// A pass binds the functions that it could; whoever needs the fact of all of them is refused, and not surprised.
#include "house.hpp"

using namespace house;

struct bound {
  static constexpr tn::fixed_string name = "bound";
};
struct bind_some {
  static constexpr tn::fixed_string name = "bind_some";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<tn::of_some<bound>>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct emit_kernels {
  static constexpr tn::fixed_string name = "emit_kernels";
  using runs_in = graph;
#ifdef TENON_TWIN
  using needs = tn::facts<tn::of_some<bound>>;
#else
  using needs = tn::facts<bound>;
#endif
  using keeps = tn::all_facts;
};
// CHECK: tenon-E002: pass 'emit_kernels' (2nd) needs 'bound', which pass 'bind_some' (1st) gives of some functions only: let it take those, with 'using needs = tenon::facts<tenon::of_some<bound>>'
using order = tn::pipeline<bind_some, emit_kernels>;
