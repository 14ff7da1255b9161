// A builder for a pass makes an op that the pass did not say it emits: the sentence names the pass.
#include "house.hpp"

#include <tenon/ir/builder.hpp>
#include <tenon/ops/graph/elementwise.hpp>

using namespace house;

struct add_twice {
  static constexpr tn::fixed_string name = "add_twice";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<tn::op::add>;
};
// CHECK: tenon-E010: pass 'add_twice' emits only 'add', and its builder cannot make 'mul': add 'mul' to its 'emits'
#ifdef TENON_TWIN
tn::value_id twice(tn::ir::builder<add_twice>& b, tn::value_id x) { return b.make(tn::op::add{}, {x, x}); }
#else
tn::value_id twice(tn::ir::builder<add_twice>& b, tn::value_id x) { return b.make(tn::op::mul{}, {x, x}); }
#endif
