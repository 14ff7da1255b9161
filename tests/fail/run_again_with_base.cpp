// What is run again needs what was broken too: both run again.
#include "house.hpp"

using namespace house;

struct loops_found {
  static constexpr tn::fixed_string name = "loops_found";
};
struct bounds_found {
  static constexpr tn::fixed_string name = "bounds_found";
  using rests_on = tn::facts<loops_found>;
};
struct find_loops {
  static constexpr tn::fixed_string name = "find_loops";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<loops_found>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct find_bounds {
  static constexpr tn::fixed_string name = "find_bounds";
  using runs_in = graph;
  using needs = tn::facts<loops_found>;
  using gives = tn::facts<bounds_found>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct split_loops {
  static constexpr tn::fixed_string name = "split_loops";
  using runs_in = graph;
  using needs = tn::facts<bounds_found>;
  using breaks = tn::facts<loops_found>;
  using emits = tn::ops<add>;
};
struct unroll {
  static constexpr tn::fixed_string name = "unroll";
  using runs_in = graph;
  using needs = tn::facts<bounds_found>;
  using breaks = tn::facts<loops_found>;
  using emits = tn::ops<add>;
};
// CHECK: tenon-E003: pass 'unroll' (4th) needs 'bounds_found', which pass 'split_loops' (3rd) breaks with 'loops_found', on which it rests, after 'find_bounds' (2nd) gave it: run 'find_loops' and 'find_bounds' again after 'split_loops'
#ifdef TENON_TWIN
using order = tn::pipeline<find_loops, find_bounds, split_loops, find_loops, find_bounds, unroll>;
#else
using order = tn::pipeline<find_loops, find_bounds, split_loops, unroll>;
#endif
