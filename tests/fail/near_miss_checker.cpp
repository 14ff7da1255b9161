// A checker that nobody would call: verify_each would prove nothing of this fact.
#include "house.hpp"
#include <tenon/compile/run.hpp>

using namespace house;

struct sorted {
  static constexpr tn::fixed_string name = "sorted";
#ifdef TENON_TWIN
  static void check(const tn::ir::module&) {}
#else
  static void checks(const tn::ir::module&) {}
#endif
};
struct sort {
  static constexpr tn::fixed_string name = "sort";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<sorted>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};

// CHECK: tenon-E008: fact 'sorted' has a member 'checks' that nobody calls: write 'check'
void compile(tn::ir_module<graph> m, tn::context& cx) {
  auto r = tn::run<sort>(std::move(m), cx);
  static_cast<void>(r);
}
