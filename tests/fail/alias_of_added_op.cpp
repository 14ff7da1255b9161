// A planner of somebody else's, and a view of one's own: whether it follows that nobody has said.
#include "house.hpp"

using namespace house;

struct alloc {
  using effects = tn::effects<tn::effect::allocates>;
};
struct vm {
  static constexpr tn::fixed_string name = "vm";
  using op_list = tn::ops<alloc>;
  using op_effects = tn::effects<tn::effect::allocates>;
};
struct plan_blocks {
  static constexpr tn::fixed_string name = "plan_blocks";
  using runs_in = vm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using looks_through = tn::ops<>;
};
struct row_of {
  static constexpr tn::fixed_string name = "row_of";
  using aliases = tn::operands<0>;
};
#ifdef TENON_TWIN
template <>
inline constexpr bool tenon::treats<plan_blocks, row_of> = true;
#endif
// CHECK: tenon-E046: pass 'plan_blocks' (1st) does not look through 'row_of', whose result shares memory of an operand, and phase 'vm' lists it: list in its 'looks_through' the ops that it follows
using order = tn::pipeline<plan_blocks>::with_ops<row_of>;
