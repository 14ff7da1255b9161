// llvm/llvm-project #120157: flags of a shader follow from its intrinsics, and these had become calls before. The
// lowering ends what is known of the flags, so it goes behind all that read them.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct dx_intrinsic;
struct inst;
struct dx_op_call;
struct shader_flags_known {
  static constexpr tn::fixed_string name = "shader_flags_known";
  using of_all = tn::any_ops;
};
struct dxil {
  static constexpr tn::fixed_string name = "dxil";
  using op_list = tn::ops<dx_intrinsic, inst, dx_op_call>;
};
struct shader_flags {
  static constexpr tn::fixed_string name = "shader_flags";
  using runs_in = dxil;
  using needs = tn::facts<>;
  using gives = tn::facts<shader_flags_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using works_on = tn::ops<dx_intrinsic>;
};
struct dxil_translate_metadata {
  static constexpr tn::fixed_string name = "dxil_translate_metadata";
  using runs_in = dxil;
  using needs = tn::facts<shader_flags_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct dxil_op_lowering {
  static constexpr tn::fixed_string name = "dxil_op_lowering";
  using runs_in = dxil;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<dx_intrinsic>;
  using handles = eliminates;
  using emits = tn::ops<dx_op_call>;
  static constexpr bool adds_functions = true;
};
#ifdef TENON_TWIN
using order = tn::pipeline<shader_flags, dxil_translate_metadata, dxil_op_lowering>;
#else
// CHECK: tenon-E038: pass 'shader_flags' (2nd) works on 'dx_intrinsic', and pass 'dxil_op_lowering' (1st) leaves none of it: move 'dxil_op_lowering' after 'dxil_translate_metadata'
using order = tn::pipeline<dxil_op_lowering, shader_flags, dxil_translate_metadata>;
#endif
