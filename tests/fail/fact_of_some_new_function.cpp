// A pass that makes functions keeps what is known of the others, and no more: what all of them had, some have now.
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
struct outline {
  static constexpr tn::fixed_string name = "outline";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::facts<tn::of_some<bound>>;
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
// CHECK: tenon-E003: pass 'emit_kernels' (3rd) needs 'bound', which pass 'outline' (2nd) breaks after 'bind_all' (1st) gave it: move 'outline' before 'bind_all', or move 'emit_kernels' before 'outline'
using order = tn::pipeline<bind_all, outline, emit_kernels>;
