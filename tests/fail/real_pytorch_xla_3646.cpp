// pytorch/xla #3646: views were made functional, and then ops were decomposed, some of them into views, which the tracer does not
// have. Nobody decided that they come back; it follows from what the decomposition emits.
#include "house.hpp"

using namespace house;

struct aten;
struct view;
struct dispatched {
  static constexpr tn::fixed_string name = "dispatched";
  using op_list = tn::ops<aten, view>;
};
struct lazy {
  static constexpr tn::fixed_string name = "lazy";
  using op_list = tn::ops<aten>;
};
struct functionalize {
  static constexpr tn::fixed_string name = "functionalize";
  using runs_in = dispatched;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<view>;
  using handles = tn::ops<view>;
  using emits = tn::ops<aten>;
};
struct decompose {
  static constexpr tn::fixed_string name = "decompose";
  using runs_in = dispatched;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<aten, view>;
};
struct trace {
  static constexpr tn::fixed_string name = "trace";
  using from = dispatched;
  using to = lazy;
  using needs = tn::facts<>;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<decompose, functionalize, trace>;
#else
// CHECK: tenon-E004: pass 'trace' (3rd) enters phase 'lazy', which does not list 'view', and pass 'decompose' (2nd) may emit it after 'functionalize' (1st) eliminated it: move 'decompose' before 'functionalize', or run 'functionalize' again after it
using order = tn::pipeline<functionalize, decompose, trace>;
#endif
