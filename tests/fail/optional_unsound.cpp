// A wrong declaration stays wrong under a flag.
#include "house.hpp"

using namespace house;

struct unroll {
  static constexpr tn::fixed_string name = "unroll";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::facts<ops_legalized>;
#ifdef TENON_TWIN
  using emits = tn::ops<kernel_call>;
#else
  using emits = tn::ops<kernel_call, add>;
#endif
};
// CHECK: tenon-E017: pass 'unroll' says that it keeps 'ops_legalized', but it may emit 'add': name what it 'emits' without it, or do not list 'ops_legalized' in 'keeps'
using order = tn::pipeline<lift_lambdas, tn::optional<unroll, tn::when<"fast">>>;
