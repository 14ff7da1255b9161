// llvm/llvm-project #109127: relaxed branches write registers, and run behind the pass that separates hazards; nor may
// they run in front, since that puts in more. The author let them work around hazards themselves: they keep what holds.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct inst;
struct branch;
struct nop;
struct byte;
struct branches_in_range {
  static constexpr tn::fixed_string name = "branches_in_range";
  using of_all = tn::any_ops;
};
struct hazards_resolved {
  static constexpr tn::fixed_string name = "hazards_resolved";
  using of_all = tn::ops<inst>;
};
struct machine {
  static constexpr tn::fixed_string name = "machine";
  using op_list = tn::ops<inst, branch, nop>;
};
struct object {
  static constexpr tn::fixed_string name = "object";
  using op_list = tn::ops<byte>;
};
struct hazard_recognizer {
  static constexpr tn::fixed_string name = "hazard_recognizer";
  using runs_in = machine;
  using needs = tn::facts<>;
  using gives = tn::facts<hazards_resolved>;
  using keeps = tn::all_facts;
  using emits = tn::ops<nop>;
};
#ifdef TENON_TWIN
struct branch_relaxation {
  static constexpr tn::fixed_string name = "branch_relaxation";
  using runs_in = machine;
  using needs = tn::facts<>;
  using gives = tn::facts<branches_in_range>;
  using keeps = tn::facts<hazards_resolved>;
  using emits = tn::ops<inst, branch, nop>;
};
#else
struct branch_relaxation {
  static constexpr tn::fixed_string name = "branch_relaxation";
  using runs_in = machine;
  using needs = tn::facts<>;
  using gives = tn::facts<branches_in_range>;
  using keeps = tn::all_facts;
  using emits = tn::ops<inst, branch>;
};
#endif
struct print_asm {
  static constexpr tn::fixed_string name = "print_asm";
  using from = machine;
  using to = object;
  using needs = tn::facts<branches_in_range, hazards_resolved>;
  using eliminates = tn::ops<inst, branch, nop>;
  using handles = eliminates;
  using emits = tn::ops<byte>;
};
// CHECK: tenon-E003: pass 'print_asm' (3rd) needs 'hazards_resolved', which pass 'branch_relaxation' (2nd) breaks, since it emits 'inst', after 'hazard_recognizer' (1st) gave it: no order of these passes was found that keeps it; add a pass behind 'branch_relaxation' after which it holds again, or, if it is still true there, let 'branch_relaxation' say so in its 'keeps'
using order = tn::pipeline<hazard_recognizer, branch_relaxation, print_asm>;
