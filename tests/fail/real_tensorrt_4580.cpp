// pytorch/TensorRT #4580: a decomposition of complex numbers traces the graph anew, which brought back aliases and
// stacks that earlier passes had taken away, and constants that they had folded; of one engine there were three.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct complex_mul;
struct mul;
struct alias;
struct stack;
struct constant;
struct engine;
struct no_aliases {
  static constexpr tn::fixed_string name = "no_aliases";
  using absent_ops = tn::ops<alias, stack>;
};
struct constants_folded {
  static constexpr tn::fixed_string name = "constants_folded";
  using of_all = tn::any_ops;
};
struct aten {
  static constexpr tn::fixed_string name = "aten";
  using op_list = tn::ops<complex_mul, mul, alias, stack, constant>;
};
struct trt {
  static constexpr tn::fixed_string name = "trt";
  using op_list = tn::ops<engine>;
};
struct remove_aliases {
  static constexpr tn::fixed_string name = "remove_aliases";
  using runs_in = aten;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<alias, stack>;
  using handles = eliminates;
  using emits = tn::ops<mul>;
};
struct fold_constants {
  static constexpr tn::fixed_string name = "fold_constants";
  using runs_in = aten;
  using needs = tn::facts<>;
  using gives = tn::facts<constants_folded>;
  using keeps = tn::all_facts;
  using emits = tn::ops<constant>;
  using deletes = tn::effects<>;
};
struct decompose_complex {
  static constexpr tn::fixed_string name = "decompose_complex";
  using runs_in = aten;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using eliminates = tn::ops<complex_mul>;
  using handles = eliminates;
  using emits = tn::ops<mul, alias, stack, constant>;
};
struct to_engine {
  static constexpr tn::fixed_string name = "to_engine";
  using from = aten;
  using to = trt;
  using needs = tn::facts<no_aliases, constants_folded>;
  using eliminates = tn::ops<mul, constant>;
  using handles = eliminates;
  using emits = tn::ops<engine>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<decompose_complex, remove_aliases, fold_constants, to_engine>;
#else
// CHECK: tenon-E003: pass 'to_engine' (4th) needs 'constants_folded', which pass 'decompose_complex' (3rd) breaks after 'fold_constants' (2nd) gave it, and misses 'no_aliases' too: move 'decompose_complex' before 'remove_aliases'
using order = tn::pipeline<remove_aliases, fold_constants, decompose_complex, to_engine>;
#endif
