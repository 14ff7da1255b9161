// pytorch/torchdynamo #1235, #1390: a decomposition made an op that writes to its operand; common subexpressions before and
// after the write were merged. The op brings its effect, and the pass that merges ops has to say what it does with it.
#include "house.hpp"

using namespace house;

struct writes_operand {
  static constexpr tn::fixed_string name = "writes_operand";
};
struct index_put {
  using effects = tn::effects<writes_operand>;
};
struct merge_common {
  static constexpr tn::fixed_string name = "merge_common";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using merges = tn::effects<>;
};
#ifdef TENON_TWIN
template <>
inline constexpr bool tenon::treats<merge_common, writes_operand> = true;  // it forgets what it knows of a written value
#endif
using pipeline = tn::pipeline<infer_shapes, merge_common>::with_ops<index_put>;  // CHECK: tenon-E016: pass 'merge_common' (2nd) deletes, merges or moves ops, and does not say how it treats the effect 'writes_operand' of an op that this pipeline adds: specialize tenon::treats<merge_common, effect>
