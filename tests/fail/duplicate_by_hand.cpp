// By hand it is asked of the module's type: what is known of it, and which ops it may have.
#include <tenon/compile/run.hpp>

#include "random_net.hpp"

using namespace house;

using random_net::dropout;
using random_net::net;
struct no_dropout {
  static constexpr tn::fixed_string name = "no_dropout";
  using absent_ops = tn::ops<dropout>;
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
#ifdef TENON_TWIN
using given = tn::ir_module<net, no_dropout>;
#else
using given = tn::ir_module<net>;
#endif
// CHECK: tenon-E043: pass 'rematerialize' may run 'dropout' again, whose effect 'random' does not allow that, and this module may have it
auto again(given&& m, tn::context& cx) { return tn::run<rematerialize>(static_cast<given&&>(m), cx); }
