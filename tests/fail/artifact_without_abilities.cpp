// A format says what can be done with its code.
#include <tenon/artifact.hpp>

namespace tn = tenon;

struct listing {
  static constexpr tn::fixed_string name = "listing";
  static constexpr tn::fixed_string advice = "it is for people to read";
#ifdef TENON_TWIN
  using abilities = tn::abilities<tn::can::save>;
#endif
};
// GCC: error: template constraint failure for {{.*}}artifact_format<Format>
// CLANG: error: constraints not satisfied for class template 'artifact' [with Format = listing]
void keep(const tn::artifact<listing>& a);
