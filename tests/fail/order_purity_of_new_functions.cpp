// The functions that outline_regions makes say nothing of their effects: who goes by what functions say runs behind
// note_purity, and that behind whatever makes functions.
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/outline_regions.hpp>

#include "run_calls_together.hpp"

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<infer_shapes, outline_regions, note_purity, run_calls_together>;
#else
// CHECK: tenon-E003: pass 'run_calls_together' (4th) needs 'purity_said', which pass 'outline_regions' (3rd) breaks after 'note_purity' (1st) gave it: move
using order = tenon::pipeline<note_purity, infer_shapes, outline_regions, run_calls_together>;
#endif
