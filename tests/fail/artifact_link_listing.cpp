// A format of one's own gets the sentence too.
#include <tenon/artifact.hpp>

namespace tn = tenon;

struct listing {
  static constexpr tn::fixed_string name = "listing";
  static constexpr tn::fixed_string advice = "it is for people to read";
  using abilities = tn::abilities<tn::can::save>;
};
void keep(const tn::artifact<listing>& a) {
#ifdef TENON_TWIN
  a.save("listing.txt");
#else
  // CHECK: tenon-E040: code of format 'listing' cannot be linked, it can be saved: it is for people to read
  tn::link(a);
#endif
}
