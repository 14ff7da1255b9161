// A target's pipeline was asked about the ops that it adds itself; this module's phase has one more, which writes.
#include "house.hpp"
#include <tenon/compile/build.hpp>

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
struct machine {
  static constexpr tn::device_kind kind = tn::device_kind::cpu;
};
struct target {
  static constexpr tn::fixed_string name = "target";
  using device = machine;
  struct code_generator {};
  using pipeline = tn::pipeline<eliminate_dead>;
  using ends_in = graph;
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
  // CHECK: tenon-E016: pass 'eliminate_dead' (1st) deletes, merges or moves ops, and does not say how it treats the effect 'writes' of an op that this module's phase adds: specialize tenon::treats<eliminate_dead, effect>
  auto built = tn::build<target>(std::move(m), cx);
  static_cast<void>(built);
}
