// A function that is given a weight of another size than its parameter says.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
using weight = nn::typed<float, 8, 8>;
#else
using weight = nn::typed<float, 8, 9>;
#endif
auto called(nn::graph& g, const nn::typed<float, "N", 8>& x, const weight& w) {
  const auto block = g.function("block", {"x", "w"}, [](nn::typed<float, "n", 8> a, nn::typed<float, 8, 8> b) {
    return relu(matmul(a, b));
  });
  // CHECK: tenon-E080: 'call': f32[8, 8] and f32[8, 9] are what a function takes and what it is given: they do not fit: 8 and 9
  return block(x, w);
}
