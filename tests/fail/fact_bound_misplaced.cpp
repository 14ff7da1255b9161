// A fact that is the same as another one says nothing of its own end.
#include "house.hpp"

using namespace house;

struct types_inferred {
  static constexpr tn::fixed_string name = "types_inferred";
  using same_as = shapes_known;
#ifndef TENON_TWIN
  using of_each = tn::ops<add>;
#endif
};
struct check_types {
  static constexpr tn::fixed_string name = "check_types";
  using runs_in = graph;
  using needs = tn::facts<types_inferred>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: tenon-E008: pass 'check_types' names fact 'types_inferred', which has a member 'of_each' that means nothing to the judge: write 'it in the fact that is named by 'same_as'
using order = tn::pipeline<infer_shapes, check_types>;
