// The sum of a batch of images and a batch of another size: two names are two extents.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
using other = nn::typed<float, "N", 1, 8>;
#else
using other = nn::typed<float, "M", 1, 8>;
#endif
auto sum(const nn::typed<float, "N", 3, 8>& a, const other& b) {
  // CHECK: tenon-E080: '+': f32[N, 3, 8] and f32[M, 1, 8] do not broadcast: N and M
  return a + b;
}
