// Two tensors that are scanned together, of which one has another number of parts.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
using other = nn::typed<float, "n", 3>;
#else
using other = nn::typed<float, "m", 3>;
#endif
auto dots(nn::graph& g, const nn::typed<float, "n", 3>& x, const other& y, const nn::typed<float, 3>& zero) {
  // CHECK: tenon-E080: 'scan': f32[n, 3] and f32[m, 3] are not scanned together: they need as many parts: n and m
  return g.scan(std::pair{x, y}, zero, [](const auto& sum, const auto& p) {
    return std::pair{sum + p.first * p.second, sum};
  });
}
