// A pass runs another one inside, behind one that leaves none of the ops that it works on.
#include "house.hpp"
#include <tenon/compile/run_inside.hpp>

using namespace house;

struct expand_products {
  static constexpr tn::fixed_string name = "expand_products";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
  using eliminates = tn::ops<mul>;
  using handles = tn::ops<mul>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
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
  using works_on = tn::ops<mul>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const {
#ifdef TENON_TWIN
    tn::run_inside<match_products, expand_products>(*this, m, cx);
#else
    // CHECK: tenon-E036: pass 'clean_up' runs 'match_products' inside, which works on 'mul', and none is left there behind 'expand_products': run it before that, or leave it out
    tn::run_inside<expand_products, match_products>(*this, m, cx);
#endif
  }
};
