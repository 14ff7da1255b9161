// A pass by hand on a module whose phase was extended with an op that writes: nobody said how the pass treats that.
#include "house.hpp"
#include <tenon/compile/run.hpp>

using namespace house;

struct eliminate_dead {
  static constexpr tn::fixed_string name = "eliminate_dead";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using deletes = tn::effects<tn::effect::random>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct ref_write {
  static constexpr tn::fixed_string name = "ref_write";
  using effects = tn::effects<tn::effect::writes>;
};
#ifdef TENON_TWIN
template <>
inline constexpr bool tenon::treats<eliminate_dead, tn::effect::writes> = true;
#endif

void compile(tn::ir_module<tn::extend<graph, ref_write>> m, tn::context& cx) {
  // CHECK: tenon-E016: pass 'eliminate_dead' deletes, merges or moves ops, and does not say how it treats the effect 'writes' of an op that this module's phase adds: specialize tenon::treats<eliminate_dead, effect>
  auto smaller = tn::run<eliminate_dead>(std::move(m), cx);
  static_cast<void>(smaller);
}
