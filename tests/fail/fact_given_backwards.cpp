// An order that is written backwards: neither one change nor two cure it, and the message says which pass to begin with.
#include "house.hpp"

using namespace house;

struct layout_known {
  static constexpr tn::fixed_string name = "layout_known";
};
struct kernels_timed {
  static constexpr tn::fixed_string name = "kernels_timed";
};
struct convert_layout {
  static constexpr tn::fixed_string name = "convert_layout";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using gives = tn::facts<layout_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct pick_kernels {
  static constexpr tn::fixed_string name = "pick_kernels";
  using runs_in = graph;
  using needs = tn::facts<kernels_timed>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct time_kernels {
  static constexpr tn::fixed_string name = "time_kernels";
  using runs_in = graph;
  using needs = tn::facts<layout_known>;
  using gives = tn::facts<kernels_timed>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<infer_shapes, convert_layout, time_kernels, pick_kernels>;
#else
// CHECK: tenon-E002: pass 'pick_kernels' (1st) needs 'kernels_timed', which no pass before it gives: 'time_kernels' would, and needs 'layout_known' itself: put what gives that before both
using order = tn::pipeline<pick_kernels, time_kernels, convert_layout, infer_shapes>;
#endif
