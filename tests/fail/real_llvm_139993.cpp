// llvm/llvm-project #139993 (and #97261): landing pads were put in behind the pass that gives each branch its range,
// which depends on all that stands between.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct inst;
struct branch;
struct lpad;
struct byte;
struct branches_in_range {
  static constexpr tn::fixed_string name = "branches_in_range";
  using of_all = tn::any_ops;
};
struct machine {
  static constexpr tn::fixed_string name = "machine";
  using op_list = tn::ops<inst, branch, lpad>;
};
struct object {
  static constexpr tn::fixed_string name = "object";
  using op_list = tn::ops<byte>;
};
struct branch_relaxation {
  static constexpr tn::fixed_string name = "branch_relaxation";
  using runs_in = machine;
  using needs = tn::facts<>;
  using gives = tn::facts<branches_in_range>;
  using keeps = tn::all_facts;
  using emits = tn::ops<inst, branch>;
};
struct indirect_branch_tracking {
  static constexpr tn::fixed_string name = "indirect_branch_tracking";
  using runs_in = machine;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<lpad>;
};
struct print_asm {
  static constexpr tn::fixed_string name = "print_asm";
  using from = machine;
  using to = object;
  using needs = tn::facts<branches_in_range>;
  using eliminates = tn::ops<inst, branch, lpad>;
  using handles = eliminates;
  using emits = tn::ops<byte>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<indirect_branch_tracking, branch_relaxation, print_asm>;
#else
// CHECK: tenon-E003: pass 'print_asm' (3rd) needs 'branches_in_range', which pass 'indirect_branch_tracking' (2nd) breaks, since it emits 'lpad', after 'branch_relaxation' (1st) gave it: move 'indirect_branch_tracking' before 'branch_relaxation', or run 'branch_relaxation' again after it
using order = tn::pipeline<branch_relaxation, indirect_branch_tracking, print_asm>;
#endif
