// What a pass needs of the device, misspelt: it would run for every device.
#include "house.hpp"
#include <tenon/targets/capability.hpp>

using namespace house;

struct bind_threads {
  static constexpr tn::fixed_string name = "bind_threads";
  using runs_in = code;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using needs_of_device = tn::capabilities<tn::capability::thread_blocks>;
#else
  using need_of_device = tn::capabilities<tn::capability::thread_blocks>;
#endif
};
// CHECK: tenon-E008: pass 'bind_threads' has a member 'need_of_device', which means nothing to the judge: write 'needs_of_device'
using order = tn::pipeline<bind_threads>;
