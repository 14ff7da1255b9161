// A planner that follows no views, by hand, on a module that may have some; its twin knows that there are none.
#include <tenon/compile/run.hpp>

#include "house.hpp"

using namespace house;

struct row_of {
  using aliases = tn::operands<0>;
};
struct no_rows {
  static constexpr tn::fixed_string name = "no_rows";
  using absent_ops = tn::ops<row_of>;
};
struct vm {
  static constexpr tn::fixed_string name = "vm";
  using op_list = tn::ops<row_of>;
};
struct plan_blocks {
  static constexpr tn::fixed_string name = "plan_blocks";
  using runs_in = vm;
#ifdef TENON_TWIN
  using needs = tn::facts<no_rows>;
#else
  using needs = tn::facts<>;
#endif
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using looks_through = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const;
};
#ifdef TENON_TWIN
void plan(tn::ir_module<vm, no_rows> m, tn::context& cx) {
#else
void plan(tn::ir_module<vm> m, tn::context& cx) {
#endif
  // CHECK: tenon-E046: pass 'plan_blocks' does not look through 'row_of', whose result shares memory of an operand, and this module may have it: list in its 'looks_through' the ops that it follows, or run a pass that eliminates it first
  auto planned = tn::run<plan_blocks>(std::move(m), cx);
  static_cast<void>(planned);
}
