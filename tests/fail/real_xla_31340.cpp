// openxla/xla #31340: bitcast conversions were expanded before layouts were assigned, so that the simplifier behind that, which
// makes plain bitcasts of those that do nothing, found none.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct bitcast_convert;
struct bitcast;
struct shift;
struct layouts_assigned {
  static constexpr tn::fixed_string name = "layouts_assigned";
};
struct hlo {
  static constexpr tn::fixed_string name = "hlo";
  using op_list = tn::ops<bitcast_convert, bitcast, shift>;
};
struct expand_bitcasts {
  static constexpr tn::fixed_string name = "expand_bitcasts";
  using runs_in = hlo;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<bitcast_convert>;
  using handles = tn::ops<bitcast_convert>;
  using emits = tn::ops<shift>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct assign_layouts {
  static constexpr tn::fixed_string name = "assign_layouts";
  using runs_in = hlo;
  using needs = tn::facts<>;
  using gives = tn::facts<layouts_assigned>;
  using keeps = tn::facts<>;
  using emits = tn::ops<bitcast>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct simplify_bitcasts {
  static constexpr tn::fixed_string name = "simplify_bitcasts";
  using runs_in = hlo;
  using needs = tn::facts<layouts_assigned>;
  using keeps = tn::all_facts;
  using works_on = tn::ops<bitcast_convert>;
  using emits = tn::ops<bitcast>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<assign_layouts, simplify_bitcasts, expand_bitcasts>;
#else
// CHECK: tenon-E038: pass 'simplify_bitcasts' (3rd) works on 'bitcast_convert', and pass 'expand_bitcasts' (1st) leaves none of it: move 'expand_bitcasts' after 'simplify_bitcasts'
using order = tn::pipeline<expand_bitcasts, assign_layouts, simplify_bitcasts>;
#endif
