// A pass runs another in its body, which changes ops where they stand: the pass around it says nothing of that.
#include "house.hpp"
#include <tenon/compile/run_inside.hpp>

using namespace house;

struct mark_sums {
  static constexpr tn::fixed_string name = "mark_sums";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using changes = tn::ops<add>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct clean_up {
  static constexpr tn::fixed_string name = "clean_up";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<mul>;
#ifdef TENON_TWIN
  using changes = tn::ops<add, mul>;
#endif
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const {
    // CHECK: tenon-E036: pass 'clean_up' runs 'mark_sums' inside, which changes 'add', and does not say so itself: add it to its 'changes'
    tn::run_inside<mark_sums>(*this, m, cx);
  }
};
