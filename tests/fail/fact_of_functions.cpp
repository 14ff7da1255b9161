// A fact of each function does not hold of functions that are added behind its giver; of some it still does. Who removes some ends
// what is true of all together.
#include "house.hpp"

using namespace house;

struct entries_checked {
  static constexpr tn::fixed_string name = "entries_checked";
  using of_each = tn::any_functions;
  static void check(const tn::ir::module&, tn::function_id);
};
struct check_entries {
  static constexpr tn::fixed_string name = "check_entries";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<entries_checked>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct clone_functions {
  static constexpr tn::fixed_string name = "clone_functions";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool adds_functions = true;
  static constexpr bool removes_functions = true;
};
struct call_entries {
  static constexpr tn::fixed_string name = "call_entries";
  using runs_in = graph;
#ifdef TENON_TWIN
  using needs = tn::facts<tn::of_some<entries_checked>>;
#else
  using needs = tn::facts<entries_checked>;
#endif
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: tenon-E003: pass 'call_entries' (4th) needs 'entries_checked', which pass 'clone_functions' (3rd) breaks, since it adds functions, after 'check_entries' (2nd) gave it: move 'clone_functions' before 'check_entries'
using order = tn::pipeline<lift_lambdas, check_entries, clone_functions, call_entries>;
