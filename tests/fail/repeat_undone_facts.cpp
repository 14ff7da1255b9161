// Passes that are repeated break what the other one gives. microsoft/onnxruntime #11636: one pass moved quantizers up over transposes,
// another one transposes up over quantizers, for ever.
#include "house.hpp"
#include <tenon/compile/repeat.hpp>

using namespace house;

struct quantizers_up {
  static constexpr tn::fixed_string name = "quantizers_up";
};
struct transposes_up {
  static constexpr tn::fixed_string name = "transposes_up";
};
struct move_quantizers {
  static constexpr tn::fixed_string name = "move_quantizers";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<quantizers_up>;
#ifdef TENON_TWIN
  using keeps = tn::all_facts;
#else
  using breaks = tn::facts<transposes_up>;
#endif
  using emits = tn::ops<add>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct move_transposes {
  static constexpr tn::fixed_string name = "move_transposes";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<transposes_up>;
  using breaks = tn::facts<quantizers_up>;
  using emits = tn::ops<mul>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
// CHECK: tenon-E039: a repeat may never come to rest: pass 'move_quantizers' gives 'quantizers_up', which 'move_transposes' breaks, and 'move_transposes' gives 'transposes_up', which 'move_quantizers' breaks: leave one of them out, or let it run once, in front of the repeat
using order = tn::pipeline<lift_lambdas, tn::repeat<move_quantizers, move_transposes>>;
