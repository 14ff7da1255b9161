// openxla/xla #22081: two passes of one fixed point undid each other. One takes transposes out of a dot, so that dots are
// canonical; the other folds transposes into dots. Each says what is true behind it, of each op.
#include <tenon/compile/repeat.hpp>
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct dot;
struct transpose;
struct gemm;
struct hlo {
  static constexpr tn::fixed_string name = "hlo";
  using op_list = tn::ops<dot, transpose, gemm>;
};
struct dots_canonical {
  static constexpr tn::fixed_string name = "dots_canonical";
  using of_each = tn::ops<dot>;
};
struct transposes_folded {
  static constexpr tn::fixed_string name = "transposes_folded";
  using of_each = tn::ops<transpose>;
};
struct in_hlo {
  using runs_in = hlo;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct decompose_dots : in_hlo {
  static constexpr tn::fixed_string name = "decompose_dots";
  using gives = tn::facts<dots_canonical>;
  using emits = tn::ops<dot, transpose>;
};
struct fold_transposes : in_hlo {
  static constexpr tn::fixed_string name = "fold_transposes";
  using needs = tn::facts<dots_canonical>;
  using gives = tn::facts<transposes_folded>;
  using emits = tn::ops<dot>;
};
struct rewrite_gemms : in_hlo {
  static constexpr tn::fixed_string name = "rewrite_gemms";
  using emits = tn::ops<gemm>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<decompose_dots, fold_transposes, rewrite_gemms>;
#else
// CHECK: tenon-E039: a repeat may never come to rest: pass 'decompose_dots' gives 'dots_canonical', which 'fold_transposes' breaks, and 'fold_transposes' gives 'transposes_folded', which 'decompose_dots' breaks: leave one of them out, or let it run once, in front of the repeat
using order = tn::pipeline<tn::repeat<decompose_dots, fold_transposes>, rewrite_gemms>;
#endif
