// Parts that are not all of a tensor.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
constexpr int rest = 6;
#else
constexpr int rest = 5;
#endif
auto heads(const nn::typed<float, "N", 8>& x) {
  // CHECK: tenon-E080: 'split': f32[N, 8] is not cut so: the part is no part of it
  return nn::split<1, 2, rest>(x);
}
