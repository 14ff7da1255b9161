// A layer whose weight has other rows than the tensor has columns: shapes are in the types.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
constexpr int rows = 128;
#else
constexpr int rows = 100;
#endif
auto scores(nn::graph& g, nn::typed<float, "N", 128> hidden, const tenon::tensor& weights) {
  // CHECK: tenon-E080: 'dense': f32[N, 128] and f32[100, 10] have no product: columns of the first and rows of the second differ: 128 and 100
  return dense(hidden, nn::constant<float, rows, 10>(g, weights));
}
