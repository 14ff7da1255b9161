// A function that says of two tensors that they are as long as one another, given two of different lengths.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
using bias = nn::typed<float, "N">;
#else
using bias = nn::typed<float, "M">;
#endif
auto called(nn::graph& g, const nn::typed<float, 8, "N">& x, const bias& b) {
  const auto add = g.function("add", {"x", "b"}, [](nn::typed<float, 8, "n"> x, nn::typed<float, "n"> b) {
    return x + b;
  });
  // CHECK: tenon-E080: 'call': f32[n] and f32[M] are what a function takes and what it is given: the name is another extent already: N and M
  return add(x, b);
}
