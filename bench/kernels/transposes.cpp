// Transposes in f32 on one thread, as they stand in models: least time of some runs, and bytes read and written a
// second.
//   ctest --test-dir build/gcc -L bench -R kernels.transposes -V
#include <cstdio>
#include <vector>

#include <tenon/importers/graph.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

#include "least.hpp"

using namespace tenon;

namespace {

void transpose(const char* what, const std::vector<i64>& shape, const std::vector<i64>& permutation,
               const std::vector<nn::extent>& names = {}) {
  nn::graph g("transpose");
  const nn::variable x =
      g.input<float>("x", names.empty() ? std::vector<nn::extent>(shape.begin(), shape.end()) : names);
  g.output("y", g.make(op::transpose{permutation}, {x}));
  targets::cpu target;
  target.threads = 1;
  const program p = load(build<targets::cpu>(std::move(g).finish(), target));
  const tensor input(dtype::f32, shape);
  const double best = least_us(p, {&input, 1});
  std::printf("%-40s %9.1f us %7.1f GB/s\n", what, best, static_cast<double>(input.size()) * 8 / best / 1e3);
}

}  // namespace

int main() {
  transpose("1024 x 1024", {1024, 1024}, {1, 0});
  transpose("512 channels of 400 to channels last", {1, 512, 400}, {0, 2, 1});
  transpose("56 x 56 x 256 to planes", {1, 56, 56, 256}, {0, 3, 1, 2});
  transpose("heads: 128 x 12 x 64 to 12 x 64 x 128", {128, 12, 64}, {1, 2, 0});
  transpose("shuffle of 28 x 28 x (2 x 58) channels", {28, 28, 2, 58}, {0, 1, 3, 2});
  transpose("192 planes of 32 x 32, sizes of a run", {1, 192, 32, 32}, {0, 2, 3, 1}, {"b", 192, "h", "w"});
  transpose("3 planes of 224 x 224 to pixels", {1, 3, 224, 224}, {0, 2, 3, 1});
}
