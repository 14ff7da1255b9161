// A copy would let one of the two change behind the facts of the other.
#include "house.hpp"
#include <tenon/ir/ir_module.hpp>

using namespace house;

void twice(tn::ir_module<graph, shapes_known> m) {
#ifdef TENON_TWIN
  auto n = m.clone();
#else
  // GCC: error: use of deleted function {{.*}}ir_module
  // CLANG: error: call to {{.*}}deleted copy constructor of 'tn::ir_module<
  auto n = m;
#endif
  static_cast<void>(n);
}
