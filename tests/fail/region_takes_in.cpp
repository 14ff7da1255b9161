// A pass makes a region around what it does not allow. iree-org/iree #21100: encodings were set on values whose producers had been cloned into
// dispatches; the op that sets one cannot leave such a region any more.
#include "house.hpp"

using namespace house;

struct matmul;
struct slice;
struct set_encoding;
struct dispatch {
  using region_allows = tn::ops<matmul, slice>;
};
struct flow {
  static constexpr tn::fixed_string name = "flow";
  using op_list = tn::ops<matmul, slice, set_encoding, dispatch>;
};
struct set_encodings {
  static constexpr tn::fixed_string name = "set_encodings";
  using runs_in = flow;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<set_encoding>;
  using emits_outside = tn::ops<set_encoding>;
};
struct form_dispatches {
  static constexpr tn::fixed_string name = "form_dispatches";
  using runs_in = flow;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<dispatch>;
  using emits_outside = tn::ops<dispatch>;
#ifdef TENON_TWIN
  using encloses = tn::ops<matmul, slice>;
#endif
};
// CHECK: tenon-E042: pass 'form_dispatches' (2nd) may take 'dispatch' and 'set_encoding' into a region of 'dispatch', which does not allow them, and there may be some: pass 'set_encodings' (1st) emits such: say 'using encloses = tenon::ops<...>', what its regions take in
using order = tn::pipeline<set_encodings, form_dispatches>;
