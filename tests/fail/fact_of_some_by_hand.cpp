// By hand, too: a module of which a fact holds of some functions is not one of which it holds of all.
#include <tenon/compile/run.hpp>

#include "house.hpp"

using namespace house;

struct bound {
  static constexpr tn::fixed_string name = "bound";
};
struct emit_kernels {
  static constexpr tn::fixed_string name = "emit_kernels";
  using runs_in = graph;
#ifdef TENON_TWIN
  using needs = tn::facts<tn::of_some<bound>>;
#else
  using needs = tn::facts<bound>;
#endif
  using keeps = tn::all_facts;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
using given = tn::ir_module<graph, tn::of_some<bound>>;
// CHECK: tenon-E014: pass 'emit_kernels' needs 'bound', which is not known of this module
auto emit(given&& m, tn::context& cx) { return tn::run<emit_kernels>(static_cast<given&&>(m), cx); }
