// intel/mlir-extensions #531: buffers were deallocated in front of the lowering of linear algebra, which deallocation
// does not know, and the lowering of copies makes more of it: one pass moves, and then runs again.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct generic;
struct copy;
struct clone;
struct parallel;
struct dealloc;
struct buffers {
  static constexpr tn::fixed_string name = "buffers";
  using op_list = tn::ops<generic, copy, clone, parallel, dealloc>;
};
struct gpu {
  static constexpr tn::fixed_string name = "gpu";
  using op_list = tn::ops<parallel, dealloc>;
};
struct no_linear_algebra {
  static constexpr tn::fixed_string name = "no_linear_algebra";
  using absent_ops = tn::ops<generic>;
};
struct deallocate {
  static constexpr tn::fixed_string name = "deallocate";
  using runs_in = buffers;
  using needs = tn::facts<no_linear_algebra>;
  using keeps = tn::all_facts;
  using emits = tn::ops<dealloc, clone>;
};
struct lower_linear_algebra {
  static constexpr tn::fixed_string name = "lower_linear_algebra";
  using runs_in = buffers;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<generic>;
  using handles = eliminates;
  using emits = tn::ops<parallel>;
};
struct lower_copies {
  static constexpr tn::fixed_string name = "lower_copies";
  using runs_in = buffers;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<copy, clone>;
  using handles = eliminates;
  using emits = tn::ops<generic>;
};
struct to_gpu {
  static constexpr tn::fixed_string name = "to_gpu";
  using from = buffers;
  using to = gpu;
  using needs = tn::facts<>;
  using eliminates = tn::ops<>;
  using handles = eliminates;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lower_linear_algebra, deallocate, lower_copies, lower_linear_algebra, to_gpu>;
#else
// CHECK: tenon-E002: pass 'deallocate' (1st) needs 'no_linear_algebra', which no pass before it gives: move 'lower_linear_algebra' before 'deallocate', and run 'lower_linear_algebra' again after 'lower_copies'
using order = tn::pipeline<deallocate, lower_linear_algebra, lower_copies, to_gpu>;
#endif
