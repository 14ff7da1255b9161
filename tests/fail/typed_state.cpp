// A loop whose body gives another shape than it takes: the state grows with each run.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

auto grown(nn::graph& g, const nn::typed<float, "N", 4>& x) {
#ifdef TENON_TWIN
  const auto body = [](const auto&, const auto& s) { return s + s; };
#else
  const auto body = [](const auto&, const auto& s) { return nn::concat<1>(s, s); };
#endif
  // CHECK: tenon-E080: 'repeat': f32[N, 4] and f32[N, 8] are the state before a run and after it: a state keeps its extents; what each run adds is stacked by scan
  return g.repeat(3, x, body);
}
