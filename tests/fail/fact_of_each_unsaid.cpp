// A pass that does not say what it emits may emit what a fact holds of each of. microsoft/onnxruntime #20685: a layout
// transformation left transposes that belong to no quantized unit, behind the pass that makes all units whole.
#include "house.hpp"

using namespace house;

struct units_whole {
  static constexpr tn::fixed_string name = "units_whole";
  using of_each = tn::ops<add, mul>;
};
struct complete_units {
  static constexpr tn::fixed_string name = "complete_units";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<units_whole>;
  using keeps = tn::all_facts;
  using emits = tn::ops<mul>;
};
struct transform_layout {
  static constexpr tn::fixed_string name = "transform_layout";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
};
struct select_quantized {
  static constexpr tn::fixed_string name = "select_quantized";
  using runs_in = graph;
  using needs = tn::facts<units_whole>;
  using keeps = tn::facts<>;
  using emits = tn::ops<kernel_call>;
};
// CHECK: tenon-E003: pass 'select_quantized' (3rd) needs 'units_whole', which pass 'transform_layout' (2nd) breaks, since it does not say what it emits, after 'complete_units' (1st) gave it: move 'transform_layout' before 'complete_units', or move 'select_quantized' before 'transform_layout'
#ifdef TENON_TWIN
using order = tn::pipeline<transform_layout, complete_units, select_quantized>;
#else
using order = tn::pipeline<complete_units, transform_layout, select_quantized>;
#endif
