// A pass that follows all aliases runs one inside that follows some.
#include <tenon/compile/run_inside.hpp>

#include "house.hpp"

using namespace house;

struct row_of {
  using aliases = tn::operands<0>;
};
struct vm {
  static constexpr tn::fixed_string name = "vm";
  using op_list = tn::ops<row_of>;
};
struct reuse {
  static constexpr tn::fixed_string name = "reuse";
  using runs_in = vm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using looks_through = tn::any_ops;
#else
  using looks_through = tn::ops<>;
#endif
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct plan_blocks {
  static constexpr tn::fixed_string name = "plan_blocks";
  using runs_in = vm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using looks_through = tn::any_ops;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const {
    // CHECK: tenon-E036: pass 'plan_blocks' runs 'reuse' inside, which does not look through 'row_of', and does not say so itself: let it say the same 'looks_through'
    tn::run_inside<reuse>(*this, m, cx);
  }
};
