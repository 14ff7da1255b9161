// An op is added of which only the name is known where the pipeline stands: what it does besides computing is said later.
#include "house.hpp"

using namespace house;

struct eliminate_dead {
  static constexpr tn::fixed_string name = "eliminate_dead";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using deletes = tn::effects<tn::effect::random>;
};
struct ref_write;
#ifdef TENON_TWIN
struct ref_write {
  static constexpr tn::fixed_string name = "ref_write";
  using effects = tn::effects<tn::effect::random>;
};
#endif
// CHECK: tenon-E016: pass 'eliminate_dead' (2nd) deletes, merges or moves ops, and 'ref_write', which this pipeline adds, is only declared here, so that nobody knows its effects: include the header that defines it first
using order = tn::pipeline<lift_lambdas, eliminate_dead>::with_ops<ref_write>;
