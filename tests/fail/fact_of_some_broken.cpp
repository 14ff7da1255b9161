// Who breaks a fact of all functions breaks it of some of them, too.
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
struct unbind {
  static constexpr tn::fixed_string name = "unbind";
  using runs_in = graph;
  using needs = tn::facts<>;
#ifdef TENON_TWIN
  using keeps = tn::facts<bound>;
#else
  using breaks = tn::facts<bound>;
#endif
  using emits = tn::ops<>;
};
struct emit_kernels {
  static constexpr tn::fixed_string name = "emit_kernels";
  using runs_in = graph;
  using needs = tn::facts<tn::of_some<bound>>;
  using keeps = tn::all_facts;
};
// CHECK: tenon-E003: pass 'emit_kernels' (3rd) needs 'bound_of_some', which pass 'unbind' (2nd) breaks after 'bind_some' (1st) gave it
using order = tn::pipeline<bind_some, unbind, emit_kernels>;
