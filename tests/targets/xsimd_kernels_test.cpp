// needs: xsimd
// also with: TENON_XSIMD=avx2 TENON_XSIMD=sse2
// Kernels of xsimd on panels that were packed for other vectors, as a program file of another processor has them.
#include <doctest/doctest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <vector>

#include <tenon/targets/xsimd/kernel_table.hpp>

using namespace tenon;

namespace {

/// Floats whose end is that of what may be read.
struct at_the_end {
  explicit at_the_end(size_t count) {
    const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    bytes = (count * sizeof(float) + page - 1) / page * page + page;
    block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(block != MAP_FAILED);
    char* const end = static_cast<char*>(block) + bytes - page;
    REQUIRE(::mprotect(end, page, PROT_NONE) == 0);
    begin = reinterpret_cast<float*>(end) - count;
  }
  at_the_end(const at_the_end&) = delete;
  at_the_end& operator=(const at_the_end&) = delete;
  ~at_the_end() { ::munmap(block, bytes); }
  void* block;
  size_t bytes;
  float* begin;
};

}  // namespace

TEST_CASE("products read no further than their panel, however wide it was packed") {
  const xsimd_kernels::kernel_table& k = xsimd_kernels::kernels();
  for (const i64 width : {4, 8, 12, 16, 24, 40, 56})
    for (const i64 rows : {1, 3, 4, 7, 15}) {
      const i64 depth = 5, columns = width - 1, none = 0;
      const at_the_end panel(static_cast<size_t>(depth * width));
      for (i64 i = 0; i < depth * width; ++i)
        panel.begin[i] = i % width < columns ? std::sin(static_cast<float>(i)) : 0.f;
      std::vector<float> image(static_cast<size_t>(rows * depth)), bias(static_cast<size_t>(columns)),
          out(static_cast<size_t>(rows * columns), -1.f);
      for (size_t i = 0; i < image.size(); ++i) image[i] = std::cos(static_cast<float>(i));
      for (size_t i = 0; i < bias.size(); ++i) bias[i] = static_cast<float>(i);
      std::vector<const float*> at;
      for (i64 r = 0; r < rows; ++r) at.push_back(image.data() + r * depth);
      k.gemm({at.data(), rows, &none, 1, depth, panel.begin, width, columns, bias.data(), out.data(), columns});
      for (i64 r = 0; r < rows; ++r)
        for (i64 c = 0; c < columns; ++c) {
          double sum = bias[static_cast<size_t>(c)];
          for (i64 d = 0; d < depth; ++d)
            sum += double{at[static_cast<size_t>(r)][d]} * double{panel.begin[d * width + c]};
          CHECK(std::abs(sum - double{out[static_cast<size_t>(r * columns + c)]}) < 1e-5);
        }
    }
}

TEST_CASE("depthwise convolutions read no further than their last tap; runs of taps are summed as single ones") {
  const xsimd_kernels::kernel_table& k = xsimd_kernels::kernels();
  for (const i64 channels : {k.lanes, 24, 37})
    for (const i64 run : {3, 5})
      for (const i64 stride : {1, 2})
        for (const i64 count : {1, 2, 5, 7, 8, 15}) {
          const i64 width = (count - 1) * stride + run, lines = 2;
          const at_the_end image(static_cast<size_t>(lines * width * channels)),
              weight(static_cast<size_t>(lines * run * channels)), by_runs(static_cast<size_t>(count * channels));
          for (i64 i = 0; i < lines * width * channels; ++i) image.begin[i] = std::sin(static_cast<float>(i));
          for (i64 i = 0; i < lines * run * channels; ++i) weight.begin[i] = std::cos(static_cast<float>(i));
          std::vector<float> by_taps(static_cast<size_t>(count * channels));
          std::vector<i64> taps;
          for (i64 l = 0; l < lines; ++l)
            for (i64 t = 0; t < run; ++t) taps.push_back((l * width + t) * channels);
          const auto compute = [&](i64 together, float* to) {
            k.depthwise({image.begin, stride * channels, count, taps.data(), lines * run, together, weight.begin,
                         nullptr, to, channels, channels});
          };
          compute(run, by_runs.begin), compute(1, by_taps.data());
          CHECK(std::memcmp(by_runs.begin, by_taps.data(), by_taps.size() * sizeof(float)) == 0);
          double sum = 0;  // the last channel of the last output
          for (i64 l = 0; l < lines; ++l)
            for (i64 t = 0; t < run; ++t)
              sum += double{image.begin[(l * width + (count - 1) * stride + t) * channels + channels - 1]} *
                     double{weight.begin[(l * run + t) * channels + channels - 1]};
          CHECK(std::abs(sum - double{by_taps.back()}) < 1e-5);
        }
}

