// A pass cannot drop what another one made.
#include <tenon/ir/ir_module.hpp>
#include <tenon/phases/all.hpp>

namespace tn = tenon;

void start_over(tn::ir_module<tn::phases::build>& m) {
#ifdef TENON_TWIN
  m.body().add_artifact({"listing", "paper", "main", {'r', 'e', 't'}, "print_listing"});
#else
  // CHECK: tenon-E028: the artifacts of a module are append-only, since clearing them loses what another code generator made: add each with 'add_artifact'
  m.body().artifacts().clear();
#endif
}
