// Two libraries name one truth: the pass that breaks the one breaks the other.
#include "house.hpp"

using namespace house;

namespace theirs {
struct types_inferred {
  static constexpr tn::fixed_string name = "types_inferred";
  using same_as = shapes_known;
};
struct reshape_inputs {
  static constexpr tn::fixed_string name = "reshape_inputs";
  using runs_in = graph;
  using needs = tn::facts<>;
  using breaks = tn::facts<types_inferred>;
  using emits = tn::ops<add>;
};
}  // namespace theirs
// CHECK: tenon-E003: pass 'legalize_ops' (3rd) needs 'shapes_known', which pass 'reshape_inputs' (2nd) breaks after 'infer_shapes' (1st) gave it: move 'reshape_inputs' before 'infer_shapes', or move 'legalize_ops' before 'reshape_inputs'
#ifdef TENON_TWIN
using order = tn::pipeline<theirs::reshape_inputs, infer_shapes, legalize_ops>;
#else
using order = tn::pipeline<infer_shapes, theirs::reshape_inputs, legalize_ops>;
#endif
