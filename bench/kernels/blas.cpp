// Products of f32 on one thread beside OpenBLAS and beside the peak of multiply-adds that is measured in the same run:
// the shapes of the models, and squares; the right operand a constant, or data. OpenBLAS is opened where it is
// installed (Debian's libopenblas0-pthread); its kernels for AVX-512 are chosen where the processor has that, unless
// OPENBLAS_CORETYPE says others.
//   ctest --test-dir build/gcc -L bench -R kernels.blas -V
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <unistd.h>

#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

#include "least.hpp"
#include "peaks.hpp"

using namespace tenon;

namespace {

using sgemm_t = void (*)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float* a, int lda,
                         const float* b, int ldb, float beta, float* c, int ldc);

/// Versions of OpenBLAS that are older than the processor take it for one without AVX-512. The choice is made where the
/// process begins.
void choose_kernels(char** arguments) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx512f") || std::getenv("OPENBLAS_CORETYPE") != nullptr) return;
  ::setenv("OPENBLAS_CORETYPE", "SKYLAKEX", 1);
  ::execv("/proc/self/exe", arguments);
#endif
}

/// Null where there is no OpenBLAS.
sgemm_t open_blas() {
  void* const library = ::dlopen("libopenblas.so.0", RTLD_NOW);
  if (library == nullptr) return nullptr;
  if (void* f = ::dlsym(library, "openblas_set_num_threads")) reinterpret_cast<void (*)(int)>(f)(1);
  if (void* f = ::dlsym(library, "openblas_get_corename"))
    std::printf("OpenBLAS with kernels for %s\n", reinterpret_cast<const char* (*)()>(f)());
  return reinterpret_cast<sgemm_t>(::dlsym(library, "cblas_sgemm"));
}

tensor numbers(const std::vector<i64>& shape) {
  tensor t(dtype::f32, shape);
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i * 7919 % 255 - 127) / 128);
  return t;
}

program product(const tensor& b, i64 m, bool constant) {
  ir_module<phases::ingestion> graph;
  ir::module& g = graph.body();
  const i64 k = b.shape()[0], n = b.shape()[1];
  std::vector<type_id> types{g.intern(ir::type::tensor(dtype::f32, {m, k}))};
  if (!constant) types.push_back(g.intern(ir::type::tensor(dtype::f32, {k, n})));
  const function_id f = g.add_function("main", ir::function_kind::graph, types);
  g[f].entry = true;
  ir::builder<phases::ingestion::op_list> to(g, g[f].body);
  const value_id x = g[g[f].body].arguments[0];
  const value_id w = constant ? to.make(op::constant{g.add_constant(b)}, {}) : g[g[f].body].arguments[1];
  const value_id y = to.make(op::matmul{}, {x, w});
  to.make_op(op::return_{}, {&y, 1}, {});
  g[f].result_types = {g[y].type};
  return load(build<targets::cpu>(std::move(graph)));
}

struct line {
  i64 m, k, n;
  const char* whose;
};

}  // namespace

int main(int, char** arguments) {
  choose_kernels(arguments);
  const sgemm_t sgemm = open_blas();
  if (sgemm == nullptr) std::printf("no OpenBLAS: libopenblas.so.0 is not installed\n");
  const double peak = tool::measure_peaks(1).gflops;
  std::printf("peak %.0f GFLOP/s\n", peak);
  std::printf("%-16s %-14s %9s %9s %9s   %s\n", "m x k x n", "of", "constant", "data", "OpenBLAS",
              "GFLOP/s; constant and data: share of the peak, times OpenBLAS");
  const line lines[] = {
      {256, 256, 256, "square"},       {512, 512, 512, "square"},       {1024, 1024, 1024, "square"},
      {2048, 2048, 2048, "square"},    {128, 768, 768, "bert_base"},    {128, 768, 3072, "bert_base"},
      {128, 3072, 768, "bert_base"},   {1500, 384, 384, "whisper"},     {1500, 384, 1536, "whisper"},
      {1500, 1536, 384, "whisper"},    {197, 192, 768, "vit_tiny"},     {197, 768, 192, "vit_tiny"},
      {64, 768, 2304, "gpt2_prefill"}, {64, 768, 3072, "gpt2_prefill"}, {64, 3072, 768, "gpt2_prefill"},
      {3136, 64, 256, "resnet50"},     {784, 512, 128, "resnet50"},     {196, 1024, 256, "resnet50"},
      {49, 512, 2048, "resnet50"},     {1, 768, 3072, "gpt2_decode"},   {1, 2048, 8192, "llama"},
      {64, 64, 4096, "point cloud"}};
  for (const line& l : lines) {
    const tensor a = numbers({l.m, l.k}), b = numbers({l.k, l.n});
    const program fixed = product(b, l.m, true), open = product(b, l.m, false);
    const std::vector<tensor> one{a}, two{a, b};
    std::vector<tensor> y{tensor(dtype::f32, {l.m, l.n})};
    std::vector<std::function<void()>> runs{[&] { fixed.run_into(one, y, 1); }, [&] { open.run_into(two, y, 1); }};
    if (sgemm != nullptr)
      runs.push_back([&] {
        constexpr int row_major = 101, as_it_is = 111;
        const int m = static_cast<int>(l.m), k = static_cast<int>(l.k), n = static_cast<int>(l.n);
        sgemm(row_major, as_it_is, as_it_is, m, n, k, 1, a.data<float>().data(), k, b.data<float>().data(), n, 0,
              static_cast<float*>(y[0].data()), n);
      });
    const std::vector<double> us = least_us(runs);
    const double operations = 2e-3 * static_cast<double>(l.m * l.k * l.n);
    const double c = operations / us[0], d = operations / us[1], o = us.size() > 2 ? operations / us[2] : 0;
    const std::string shape = std::to_string(l.m) + "x" + std::to_string(l.k) + "x" + std::to_string(l.n);
    std::printf("%-16s %-14s %9.1f %9.1f %9.1f   ", shape.c_str(), l.whose, c, d, o);
    std::printf("%3.0f %% %3.0f %%", 100 * c / peak, 100 * d / peak);
    if (o > 0) std::printf("  %.2f %.2f", c / o, d / o);
    std::printf("\n");
  }
}
