// An op whose effects nobody would read would be taken for a pure one, and deleted.
#include "house.hpp"

using namespace house;

struct ref_write {
  static constexpr tn::fixed_string name = "ref_write";
#ifdef TENON_TWIN
  using effects = tn::effects<tn::effect::writes>;
#else
  using effect = tn::effects<tn::effect::writes>;
#endif
};
// CHECK: tenon-E008: op 'ref_write' has a member 'effect', which means nothing: write 'using effects = tenon::effects<...>'
using order = tn::pipeline<lift_lambdas, infer_shapes>::with_ops<ref_write>;
