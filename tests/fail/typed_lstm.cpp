// An LSTM whose weights are those of a GRU: three gates where there are four.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
constexpr int gates = 4;
#else
constexpr int gates = 3;
#endif
using weight = nn::typed<float, 8, gates * 16>;
using state_weight = nn::typed<float, 16, gates * 16>;
auto read(const nn::typed<float, "n", 8>& x, const weight& w, const state_weight& r,
          const nn::typed<float, gates * 16>& b) {
  // CHECK: tenon-E080: 'lstm': f32[n, 8] and f32[16, 48] do not fit: the state's weight is [hidden, gates * hidden], and the others have its columns
  return lstm(x, w, r, b);
}
