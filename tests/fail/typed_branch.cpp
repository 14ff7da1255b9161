// Branches that give tensors of different shapes: what follows could fit only one of them.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
using other = nn::typed<float, "N", 4>;
#else
using other = nn::typed<float, "M", 4>;
#endif
auto chosen(nn::graph& g, const nn::typed<bool>& which, const nn::typed<float, "N", 4>& x, const other& y) {
  // CHECK: tenon-E080: 'if_else': f32[N, 4] and f32[M, 4] are what the branches give: they need to be one type
  return g.if_else(which, [&] { return x; }, [&] { return y; });
}
