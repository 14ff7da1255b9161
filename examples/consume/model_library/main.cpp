// Models that are part of the program: typed by their shapes, without heap, files or tenon.
#include <cmath>
#include <cstdio>

#include <classifier.hpp>
#include <portable.hpp>
#include <scorer.hpp>

int main() {
  // [fixed]
  const std::array<float, 3> x = {1, 0.5f, 0.25f};
  std::array<float, 4> classes{}, again{};  // another number of elements does not compile
  if (const auto s = classifier::run(x, classes); s.code != tenon_model_ok) return std::puts(s.message), 1;
  // [end]
  std::printf("classes %.4f %.4f %.4f %.4f\n", static_cast<double>(classes[0]), static_cast<double>(classes[1]),
              static_cast<double>(classes[2]), static_cast<double>(classes[3]));

  static portable::workspace memory;  // several threads: one for each
  if (const auto s = portable::run(x, again, memory); s.code != tenon_model_ok) return std::puts(s.message), 1;
  float difference = 0;
  for (std::size_t i = 0; i < again.size(); ++i) difference = std::fmax(difference, std::fabs(again[i] - classes[i]));
  if (difference < 1e-6f) std::puts("portable agrees");

  float rows[9], weights[9], weighted[9], total[3];
  for (int i = 0; i < 9; ++i) rows[i] = static_cast<float>(i % 3 + 1), weights[i] = 3.5f;
  alignas(64) unsigned char scratch[4096];
  for (const int n : {1, 3}) {
    // [open]
    const auto s = scorer::run(scorer::x_t(rows, n), scorer::weights_t(weights, n), scorer::weighted_t(weighted, n),
                               total, scratch, sizeof scratch);
    if (s.code != tenon_model_ok) return std::puts(s.message), 1;
    // [end]
    std::printf("scores of %d: %.2f\n", n, static_cast<double>(total[0]));
  }
  const auto s = scorer::run(scorer::x_t(rows, 2), scorer::weights_t(weights, 3), scorer::weighted_t(weighted, 2),
                             total, scratch, sizeof scratch);
  std::printf("refused: %s: '%s' has %d, and must have %d\n", s.message, s.name, static_cast<int>(s.given),
              static_cast<int>(s.wanted));
  return s.code == tenon_model_bad_sizes ? 0 : 1;
}
