// A pass that judges well and cannot run.
#include "house.hpp"
#include <tenon/compile/run.hpp>

using namespace house;

struct think {
  static constexpr tn::fixed_string name = "think";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
#ifdef TENON_TWIN
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
#else
  void run(tn::ir_module<runs_in>&) const {}
#endif
};
void compile(tn::ir_module<graph> m, tn::context& cx) {
  // CHECK: tenon-E018: pass 'think' cannot be called: it has 'void run(ir_module<runs_in>&, context&) const'
  auto r = tn::run<think>(std::move(m), cx);
  static_cast<void>(r);
}
