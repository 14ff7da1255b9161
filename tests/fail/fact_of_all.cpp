// A fact about all ops together, here their number, ends where a pass deletes some.
#include "house.hpp"

using namespace house;

struct calls_numbered {
  static constexpr tn::fixed_string name = "calls_numbered";
  using of_all = tn::ops<kernel_call>;
};
struct number_calls {
  static constexpr tn::fixed_string name = "number_calls";
  using runs_in = code;
  using needs = tn::facts<>;
  using gives = tn::facts<calls_numbered>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct drop_unused {
  static constexpr tn::fixed_string name = "drop_unused";
  using runs_in = code;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using deletes = tn::effects<>;
};
struct write_table {
  static constexpr tn::fixed_string name = "write_table";
  using runs_in = code;
  using needs = tn::facts<calls_numbered>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: tenon-E003: pass 'write_table' (3rd) needs 'calls_numbered', which pass 'drop_unused' (2nd) breaks, since it deletes, merges or moves ops, after 'number_calls' (1st) gave it: move 'drop_unused' before 'number_calls', or move 'write_table' before 'drop_unused'
#ifdef TENON_TWIN
using order = tn::pipeline<drop_unused, number_calls, write_table>;
#else
using order = tn::pipeline<number_calls, drop_unused, write_table>;
#endif
