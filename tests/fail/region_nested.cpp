// A region that may not hold its own kind. apache/tvm #12001: a schedule made parallel loops within parallel loops, which code generation
// cannot run.
#include "house.hpp"

using namespace house;

struct parallel_for {
  using region_forbids = tn::ops<parallel_for>;
};
struct loops {
  static constexpr tn::fixed_string name = "loops";
  using op_list = tn::ops<kernel_call, parallel_for>;
};
struct parallelize {
  static constexpr tn::fixed_string name = "parallelize";
  using runs_in = loops;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<parallel_for>;
  using encloses = tn::ops<kernel_call>;
#ifdef TENON_TWIN
  using emits_outside = tn::ops<parallel_for>;
#endif
};
// CHECK: tenon-E042: pass 'parallelize' (1st) may emit 'parallel_for', which a region of 'parallel_for' does not allow, and there may be one: phase 'loops' lists it: say 'using emits_outside = tenon::ops<parallel_for>' if it never puts it there
using order = tn::pipeline<parallelize>;
