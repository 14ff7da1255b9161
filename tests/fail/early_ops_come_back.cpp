// What functions ahead of the module hold is there when the module arrives: a fact about it is gone then.
#include "house.hpp"

using namespace house;

struct loop;
struct unrolled {
  static constexpr tn::fixed_string name = "unrolled";
  using absent_ops = tn::ops<loop>;
};
struct machine {
  static constexpr tn::fixed_string name = "machine";
  using op_list = tn::ops<kernel_call, jump, loop>;
  using early_ops = tn::ops<loop>;
};
struct to_machine {
  static constexpr tn::fixed_string name = "to_machine";
  using from = graph;
  using to = machine;
  using needs = tn::facts<ops_legalized, unrolled>;  // no graph function holds loops
  using keeps = tn::all_facts;
  using emits = tn::ops<jump>;
};
struct unroll {
  static constexpr tn::fixed_string name = "unroll";
  using runs_in = machine;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<loop>;
  using handles = tn::ops<loop>;
  using emits = tn::ops<jump>;
};
struct emit_code {
  static constexpr tn::fixed_string name = "emit_code";
  using runs_in = machine;
  using needs = tn::facts<unrolled>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, to_machine, unroll, emit_code>;
#else
using pipeline = tn::pipeline<lift_lambdas, infer_shapes, legalize_ops, to_machine, emit_code, unroll>;  // CHECK: tenon-E003: pass 'emit_code' (5th) needs 'unrolled', which pass 'to_machine' (4th) breaks after it held from the start: move 'unroll' before 'emit_code', or move 'emit_code' after 'unroll'
#endif
