// A pass for an extended phase, in a pipeline that does not add the op.
#include "house.hpp"

using namespace house;

struct my_softcap;
struct fuse_softcap {
  static constexpr tn::fixed_string name = "fuse_softcap";
  using runs_in = tn::extend<graph, my_softcap>;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
};
#ifdef TENON_TWIN
using order = tn::pipeline_with_ops<tn::ops<my_softcap>, lift_lambdas, fuse_softcap>;
using edited = tn::pipeline<lift_lambdas>::edit<tn::add_ops<my_softcap>, tn::append<fuse_softcap>>;
#else
// CHECK: tenon-E001: pass 'fuse_softcap' (2nd) runs in phase 'graph' extended with 'my_softcap', which this pipeline does not add: write pipeline_with_ops<ops<my_softcap>, ...>, or edit<add_ops<my_softcap>, ...> of a pipeline without this pass
using order = tn::pipeline<lift_lambdas, fuse_softcap>;
#endif
