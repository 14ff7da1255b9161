// A pass that is repeated breaks what one before it needs in the next round.
#include "house.hpp"
#include <tenon/compile/repeat.hpp>

using namespace house;

struct simplify {
  static constexpr tn::fixed_string name = "simplify";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct inline_calls {
  static constexpr tn::fixed_string name = "inline_calls";
  using runs_in = graph;
  using needs = tn::facts<>;
  using breaks = tn::facts<shapes_known>;
  using emits = tn::ops<add, mul>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using tidy = tn::repeat<infer_shapes, simplify, inline_calls>;
#else
// CHECK: tenon-E039: pass 'simplify' cannot be repeated here, since it needs 'shapes_known', which 'inline_calls' breaks, in this round or the one before: put a pass that gives it between them, in the repeat
using tidy = tn::repeat<simplify, inline_calls>;
#endif
using order = tn::pipeline<lift_lambdas, infer_shapes, tidy>;
