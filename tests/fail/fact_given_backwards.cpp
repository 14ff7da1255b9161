// An order that is written backwards: no one move cures it, and the message says which pass to begin with.
#include "house.hpp"

using namespace house;

struct layout_known {
  static constexpr tn::fixed_string name = "layout_known";
};
struct convert_layout {
  static constexpr tn::fixed_string name = "convert_layout";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using gives = tn::facts<layout_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct pack_weights {
  static constexpr tn::fixed_string name = "pack_weights";
  using runs_in = graph;
  using needs = tn::facts<layout_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<infer_shapes, convert_layout, pack_weights>;
#else
// CHECK: tenon-E002: pass 'pack_weights' (1st) needs 'layout_known', which no pass before it gives: 'convert_layout' would, and needs 'shapes_known' itself: put what gives that before both
using order = tn::pipeline<pack_weights, convert_layout, infer_shapes>;
#endif
