// openxla/xla #11309: normalizing layouts leaves bitcasts between a broadcast and its users, and the pass that makes memory of the host
// legal looks for direct ones.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct broadcast;
struct bitcast;
struct copy;
struct hlo {
  static constexpr tn::fixed_string name = "hlo";
  using op_list = tn::ops<broadcast, bitcast, copy>;
};
struct no_idle_bitcasts {
  static constexpr tn::fixed_string name = "no_idle_bitcasts";
  using of_all = tn::ops<bitcast>;
};
struct simplify {
  static constexpr tn::fixed_string name = "simplify";
  using runs_in = hlo;
  using needs = tn::facts<>;
  using gives = tn::facts<no_idle_bitcasts>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using deletes = tn::effects<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct normalize_layouts {
  static constexpr tn::fixed_string name = "normalize_layouts";
  using runs_in = hlo;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<bitcast, copy>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct legalize_host_offload {
  static constexpr tn::fixed_string name = "legalize_host_offload";
  using runs_in = hlo;
  using needs = tn::facts<no_idle_bitcasts>;
  using keeps = tn::all_facts;
  using emits = tn::ops<broadcast>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<normalize_layouts, simplify, legalize_host_offload>;
#else
// CHECK: tenon-E003: pass 'legalize_host_offload' (3rd) needs 'no_idle_bitcasts', which pass 'normalize_layouts' (2nd) breaks, since it emits 'bitcast', after 'simplify' (1st) gave it: move 'normalize_layouts' before 'simplify'
using order = tn::pipeline<simplify, normalize_layouts, legalize_host_offload>;
#endif
