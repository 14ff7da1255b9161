// A pass runs another in its body, which needs what no pipeline is told of: the pass around it needs nothing.
#include "house.hpp"
#include <tenon/compile/run_inside.hpp>

using namespace house;

struct simplify {
  static constexpr tn::fixed_string name = "simplify";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct clean_up {
  static constexpr tn::fixed_string name = "clean_up";
  using runs_in = graph;
#ifdef TENON_TWIN
  using needs = tn::facts<shapes_known>;
#else
  using needs = tn::facts<>;
#endif
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const {
    // CHECK: tenon-E036: pass 'clean_up' runs 'simplify' inside, which needs 'shapes_known', and does not itself both need and keep that: add it to its 'needs' and 'keeps', or run a pass that gives it before, inside too
    for (int i = 0; i < 2; ++i) tn::run_inside<simplify>(*this, m, cx);
  }
};
