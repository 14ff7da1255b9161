// The logarithm of integers: nothing is converted in silence.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
using numbers = nn::typed<float, "n">;
#else
using numbers = nn::typed<tenon::i64, "n">;
#endif
auto logarithm(const numbers& x) {
  // CHECK: tenon-E080: 'log': i64[n] has elements that it does not take
  return log(x);
}
