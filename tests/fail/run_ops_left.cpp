// A transition by hand on a module that may hold ops which the next phase does not list.
#include "house.hpp"
#include <tenon/compile/run.hpp>

using namespace house;

struct leave_graph {
  static constexpr tn::fixed_string name = "leave_graph";
  using from = graph;
  using to = code;
  using needs = tn::facts<>;
  tn::ir_module<to> run(tn::ir_module<from>&& m, tn::context&) const {
    return tn::ir_module<to>::adopt(std::move(m.body()));
  }
};
void compile(tn::ir_module<graph> m, tn::ir_module<graph, ops_legalized> legal, tn::context& cx) {
#ifdef TENON_TWIN
  auto r = tn::run<leave_graph>(std::move(legal), cx);
#else
  // CHECK: tenon-E004: pass 'leave_graph' enters phase 'code', which does not list 'add' and 'mul', and they may still be in this module: run a pass that eliminates them first
  auto r = tn::run<leave_graph>(std::move(m), cx);
#endif
  static_cast<void>(r), static_cast<void>(m), static_cast<void>(legal);
}
