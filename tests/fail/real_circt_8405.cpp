// llvm/circt #8405: layers were lowered in front of the lowering of probes, of which that pass may find none.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct probe_define;
struct probe_resolve;
struct layer;
struct instance;
struct xmr;
struct firrtl {
  static constexpr tn::fixed_string name = "firrtl";
  using op_list = tn::ops<probe_define, probe_resolve, layer, instance, xmr>;
};
struct no_probes {
  static constexpr tn::fixed_string name = "no_probes";
  using absent_ops = tn::ops<probe_define, probe_resolve>;
};
struct lower_layers {
  static constexpr tn::fixed_string name = "lower_layers";
  using runs_in = firrtl;
  using needs = tn::facts<no_probes>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<layer>;
  using handles = eliminates;
  using emits = tn::ops<instance>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct lower_xmr {
  static constexpr tn::fixed_string name = "lower_xmr";
  using runs_in = firrtl;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<probe_define, probe_resolve>;
  using handles = eliminates;
  using emits = tn::ops<xmr>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<lower_xmr, lower_layers>;
#else
// CHECK: tenon-E002: pass 'lower_layers' (1st) needs 'no_probes', which no pass before it gives: move 'lower_xmr' before 'lower_layers'
using order = tn::pipeline<lower_layers, lower_xmr>;
#endif
