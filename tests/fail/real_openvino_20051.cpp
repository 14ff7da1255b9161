// openvinotoolkit/openvino #20051: element types were enforced in front of the pass that makes the op which asks for some.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct matmul;
struct brgemm;
struct convert;
struct snippets {
  static constexpr tn::fixed_string name = "snippets";
  using op_list = tn::ops<matmul, brgemm, convert>;
};
struct precisions_enforced {
  static constexpr tn::fixed_string name = "precisions_enforced";
  using of_each = tn::ops<brgemm>;
};
struct enforce_precision {
  static constexpr tn::fixed_string name = "enforce_precision";
  using runs_in = snippets;
  using needs = tn::facts<>;
  using gives = tn::facts<precisions_enforced>;
  using keeps = tn::all_facts;
  using emits = tn::ops<convert>;
  using changes = tn::ops<brgemm>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct matmul_to_brgemm {
  static constexpr tn::fixed_string name = "matmul_to_brgemm";
  using runs_in = snippets;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<matmul>;
  using handles = eliminates;
  using emits = tn::ops<brgemm>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct emit_kernels {
  static constexpr tn::fixed_string name = "emit_kernels";
  using runs_in = snippets;
  using needs = tn::facts<precisions_enforced>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<matmul_to_brgemm, enforce_precision, emit_kernels>;
#else
// CHECK: tenon-E003: pass 'emit_kernels' (3rd) needs 'precisions_enforced', which pass 'matmul_to_brgemm' (2nd) breaks, since it emits 'brgemm', after 'enforce_precision' (1st) gave it: move 'matmul_to_brgemm' before 'enforce_precision'
using order = tn::pipeline<enforce_precision, matmul_to_brgemm, emit_kernels>;
#endif
