// A reshape to another number of elements.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
constexpr int columns = 6;
#else
constexpr int columns = 7;
#endif
auto matrix(const nn::typed<float, "N", 4, 3>& x) {
  // CHECK: tenon-E080: 'reshape': f32[N, 4, 3] has another number of elements, or other names
  return nn::reshape<"N", 2, columns>(x);
}
