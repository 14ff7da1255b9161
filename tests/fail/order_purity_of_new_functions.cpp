// The functions that outline_regions makes say nothing of their effects: who goes by what functions say runs behind
// note_purity, and that behind whatever makes functions.
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/note_purity.hpp>
#include <tenon/passes/outline_regions.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon::passes;

/// Runs calls of pure functions side by side.
struct run_calls_together {
  static constexpr tenon::fixed_string name = "run_calls_together";
  using runs_in = tenon::phases::optimization;
  using needs = tenon::facts<tenon::fact::purity_said>;
  using keeps = tenon::all_facts;
  using emits = tenon::ops<>;
  void run(tenon::ir_module<runs_in>&, tenon::context&) const {}
};

#ifdef TENON_TWIN
using order = tenon::pipeline<infer_shapes, outline_regions, note_purity, run_calls_together>;
#else
// CHECK: tenon-E003: pass 'run_calls_together' (4th) needs 'purity_said', which pass 'outline_regions' (3rd) breaks after 'note_purity' (1st) gave it: move
using order = tenon::pipeline<note_purity, infer_shapes, outline_regions, run_calls_together>;
#endif
