// Blocks would be chosen for rows that no thread gets.
#include <tenon/passes/lower_builtins.hpp>
#include <tenon/passes/parallelize.hpp>
#include <tenon/passes/plan_memory.hpp>
#include <tenon/passes/tile.hpp>
#include <tenon/passes/vectorize.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<vectorize, parallelize, tile, plan_memory, lower_builtins>;
#else
// CHECK: tenon-E019: pass 'parallelize' (3rd) may not run between 'tile' (2nd) and 'lower_builtins' (5th): move 'parallelize' before 'tile'
using order = tenon::pipeline<vectorize, tile, parallelize, plan_memory, lower_builtins>;
#endif
