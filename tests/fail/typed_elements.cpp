// Numbers of two element types in one product: nothing is converted in silence.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
using weight = nn::typed<float, 4, 2>;
#else
using weight = nn::typed<double, 4, 2>;
#endif
auto product(const nn::typed<float, "N", 4>& x, const weight& w) {
  // CHECK: tenon-E080: 'matmul': f32[N, 4] and f64[4, 2] have different element types: cast one of them
  return matmul(x, w);
}
