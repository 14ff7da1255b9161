// llvm/circt #4201: a canonicalization put in early merged constants; the lowering to hardware needs each value used once.
#include "house.hpp"

using namespace house;

struct used_once {
  static constexpr tn::fixed_string name = "used_once";
};
struct materialize_forks {
  static constexpr tn::fixed_string name = "materialize_forks";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<used_once>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct canonicalize {  // whoever wrote it did not think of forks, and said nothing of them
  static constexpr tn::fixed_string name = "canonicalize";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::facts<shapes_known>;
  using emits = tn::ops<add, mul>;
};
struct lower_to_hardware {
  static constexpr tn::fixed_string name = "lower_to_hardware";
  using from = graph;
  using to = code;
  using needs = tn::facts<used_once>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<add, mul>;
  using handles = tn::ops<add, mul>;
  using emits = tn::ops<jump>;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<canonicalize, materialize_forks, lower_to_hardware>;
#else
using pipeline = tn::pipeline<materialize_forks, canonicalize, lower_to_hardware>;  // CHECK: tenon-E003: pass 'lower_to_hardware' (3rd) needs 'used_once', which pass 'canonicalize' (2nd) breaks after 'materialize_forks' (1st) gave it: move 'canonicalize' before 'materialize_forks', or run 'materialize_forks' again after it
#endif
