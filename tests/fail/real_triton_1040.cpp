// facebookexperimental/triton #1040: jump threading copied a named barrier into both arms of a branch, and the device hung. What
// copies blocks leaves those alone that have such ops, and says so.
#include "house.hpp"

using namespace house;

struct branch;
struct bar_sync {
  using effects = tn::effects<tn::effect::sync>;
};
struct llvm_ir {
  static constexpr tn::fixed_string name = "llvm_ir";
  using op_list = tn::ops<branch, bar_sync>;
};
struct thread_jumps {
  static constexpr tn::fixed_string name = "thread_jumps";
  using runs_in = llvm_ir;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<branch>;
  using duplicates = tn::any_effects;
#ifdef TENON_TWIN
  using leaves = tn::effects<tn::effect::sync>;
#endif
};
// CHECK: tenon-E043: pass 'thread_jumps' (1st) may leave more than one of 'bar_sync', whose effect 'sync' does not allow that
using order = tn::pipeline<thread_jumps>;
