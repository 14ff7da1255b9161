// intel/intel-graphics-compiler #257: combining instructions brought back intrinsics that had been replaced, and what
// replaces these needs the emulation of wide integers. No pass that moves alone makes it right: the repair is two.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct add;
struct add_i64;
struct bswap;
struct funnel_shift;
struct shl;
struct intrinsics_supported {
  static constexpr tn::fixed_string name = "intrinsics_supported";
  using absent_ops = tn::ops<bswap, funnel_shift>;
};
struct no_wide_ints {
  static constexpr tn::fixed_string name = "no_wide_ints";
  using absent_ops = tn::ops<add_i64>;
};
struct ir {
  static constexpr tn::fixed_string name = "ir";
  using op_list = tn::ops<add, add_i64, bswap, funnel_shift, shl>;
};
struct inst_combine {
  static constexpr tn::fixed_string name = "inst_combine";
  using runs_in = ir;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
};
struct replace_unsupported {
  static constexpr tn::fixed_string name = "replace_unsupported";
  using runs_in = ir;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<bswap, funnel_shift>;
  using handles = eliminates;
  using emits = tn::ops<add_i64, shl>;
};
struct emulate_wide {
  static constexpr tn::fixed_string name = "emulate_wide";
  using runs_in = ir;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<add_i64>;
  using handles = eliminates;
  using emits = tn::ops<add, shl>;
};
struct select_instructions {
  static constexpr tn::fixed_string name = "select_instructions";
  using runs_in = ir;
  using needs = tn::facts<intrinsics_supported, no_wide_ints>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<inst_combine, replace_unsupported, emulate_wide, select_instructions>;
#else
// CHECK: tenon-E003: pass 'select_instructions' (4th) needs 'intrinsics_supported', which pass 'inst_combine' (3rd) breaks after 'replace_unsupported' (2nd) gave it, and misses 'no_wide_ints' too: move 'inst_combine' before 'replace_unsupported', and move 'emulate_wide' after 'replace_unsupported'
using order = tn::pipeline<emulate_wide, replace_unsupported, inst_combine, select_instructions>;
#endif
