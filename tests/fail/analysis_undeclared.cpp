// A pass asks for an analysis, and does not need the fact that it rests on: somebody could break that before it. llvm/llvm-project #76696:
// the uniformity of values was read after the cycles that it is computed from had gone.
#include <tenon/compile/analysis.hpp>

#include "house.hpp"

using namespace house;

struct extents_summed {
  static constexpr tn::fixed_string name = "extents_summed";
  using rests_on = tn::facts<shapes_known>;
  static int compute(const tn::ir::module&) { return 0; }
};
struct unroll {
  static constexpr tn::fixed_string name = "unroll";
  using runs_in = graph;
#ifdef TENON_TWIN
  using needs = tn::facts<shapes_known>;
#else
  using needs = tn::facts<>;
#endif
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
  void run(tn::ir_module<graph>& m, tn::context& cx) const {
    // CHECK: tenon-E044: pass 'unroll' asks for 'extents_summed', which rests on 'shapes_known', and does not need that: add 'shapes_known' to its 'needs'
    static_cast<void>(cx.analysis<extents_summed>(*this, m));
  }
};
