// Loops bound to a grid, then vectorized as for a processor: what would be launched is not bound any more.
#include <tenon/passes/bind_threads.hpp>
#include <tenon/passes/emit_opencl.hpp>
#include <tenon/passes/lower_builtins.hpp>
#include <tenon/passes/plan_memory.hpp>
#include <tenon/passes/vectorize.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

#ifdef TENON_TWIN
using order = tenon::pipeline<vectorize, plan_memory, bind_threads, lower_builtins, emit_opencl>;
#else
// CHECK: tenon-E003: pass 'emit_opencl' (5th) needs 'threads_bound', which pass 'vectorize' (3rd) breaks after 'bind_threads' (2nd) gave it: move 'vectorize' before 'bind_threads', or run 'bind_threads' again after it
using order = tenon::pipeline<plan_memory, bind_threads, vectorize, lower_builtins, emit_opencl>;
#endif
