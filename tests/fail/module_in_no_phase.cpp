// A module is in a phase; a pass is none.
#include "house.hpp"
#include <tenon/ir/ir_module.hpp>

using namespace house;

#ifdef TENON_TWIN
tn::ir_module<graph> shaped(tn::ir_module<front>&&);
#else
// CHECK: tenon-E034: 'infer_shapes' is a pass, and stands where a phase is meant: name the phase that it runs in, 'graph'
tn::ir_module<infer_shapes> shaped(tn::ir_module<front>&&);
#endif
auto size(tn::ir_module<front>&& m) { return shaped(std::move(m)).functions().size(); }
