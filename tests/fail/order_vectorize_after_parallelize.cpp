// A loop that threads share would stay scalar.
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
// CHECK: tenon-E019: pass 'vectorize' (2nd) may not run between 'parallelize' (1st) and 'lower_builtins' (5th): move 'vectorize' before 'parallelize'
using order = tenon::pipeline<parallelize, vectorize, tile, plan_memory, lower_builtins>;
#endif
