// Models by kernels of libraries beside native code, and by native code alone: the least processor time of some runs of
// each, in turns, on one thread. xsimd's kernels take whatever they match; oneDNN's, where it is installed,
// convolutions that are not computed by Winograd's algorithm; without that all convolutions but those of one tap, which
// are products; and these too, so that it computes all.
//   tenon_bench_beside MODEL…      models whose shapes are known
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include <tenon/importers/onnx.hpp>
#include <tenon/ir/artifact_calls.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/random_tensor.hpp>
#include <tenon/targets/cpu_with.hpp>
#include <tenon/targets/xsimd.hpp>
#ifdef TENON_HAS_ONEDNN
#  include <tenon/definitions/onednn.hpp>
#  include <tenon/targets/onednn.hpp>
#endif

using namespace tenon;

namespace {

using by_xsimd = targets::cpu_with<"cpu_xsimd", targets::xsimd>;
#ifdef TENON_HAS_ONEDNN
using by_onednn = targets::cpu_with<"cpu_onednn", targets::onednn>;
using all_by_it = targets::cpu_with<"cpu_onednn_all", targets::onednn, targets::onednn_products>;
#endif

struct measured {
  std::string name;
  size_t calls;  ///< of external code
  program p;
  double best = 1e9;
};

template <class Target, class... Libraries>
measured make(const char* name, const std::string& path, targets::winograd w) {
  Target t;
  t.threads = 1, t.winograd = w;
  const auto built = build<Target>(importers::onnx::load(path), t);
  return {name, ir::artifact_calls(built.body()).size(), load(built.body(), external_formats<Libraries...>())};
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    using enum targets::winograd;
    const std::string path = arguments[i];
    std::vector<measured> by;
    by.push_back(make<targets::cpu>("cpu", path, on));
    by.push_back(make<targets::cpu>("cpu, no Winograd", path, off));
    by.push_back(make<by_xsimd, targets::xsimd>("cpu + xsimd", path, on));
    by.push_back(make<by_xsimd, targets::xsimd>("cpu + xsimd, no Winograd", path, off));
#ifdef TENON_HAS_ONEDNN
    by.push_back(make<by_onednn, targets::onednn>("cpu + oneDNN", path, on));
    by.push_back(make<by_onednn, targets::onednn>("cpu + oneDNN, no Winograd", path, off));
    by.push_back(make<all_by_it, targets::onednn>("cpu + oneDNN, all by it", path, off));
#endif
    std::vector<tensor> inputs;
    for (const port& p : by[0].p.inputs()) inputs.push_back(random_tensor(p.type, p.shape, 1));
    const std::vector<tensor> want = by[0].p.run(inputs, 1);
    std::printf("%s\n", path.c_str());
    for (int run = 0; run < 30; ++run)
      for (measured& m : by) {
        const std::clock_t start = std::clock();
        const std::vector<tensor> got = m.p.run(inputs, 1);
        m.best = std::min(m.best, static_cast<double>(std::clock() - start) * 1e3 / CLOCKS_PER_SEC);
        if (run == 0 && !compare(got[0], want[0], {1e-3, 1e-3, 1e-3}).ok)
          std::printf("  %s: other results\n", m.name.c_str());
      }
    for (const measured& m : by)
      std::printf("  %-28s %8.2f ms  %3zu calls of a library\n", m.name.c_str(), m.best, m.calls);
  }
}
