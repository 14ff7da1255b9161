// A layer whose weight does not fit: its bias, which would have fitted, is no second mistake.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
constexpr int rows = 784;
#else
constexpr int rows = 700;
#endif
auto scores(nn::graph& g, nn::typed<float, "N", 784> x, const tenon::tensor& weights, const tenon::tensor& bias) {
  // CHECK: tenon-E080: 'dense': f32[N, 784] and f32[700, 10] have no product: columns of the first and rows of the second differ: 784 and 700
  // CHECK-NOT: error: {{.*}}tenon-E080
  return relu(dense(x, nn::constant<float, rows, 10>(g, weights), nn::constant<float, 10>(g, bias)));
}
