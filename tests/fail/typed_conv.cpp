// A convolution whose kernel has other channels than the image.
#include <tenon/importers/typed_graph.hpp>

namespace nn = tenon::nn;

#ifdef TENON_TWIN
using kernel = nn::typed<float, 8, 3, 5, 5>;
#else
using kernel = nn::typed<float, 8, 4, 5, 5>;
#endif
auto features(const nn::typed<float, "N", 3, 32, 32>& image, const kernel& w) {
  // CHECK: tenon-E080: 'conv': f32[N, 3, 32, 32] and f32[8, 4, 5, 5] have no convolution: channels of the image and of the weight differ: 3 and 4
  return conv<nn::sliding{.stride = 2}>(image, w);
}
