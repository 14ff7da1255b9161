// A pipeline that is right runs on modules in the phase in which it begins, and on no others.
#include <tenon/passes/all.hpp>
#include <tenon/compile/run_pipeline.hpp>

namespace tn = tenon;
using namespace tn::passes;

using mine = tn::pipeline<lift_lambdas, infer_shapes, simplify>;

void compile([[maybe_unused]] tn::ir_module<tn::phases::ingestion> from_file,
             [[maybe_unused]] tn::ir_module<tn::phases::optimization> graph, tn::context& cx) {
#ifdef TENON_TWIN
  auto m = tn::run_pipeline<mine>(std::move(from_file), cx);
#else
  // CHECK: tenon-E001: pass 'lift_lambdas' (1st) runs in phase 'ingestion', but the module is in 'optimization' from the start
  auto m = tn::run_pipeline<mine>(std::move(graph), cx);
#endif
}
