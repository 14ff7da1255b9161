// From one phase to another leads a pass that makes a module, not one that makes code of its own from it.
#include "house.hpp"

#include <tenon/compile/run.hpp>

using namespace house;

struct to_listing {
  static constexpr tn::fixed_string name = "to_listing";
  using from = graph;
  using to = code;
  using needs = tn::facts<ops_legalized>;
#ifdef TENON_TWIN
  tn::ir_module<to> run(tn::ir_module<from>&& m, tn::context&) const {
    return tn::ir_module<to>::adopt(std::move(m).body());
  }
#else
  const char* run(tn::ir_module<from>&&, tn::context&) const { return "mov"; }
#endif
};

void compile(tn::ir_module<graph, shapes_known, ops_legalized> m, tn::context& cx) {
  // CHECK: tenon-E018: pass 'to_listing' cannot be called: it has 'void run(ir_module<runs_in>&, context&) const', or, from one phase to another, 'ir_module<to> run(ir_module<from>&&, context&) const'
  auto r = tn::run<to_listing>(std::move(m), cx);
  static_cast<void>(r);
}
