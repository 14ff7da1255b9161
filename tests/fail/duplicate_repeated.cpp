// In one round the op is not there yet; what a round leaves, the next one finds.
#include <tenon/compile/repeat.hpp>

#include "random_net.hpp"

using namespace house;

using random_net::dropout;
using random_net::net;
struct regularize {
  static constexpr tn::fixed_string name = "regularize";
  using runs_in = net;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<dropout>;
  void run(tn::ir_module<net>&, tn::context&) const {}
};
struct rematerialize {
  static constexpr tn::fixed_string name = "rematerialize";
  using runs_in = net;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using recomputes = tn::any_effects;
  void run(tn::ir_module<net>&, tn::context&) const {}
};
struct clear {
  static constexpr tn::fixed_string name = "clear";
  using runs_in = net;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<dropout>;
  using handles = tn::ops<dropout>;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<clear, rematerialize, regularize>;
#else
// CHECK: tenon-E043: pass 'repeat(rematerialize+regularize)' (2nd) may run 'dropout' again, whose effect 'random' does not allow that, and pass 'repeat(rematerialize+regularize)' (2nd) emits it
using order = tn::pipeline<clear, tn::repeat<rematerialize, regularize>>;
#endif