TEST_CASE("steps in registers give what single functions give, bit by bit, and keep what is asked for") {
  using f = loop::scalar_fn;
  const xsimd_kernels::kernel_table& k = xsimd_kernels::kernels();
  const std::vector<float> values{0.f, -0.f, 1.f, -1.f, 3.f, 1e-40f, 3e38f, INFINITY, -INFINITY, NAN};
  std::vector<float> x, y;
  for (float a : values)
    for (float b : values) x.push_back(a), y.push_back(b);
  x.resize(112, 2.f), y.resize(112, 5.f);  // whole vectors; not as many as go together
  const i64 n = static_cast<i64>(x.size());
  std::vector<float> first(x.size()), kept(x.size()), last(x.size()), want(x.size()), end(x.size());
  const auto same = [](const std::vector<float>& a, const std::vector<float>& b) {
    for (size_t i = 0; i < a.size(); ++i)
      if (std::isnan(a[i]) ? !std::isnan(b[i]) : std::memcmp(&a[i], &b[i], sizeof(float)) != 0) return false;
    return true;
  };
  for (const f fn : {f::add, f::sub, f::mul, f::div, f::min, f::max})
    for (const f then : {f::add, f::sub, f::mul, f::div, f::min, f::max})
      for (const bool second : {false, true})
        for (const bool number : {false, true}) {
          CAPTURE(static_cast<int>(fn));
          CAPTURE(static_cast<int>(then));
          CAPTURE(second);
          const std::vector<float> by(x.size(), y[37]);
          const std::vector<float>& with = number ? by : y;
          const auto one = [&](f g, float* to, const float* a, const float* b) {
            second ? k.elementwise(g, to, b, a, nullptr, n) : k.elementwise(g, to, a, b, nullptr, n);
          };
          one(fn, want.data(), x.data(), with.data());
          one(then, end.data(), want.data(), y.data());
          k.elementwise(f::mul, first.data(), end.data(), end.data(), nullptr, n);
          const xsimd_kernels::running_step steps[] = {{fn, number ? &y[37] : y.data(), number, second, kept.data()},
                                                       {then, y.data(), false, second, nullptr},
                                                       {f::mul, nullptr, false, false, last.data()}};
          k.running(x.data(), steps, 3, n);
          CHECK(same(want, kept));
          CHECK(same(first, last));
        }
}

TEST_CASE("functions are right up to the ends of their range") {
  using f = loop::scalar_fn;
  std::vector<float> x{0.f,    -0.f,  1.f,    -1.f,   1e-7f, 87.5f, 88.f,   88.37f,
                       88.38f, 88.5f, 88.72f, 88.73f, 89.f,  1e5f,  3.4e38f};
  for (float v = -87.f; v < 89.f; v += .37f) x.push_back(v);
  for (float v = 1e-44f; v < 1e-4f; v *= 1.7f) x.push_back(v), x.push_back(-v);
  x.push_back(INFINITY), x.push_back(-INFINITY), x.push_back(NAN);
  const size_t n = x.size();
  x.resize(n + 64);
  const std::vector<std::pair<f, double (*)(double)>> functions{
      {f::exp, [](double v) { return std::exp(v); }},   {f::log, [](double v) { return std::log(v); }},
      {f::tanh, [](double v) { return std::tanh(v); }}, {f::erf, [](double v) { return std::erf(v); }},
      {f::sqrt, [](double v) { return std::sqrt(v); }}, {f::sigmoid, [](double v) { return 1 / (1 + std::exp(-v)); }}};
  for (const auto& [fn, exact] : functions) {
    std::vector<float> y(n + 64);
    xsimd_kernels::kernels().elementwise(fn, y.data(), x.data(), x.data(), x.data(), static_cast<i64>(n));
    for (size_t i = 0; i < n; ++i) {
      const float want = static_cast<float>(exact(double{x[i]}));
      CAPTURE(static_cast<int>(fn));
      CAPTURE(x[i]);
      if (!std::isfinite(want)) CHECK((std::isnan(want) ? std::isnan(y[i]) : y[i] == want));
      else CHECK(std::abs(y[i] - want) <= 2e-6f * std::abs(want) + 3e-45f);
    }
  }
}
