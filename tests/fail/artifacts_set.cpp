// Setting the artifacts of a module would lose what another code generator made.
#include <vector>

#include <tenon/ir/module.hpp>

namespace tn = tenon;

void keep(tn::ir::module& m, std::vector<tn::ir::artifact> made) {
#ifdef TENON_TWIN
  for (tn::ir::artifact& a : made) m.add_artifact(std::move(a));
#else
  // CHECK: tenon-E028: the artifacts of a module are append-only, since setting them loses what another code generator made: add each with 'add_artifact'
  m.artifacts() = made;
#endif
}
