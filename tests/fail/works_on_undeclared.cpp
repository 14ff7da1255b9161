// A pass runs another one inside, and does not say which ops that works on.
#include "house.hpp"
#include <tenon/compile/run_inside.hpp>

using namespace house;

struct match_products {
  static constexpr tn::fixed_string name = "match_products";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using works_on = tn::ops<mul>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct clean_up {
  static constexpr tn::fixed_string name = "clean_up";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
#ifdef TENON_TWIN
  using works_on = tn::ops<mul>;
#endif
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const {
    // CHECK: tenon-E036: pass 'clean_up' runs 'match_products' inside, which works on 'mul', and does not say so itself: let it say the same 'works_on', or 'static constexpr bool may_find_nothing = true'
    tn::run_inside<match_products>(*this, m, cx);
  }
};
