// A pass by hand on a module that is in another phase.
#include "house.hpp"
#include <tenon/compile/run.hpp>

using namespace house;
struct simplify {
  static constexpr tn::fixed_string name = "simplify";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct guess_shapes {
  static constexpr tn::fixed_string name = "guess_shapes";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};

void compile(tn::ir_module<code, shapes_known> m, tn::ir_module<graph, shapes_known> g, tn::context& cx) {
#ifdef TENON_TWIN
  auto r = tn::run<simplify>(std::move(g), cx);
#else
  // CHECK: tenon-E013: pass 'simplify' runs in phase 'graph', and this module is in 'code': run the passes that lead from there to here first, or another pass
  auto r = tn::run<simplify>(std::move(m), cx);
#endif
  static_cast<void>(r), static_cast<void>(m), static_cast<void>(g);
}
