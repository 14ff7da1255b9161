// The type layer as one header, in a compiler that has nothing else of tenon.
// alone: nothing else of tenon may stand beside it
#include "tenon_judge.hpp"

namespace tn = tenon;

struct matmul;
struct generic;
struct call;
struct tensors {
  static constexpr tn::fixed_string name = "tensors";
  using op_list = tn::ops<matmul, generic>;
};
struct calls {
  static constexpr tn::fixed_string name = "calls";
  using op_list = tn::ops<call>;
};
struct generalized {
  static constexpr tn::fixed_string name = "generalized";
  using absent_ops = tn::ops<matmul>;
};
struct generalize {
  static constexpr tn::fixed_string name = "generalize";
  using runs_in = tensors;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<matmul>;
  using handles = tn::ops<matmul>;
  using emits = tn::ops<generic>;
};
struct canonicalize {
  static constexpr tn::fixed_string name = "canonicalize";
  using runs_in = tensors;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
};
struct to_calls {
  static constexpr tn::fixed_string name = "to_calls";
  using from = tensors;
  using to = calls;
  using needs = tn::facts<generalized>;
  using eliminates = tn::ops<generic>;
  using handles = tn::ops<generic>;
  using emits = tn::ops<call>;
};

#ifdef TENON_TWIN
using order = tn::pipeline<canonicalize, generalize, to_calls>;
#else
// CHECK: tenon-E003: pass 'to_calls' (3rd) needs 'generalized', which pass 'canonicalize' (2nd) breaks after 'generalize' (1st) gave it: move 'canonicalize' before 'generalize', or run 'generalize' again after it
using order = tn::pipeline<generalize, canonicalize, to_calls>;
#endif
