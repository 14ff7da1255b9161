// A planner knows one op that shares memory; a pass behind the author's back makes another one. The result would be in
// memory that the planner takes for free.
#include "house.hpp"

using namespace house;

struct alloc {
  using effects = tn::effects<tn::effect::allocates>;
};
struct view {
  using aliases = tn::operands<0>;
};
struct row_of {
  using aliases = tn::operands<0>;
};
struct vm {
  static constexpr tn::fixed_string name = "vm";
  using op_list = tn::ops<alloc, view, row_of>;
  using op_effects = tn::effects<tn::effect::allocates>;
  using begins_with = tn::facts<struct no_rows>;
};
struct no_rows {
  static constexpr tn::fixed_string name = "no_rows";
  using absent_ops = tn::ops<row_of>;
};
struct dispatch_rows {
  static constexpr tn::fixed_string name = "dispatch_rows";
  using runs_in = vm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<row_of>;
};
struct plan_blocks {
  static constexpr tn::fixed_string name = "plan_blocks";
  using runs_in = vm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using looks_through = tn::ops<view, row_of>;
#else
  using looks_through = tn::ops<view>;
#endif
};
// CHECK: tenon-E046: pass 'plan_blocks' (2nd) does not look through 'row_of', whose result shares memory of an operand, and pass 'dispatch_rows' (1st) emits it: move 'plan_blocks' before 'dispatch_rows', or list in its 'looks_through' the ops that it follows
using order = tn::pipeline<dispatch_rows, plan_blocks>;
