// A module on its way is no program.
#include <tenon/targets/cpu.hpp>

namespace tn = tenon;

void start(tn::ir_module<tn::phases::lowering, tn::fact::ops_legalized, tn::fact::static_shapes> m) {
#ifdef TENON_TWIN
  const tn::program p = tn::load(tn::build<tn::targets::cpu>(std::move(m).edit()));
#else
  // CHECK: tenon-E041: a module in phase 'lowering' is no program: build<Target>(std::move(m)) finishes it; save_module(path, m) keeps it as it is
  const tn::program p = tn::load(m);
#endif
  p.inputs();
}
