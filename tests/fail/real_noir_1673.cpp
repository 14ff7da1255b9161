// noir-lang/noir #1673: an op without results, whose effect nobody had written down, was dead code, and was deleted. The op
// brings its effect; eliminate_dead is this library's own, and has to be told what it does with it.
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/pipeline.hpp>

namespace tn = tenon;
using namespace tn::passes;

struct predicates {
  static constexpr tn::fixed_string name = "predicates";
};
struct enable_side_effects {
  static constexpr tn::fixed_string name = "enable_side_effects";
  using effects = tn::effects<predicates>;
};
#ifdef TENON_TWIN
template <>
inline constexpr bool tenon::treats<eliminate_dead, predicates> = true;  // it deletes pure ops only
#endif
using pipeline = tn::pipeline<infer_shapes, eliminate_dead>::with_ops<enable_side_effects>;  // CHECK: tenon-E016: pass 'eliminate_dead' (2nd) deletes, merges or moves ops, and does not say how it treats the effect 'predicates' of an op that this pipeline adds: specialize tenon::treats<eliminate_dead, effect>
