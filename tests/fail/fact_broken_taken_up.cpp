// Who breaks a fact and works on what its giver makes stays behind it, in front of which it would find nothing: the pass that needs the
// fact goes in front of it.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct assign;
struct let_;
struct expr;
struct yul {
  static constexpr tn::fixed_string name = "yul";
  using op_list = tn::ops<assign, let_, expr>;
};
struct ssa {
  static constexpr tn::fixed_string name = "ssa";
  using of_each = tn::any_ops;
};
struct ssa_transform {
  static constexpr tn::fixed_string name = "ssa_transform";
  using runs_in = yul;
  using needs = tn::facts<>;
  using gives = tn::facts<ssa>;
  using keeps = tn::all_facts;
  using emits = tn::ops<let_>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct unssa {
  static constexpr tn::fixed_string name = "unssa";
  using runs_in = yul;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<assign>;
  using works_on = tn::ops<let_>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct cse {
  static constexpr tn::fixed_string name = "cse";
  using runs_in = yul;
  using needs = tn::facts<ssa>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using merges = tn::effects<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<ssa_transform, cse, unssa>;
#else
// CHECK: tenon-E003: pass 'cse' (3rd) needs 'ssa', which pass 'unssa' (2nd) breaks, since it emits 'assign', after 'ssa_transform' (1st) gave it: move 'cse' before 'unssa', or move 'unssa' before 'ssa_transform'
using order = tn::pipeline<ssa_transform, unssa, cse>;
#endif
