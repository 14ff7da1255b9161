// A number added to a tensor of bools.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
using element = float;
#else
using element = bool;
#endif
auto made(const nn::typed<element, "N", 8>& x) {
  // CHECK: tenon-E080: '+': bool[N, 8] has elements that it does not take
  return x + 1;
}
