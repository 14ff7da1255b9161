// Who breaks a fact breaks what rests on it. llvm/llvm-project #61324: what is known of a loop's accesses rests on the alias analysis,
// and outlived it.
#include "house.hpp"

using namespace house;

struct aliases_known {
  static constexpr tn::fixed_string name = "aliases_known";
};
struct accesses_known {
  static constexpr tn::fixed_string name = "accesses_known";
  using rests_on = tn::facts<aliases_known>;
};
struct find_aliases {
  static constexpr tn::fixed_string name = "find_aliases";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<aliases_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct find_accesses {
  static constexpr tn::fixed_string name = "find_accesses";
  using runs_in = graph;
  using needs = tn::facts<aliases_known>;
  using gives = tn::facts<accesses_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct copy_buffers {
  static constexpr tn::fixed_string name = "copy_buffers";
  using runs_in = graph;
  using needs = tn::facts<>;
  using breaks = tn::facts<aliases_known>;
  using emits = tn::ops<add>;
};
struct vectorize {
  static constexpr tn::fixed_string name = "vectorize";
  using runs_in = graph;
  using needs = tn::facts<accesses_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: tenon-E003: pass 'vectorize' (4th) needs 'accesses_known', which pass 'copy_buffers' (3rd) breaks with 'aliases_known', on which it rests, after 'find_accesses' (2nd) gave it: move 'vectorize' before 'copy_buffers'
#ifdef TENON_TWIN
using order = tn::pipeline<copy_buffers, find_aliases, find_accesses, vectorize>;
#else
using order = tn::pipeline<find_aliases, find_accesses, copy_buffers, vectorize>;
#endif
