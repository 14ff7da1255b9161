// Options as a struct in the pass, as some compilers have them: nothing reads it, texts and fingerprints would know of none.
#include <tenon/ir/attribute.hpp>

#include "house.hpp"

struct fuse {
  static constexpr tenon::fixed_string name = "fuse";
  using runs_in = house::graph;
  using needs = tenon::facts<>;
  using keeps = tenon::all_facts;
  using emits = tenon::ops<>;
#ifdef TENON_TWIN
  long max_ops = 8;
  TENON_ATTRIBUTES(max_ops)
#else
  struct options {
    long max_ops = 8;
    TENON_ATTRIBUTES(max_ops)
  };
#endif
};
// CHECK: tenon-E008: pass 'fuse' has a member 'options', which means nothing to the judge: options are members of the pass itself that it lists in TENON_ATTRIBUTES(...)
using order = tenon::pipeline<fuse>;
