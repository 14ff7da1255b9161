// Two facts with one name: a text, a dump or a file could not tell which of them holds.
#include "house.hpp"

using namespace house;

namespace mine {
struct shapes_known {
#ifdef TENON_TWIN
  static constexpr tn::fixed_string name = "my_shapes_known";
#else
  static constexpr tn::fixed_string name = "shapes_known";
#endif
};
struct measure {
  static constexpr tn::fixed_string name = "measure";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
}  // namespace mine
// CHECK: tenon-E009: pass 'measure' (3rd) names a fact 'shapes_known', and pass 'infer_shapes' (2nd) another one of that name: a name belongs to one fact
using order = tn::pipeline<lift_lambdas, infer_shapes, mine::measure>;
