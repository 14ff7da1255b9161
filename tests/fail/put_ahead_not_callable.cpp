// The same question asked of a module by hand: who would call such a function?
#include "house.hpp"
#include <tenon/ir/ir_module.hpp>

using namespace house;

struct machine {
  static constexpr tn::fixed_string name = "machine";
  using op_list = tn::ops<jump>;
  using early_ops = tn::ops<jump>;
};
struct caller : graph {
#ifdef TENON_TWIN
  using calls_into = tn::phase_list<machine>;
#endif
};
void finish(tn::ir_module<caller>& m, tn::function_id kernel) {
  // CHECK: tenon-E032: a function of phase 'graph' may not call a function of phase 'machine': add 'machine' to the 'calls_into' of 'graph', or specialize tenon::callable_across<graph, machine>
  m.put_ahead<machine>(kernel);
}
