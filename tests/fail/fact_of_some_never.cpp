// A pass takes the functions of which a fact holds: where nobody established it of any, it would find none.
#include "house.hpp"

using namespace house;

struct bound {
  static constexpr tn::fixed_string name = "bound";
};
struct bind_all {
  static constexpr tn::fixed_string name = "bind_all";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<bound>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct emit_kernels {
  static constexpr tn::fixed_string name = "emit_kernels";
  using runs_in = graph;
  using needs = tn::facts<tn::of_some<bound>>;
  using keeps = tn::all_facts;
};
#ifdef TENON_TWIN
using order = tn::pipeline<bind_all, emit_kernels>;
#else
// CHECK: tenon-E002: pass 'emit_kernels' (1st) needs 'bound_of_some', which no pass before it gives: move 'bind_all' before 'emit_kernels'
using order = tn::pipeline<emit_kernels, bind_all>;
#endif
