// A pass says that what it moves stays in its region, and runs another one inside that takes it out.
#include <tenon/compile/run_inside.hpp>

#include "lanes.hpp"

using namespace lanes;

struct hoist_buffers {
  static constexpr tn::fixed_string name = "hoist_buffers";
  using runs_in = kernel;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<tn::effect::allocates>;
  using leaves = tn::effects<tn::effect::reads, tn::effect::writes>;
#ifdef TENON_TWIN
  using keeps_inside = moves;
#endif
  void run(tn::ir_module<runs_in>&, tn::context&) const;
};
struct tidy_buffers : hoist_buffers {
  static constexpr tn::fixed_string name = "tidy_buffers";
  using keeps_inside = moves;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const {
    // CHECK: tenon-E036: pass 'tidy_buffers' runs 'hoist_buffers' inside, which may take an op with effect 'allocates' out of a region of 'parallel_for', and says itself that such stay there: do not say that it 'keeps_inside' them, or let the other one say it
    tn::run_inside<hoist_buffers>(*this, m, cx);
  }
};
