// By hand: the module's type says that the only pattern that the pass works on is not found.
#include "house.hpp"
#include <tenon/compile/run.hpp>

using namespace house;

struct fuse_products {
  static constexpr tn::fixed_string name = "fuse_products";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using works_on = tn::ops<tn::together<add, mul>>;
#ifdef TENON_TWIN
  static constexpr bool may_find_nothing = true;
#endif
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
// CHECK: tenon-E038: pass 'fuse_products' matches patterns of 'add' and 'mul', and this module has no 'add': leave the pass out, or say 'static constexpr bool may_find_nothing = true'
void compile(tn::ir_module<graph, ops_legalized> m, tn::context& cx) {
  auto r = tn::run<fuse_products>(std::move(m), cx);
  static_cast<void>(r);
}
