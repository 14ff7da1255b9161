// iree-org/iree #14817: expanding strided views left an op that the emulation of narrow types does not know, and the pass that
// folds it away ran too early. Which ops may be left is computed from what passes emit and eliminate.
#include "house.hpp"

using namespace house;

struct no_calls_of_kernels {
  static constexpr tn::fixed_string name = "no_calls_of_kernels";
  using absent_ops = tn::ops<kernel_call>;
};
struct fold_metadata {
  static constexpr tn::fixed_string name = "fold_metadata";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<kernel_call>;
  using handles = tn::ops<kernel_call>;
  using emits = tn::ops<>;
};
struct expand_metadata {
  static constexpr tn::fixed_string name = "expand_metadata";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add, kernel_call>;
};
struct emulate_narrow_types {
  static constexpr tn::fixed_string name = "emulate_narrow_types";
  using runs_in = graph;
  using needs = tn::facts<no_calls_of_kernels>;
  using keeps = tn::all_facts;
  using emits = tn::ops<mul>;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<expand_metadata, fold_metadata, emulate_narrow_types>;
#else
using pipeline = tn::pipeline<fold_metadata, expand_metadata, emulate_narrow_types>;  // CHECK: tenon-E003: pass 'emulate_narrow_types' (3rd) needs 'no_calls_of_kernels', which pass 'expand_metadata' (2nd) breaks after 'fold_metadata' (1st) gave it: move 'expand_metadata' before 'fold_metadata', or move 'emulate_narrow_types' before 'expand_metadata'
#endif
