// Images with a border of zeros, whose memory stands beside a page that cannot be read, as the first bytes of a mapping
// do: rows outside of the image must cost nothing there. Least time of some runs on one thread, beside the same
// computation within memory.
//   ctest --test-dir build/gcc -L bench -R kernels.borders -V
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include <tenon/importers/graph.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

#include "least.hpp"

using namespace tenon;

namespace {

/// A tensor of ones, whose first byte follows `before` bytes that can be read.
tensor ones_after(size_t before, const std::vector<i64>& shape) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t bytes = static_cast<size_t>(element_count(shape)) * sizeof(float);
  const size_t all = page + before + (bytes + page - 1) / page * page;
  char* block = static_cast<char*>(mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(block + page, all - page, PROT_READ | PROT_WRITE);
  float* first = reinterpret_cast<float*>(block + page + before);
  std::fill(reinterpret_cast<float*>(block + page), first + element_count(shape), 1.0F);
  const std::shared_ptr<const void> owner(block, [all](const void* p) { munmap(const_cast<void*>(p), all); });
  return tensor::view(dtype::f32, shape, first, owner);
}

}  // namespace

int main() {
  for (const i64 channels : {40, 200}) {
    nn::graph g("borders");  // of any number of rows, as the depthwise convolutions of a model for pictures of any size
    const nn::variable x = g.input<float>("x", {"H", 24, channels});
    g.output("y", g.make(op::pad{.before = {2, 2}, .after = {2, 2}, .axes = {0, 1}}, {x}));
    const program p = load(build<targets::cpu>(std::move(g).finish()));
    const std::vector<i64> shape{12, 24, channels};
    const tensor at_edge = ones_after(0, shape), inside = ones_after(size_t{1} << 20, shape);
    const double beside = least_us(p, {&at_edge, 1}), within = least_us(p, {&inside, 1});
    std::printf("12x24x%-3ld beside a page that cannot be read %8.2f us, within memory %8.2f us: %.2f times\n",
                static_cast<long>(channels), beside, within, beside / within);
  }
}
