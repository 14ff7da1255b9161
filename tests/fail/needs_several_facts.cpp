// A pass misses several facts: all are in one message, and those that go for another reason are named too.
#include "house.hpp"

using namespace house;

struct scales_known {
  static constexpr tn::fixed_string name = "scales_known";
};
struct ranges_known {
  static constexpr tn::fixed_string name = "ranges_known";
};
struct calibrate {
  static constexpr tn::fixed_string name = "calibrate";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<scales_known, ranges_known>;
  using breaks = tn::facts<shapes_known>;
  using emits = tn::ops<>;
};
struct quantize {
  static constexpr tn::fixed_string name = "quantize";
  using runs_in = graph;
  using needs = tn::facts<scales_known, shapes_known, ranges_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<mul>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<calibrate, infer_shapes, quantize>;
#else
using order = tn::pipeline<quantize, calibrate>;  // CHECK: tenon-E002: pass 'quantize' (1st) needs 'scales_known', 'ranges_known' and 'shapes_known', which no pass before it gives, nor any pass known to give them would: add some before it that 'give' them
#endif
