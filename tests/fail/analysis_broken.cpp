// A pass uses an analysis whose fact is broken before it.
#include <tenon/compile/analysis.hpp>

#include "house.hpp"

using namespace house;

struct extents_summed {
  static constexpr tn::fixed_string name = "extents_summed";
  using rests_on = tn::facts<shapes_known>;
  static int compute(const tn::ir::module&) { return 0; }
};
struct widen {
  static constexpr tn::fixed_string name = "widen";
  using runs_in = graph;
  using needs = tn::facts<>;
  using breaks = tn::facts<shapes_known>;
  using emits = tn::ops<mul>;
};
struct unroll {
  static constexpr tn::fixed_string name = "unroll";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
  void run(tn::ir_module<graph>& m, tn::context& cx) const {
    static_cast<void>(cx.analysis<extents_summed>(*this, m));
  }
};
// CHECK: tenon-E003: pass 'unroll' (3rd) needs 'shapes_known', which pass 'widen' (2nd) breaks after 'infer_shapes' (1st) gave it: move 'widen' before 'infer_shapes', or move 'unroll' before 'widen'
#ifdef TENON_TWIN
using order = tn::pipeline<infer_shapes, unroll, widen>;
#else
using order = tn::pipeline<infer_shapes, widen, unroll>;
#endif
