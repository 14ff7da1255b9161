// Compiling to a phase that the target's pipeline does not have.
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/interpreter.hpp>

namespace tn = tenon;

int main() {
  auto m = tn::ir_module<tn::phases::ingestion>();
#ifdef TENON_TWIN
  auto n = tn::compile_to<tn::phases::optimization, tn::targets::interpreter>(std::move(m));
#else
  // CHECK: tenon-E024: the pipeline of target 'interpreter' does not lead from phase 'ingestion' to phase 'partitioned': compile to a phase that is not behind the module, with a target whose pipeline has both
  auto n = tn::compile_to<tn::phases::partitioned, tn::targets::interpreter>(std::move(m));
#endif
  static_cast<void>(n);
}
