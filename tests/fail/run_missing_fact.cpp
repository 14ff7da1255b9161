// A pass by hand on a module of which its need is not known; edit() forgets.
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

void compile(tn::ir_module<graph> m, tn::context& cx) {
  auto known = tn::run<guess_shapes>(std::move(m), cx);
#ifdef TENON_TWIN
  auto r = tn::run<simplify>(std::move(known), cx);
#else
  // CHECK: tenon-E014: pass 'simplify' needs 'shapes_known', which is not known of this module: run a pass that gives it, or tenon::establish<...>, and do not edit() in between
  auto r = tn::run<simplify>(std::move(known).edit(), cx);
#endif
  static_cast<void>(r);
}
