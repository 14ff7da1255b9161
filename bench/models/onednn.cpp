// Models by oneDNN's convolutions beside native code, and by native code alone: the least processor
// time of some runs of each, in turns, on one thread; with Winograd's algorithm, and without, where oneDNN gets all
// convolutions but those of one tap, which are products; and these too, so that it computes all.
//   tenon_bench_onednn MODEL…      models whose shapes are known
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include <tenon/definitions/onednn.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/ir/artifact_calls.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/random_tensor.hpp>
#include <tenon/targets/cpu_with.hpp>
#include <tenon/targets/onednn.hpp>

using namespace tenon;

namespace {

using beside = targets::cpu_with<"cpu_onednn", targets::onednn>;
using all_by_it = targets::cpu_with<"cpu_onednn_all", targets::onednn, targets::onednn_products>;

struct measured {
  const char* name;
  program p;
  double best = 1e9;
};

template <class Target>
measured make(const char* name, const std::string& path, targets::winograd w, size_t* calls = nullptr) {
  Target t;
  t.threads = 1, t.winograd = w;
  const auto built = build<Target>(importers::onnx::load(path), t);
  if (calls != nullptr) *calls = ir::artifact_calls(built.body()).size();
  return {name, load(built.body(), external_formats<targets::onednn>())};
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    using enum targets::winograd;
    size_t some = 0, most = 0, all = 0;
    measured by[] = {make<targets::cpu>("cpu", arguments[i], on),
                     make<targets::cpu>("cpu, no Winograd", arguments[i], off),
                     make<beside>("cpu + oneDNN", arguments[i], on, &some),
                     make<beside>("cpu + oneDNN, no Winograd", arguments[i], off, &most),
                     make<all_by_it>("cpu + oneDNN, all by it", arguments[i], off, &all)};
    std::vector<tensor> inputs;
    for (const port& p : by[0].p.inputs()) inputs.push_back(random_tensor(p.type, p.shape, 1));
    const std::vector<tensor> want = by[0].p.run(inputs, 1);
    std::printf("%s: %zu calls of oneDNN, %zu without Winograd, %zu with products\n", arguments[i], some, most, all);
    for (int run = 0; run < 30; ++run)
      for (measured& m : by) {
        const std::clock_t start = std::clock();
        const std::vector<tensor> got = m.p.run(inputs, 1);
        m.best = std::min(m.best, static_cast<double>(std::clock() - start) * 1e3 / CLOCKS_PER_SEC);
        if (run == 0 && !compare(got[0], want[0], {1e-3, 1e-3, 1e-3}).ok) std::printf("  %s: other results\n", m.name);
      }
    for (const measured& m : by) std::printf("  %-28s %8.2f ms\n", m.name, m.best);
  }
}
