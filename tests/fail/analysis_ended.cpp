// A pass relies on what another one computed, and a pass between them makes ops: an analysis that does not say what ends it is ended by any.
#include <tenon/compile/analysis.hpp>

#include "house.hpp"

using namespace house;

struct uses_counted {
  static constexpr tn::fixed_string name = "uses_counted";
  static int compute(const tn::ir::module&) { return 0; }
};
struct count_uses {
  static constexpr tn::fixed_string name = "count_uses";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<uses_counted>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct expand {
  static constexpr tn::fixed_string name = "expand";
  using runs_in = graph;
  using needs = tn::facts<>;
#ifdef TENON_TWIN
  using keeps = tn::facts<uses_counted>;  // it has heard of it, and says so
#else
  using keeps = tn::all_facts;
#endif
  using emits = tn::ops<add>;
};
struct share {
  static constexpr tn::fixed_string name = "share";
  using runs_in = graph;
  using needs = tn::facts<uses_counted>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
// CHECK: tenon-E003: pass 'share' (3rd) needs 'uses_counted', which pass 'expand' (2nd) breaks, since it emits 'add', after 'count_uses' (1st) gave it: move 'expand' before 'count_uses', or move 'share' before 'expand'
using order = tn::pipeline<count_uses, expand, share>;
