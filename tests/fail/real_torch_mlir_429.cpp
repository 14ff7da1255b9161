// llvm/torch-mlir #429: types were refined, and then ops decomposed into others whose types nobody had refined. The type of each op
// is known: who makes ops gives it, or ends it.
#include "house.hpp"

using namespace house;

struct mean;
struct sum;
struct divide;
struct torch {
  static constexpr tn::fixed_string name = "torch";
  using op_list = tn::ops<mean, sum, divide>;
};
struct backend {
  static constexpr tn::fixed_string name = "backend";
  using op_list = tn::ops<sum, divide>;
};
struct types_refined {
  static constexpr tn::fixed_string name = "types_refined";
  using of_each = tn::any_ops;
};
struct refine_types {
  static constexpr tn::fixed_string name = "refine_types";
  using runs_in = torch;
  using needs = tn::facts<>;
  using gives = tn::facts<types_refined>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct decompose {
  static constexpr tn::fixed_string name = "decompose";
  using runs_in = torch;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<mean>;
  using handles = tn::ops<mean>;
  using emits = tn::ops<sum, divide>;
};
struct to_backend {
  static constexpr tn::fixed_string name = "to_backend";
  using from = torch;
  using to = backend;
  using needs = tn::facts<types_refined>;
  using emits = tn::ops<>;
};
// CHECK: tenon-E003: pass 'to_backend' (3rd) needs 'types_refined', which pass 'decompose' (2nd) breaks, since it emits 'divide', after 'refine_types' (1st) gave it: move 'decompose' before 'refine_types', or run 'refine_types' again after it
#ifdef TENON_TWIN
using order = tn::pipeline<decompose, refine_types, to_backend>;
#else
using order = tn::pipeline<refine_types, decompose, to_backend>;
#endif
