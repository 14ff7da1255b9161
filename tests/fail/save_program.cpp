// Code that was put into memory has no form that a file can hold.
#include <tenon/targets/cpu.hpp>

namespace tn = tenon;

void keep(const tn::ir_module<tn::phases::built>& built) {
  const tn::program in_memory = tn::load(built);
#ifdef TENON_TWIN
  tn::save("model.tenon", built);
#else
  // CHECK: tenon-E029: only a built module can be saved, since code that was put into memory, or was not made yet, has no form that a file can hold: save the ir_module<phases::built> that 'build' returns, and load that
  tn::save("model.tenon", in_memory);
#endif
}
