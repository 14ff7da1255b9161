// iree-org/iree #17757: an empty tensor of its own stood for each buffer in shared memory, and two of one size were merged.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct empty;
struct generic;
struct tensors {
  static constexpr tn::fixed_string name = "tensors";
  using op_list = tn::ops<empty, generic>;
};
struct operands_promoted {
  static constexpr tn::fixed_string name = "operands_promoted";
  using of_all = tn::ops<empty>;
};
struct promote {
  static constexpr tn::fixed_string name = "promote";
  using runs_in = tensors;
  using needs = tn::facts<>;
  using gives = tn::facts<operands_promoted>;
  using keeps = tn::all_facts;
  using emits = tn::ops<empty, generic>;
};
struct cse {
  static constexpr tn::fixed_string name = "cse";
  using runs_in = tensors;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using merges = tn::effects<>;
  using emits = tn::ops<>;
};
struct bufferize {
  static constexpr tn::fixed_string name = "bufferize";
  using runs_in = tensors;
  using needs = tn::facts<operands_promoted>;
  using keeps = tn::facts<>;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<cse, promote, bufferize>;
#else
// CHECK: tenon-E003: pass 'bufferize' (3rd) needs 'operands_promoted', which pass 'cse' (2nd) breaks, since it deletes, merges or moves ops, after 'promote' (1st) gave it: move 'cse' before 'promote'
using order = tn::pipeline<promote, cse, bufferize>;
#endif
