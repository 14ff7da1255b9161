// A table of functions is one of all together: who removes a function ends it. Of each of them, nothing is lost.
#include "house.hpp"

using namespace house;

struct table_written {
  static constexpr tn::fixed_string name = "table_written";
#ifdef TENON_TWIN
  using of_each = tn::any_functions;
#else
  using of_all = tn::any_functions;
#endif
};
struct write_table {
  static constexpr tn::fixed_string name = "write_table";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<table_written>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct drop_unused {
  static constexpr tn::fixed_string name = "drop_unused";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool removes_functions = true;
};
struct emit_calls {
  static constexpr tn::fixed_string name = "emit_calls";
  using runs_in = graph;
  using needs = tn::facts<table_written>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: tenon-E003: pass 'emit_calls' (4th) needs 'table_written', which pass 'drop_unused' (3rd) breaks, since it removes functions, after 'write_table' (2nd) gave it: move 'drop_unused' before 'write_table'
using order = tn::pipeline<lift_lambdas, write_table, drop_unused, emit_calls>;
