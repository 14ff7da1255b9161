// A loop whose condition is asked of all elements: it needs to be one bool.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

auto until_large(nn::graph& g, const nn::typed<float, 4>& x) {
#ifdef TENON_TWIN
  const auto small = [](const auto& s) { return less(nn::reduce_max<0>(s), 100); };
#else
  const auto small = [](const auto& s) { return less(s, 100); };
#endif
  // CHECK: tenon-E080: 'repeat_while': bool[4] is no condition: it needs to be one bool
  return g.repeat_while(x, small, [](const auto& s) { return s * 2; });
}
