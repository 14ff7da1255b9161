// needs: xsimd
// Sessions of several threads: one each, which share what the process has: tables of ops and texts, the pool of
// threads.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/targets/xsimd_session.hpp>

#include "importers/onnx_builder.hpp"

using namespace tenon;

namespace {

std::string model_bytes() {
  using namespace onnx_builder;
  return model{.nodes = {node("MatMul", {"x", "w"}, {"c"}), node("Relu", {"c"}, {"r"}), node("Shape", {"r"}, {"s"}),
                         node("Reshape", {"r", "s"}, {"y"})},
               .inputs = {onnx_builder::value("x", {-1, 2})},
               .outputs = {onnx_builder::value("y", {-1, 2})},
               .initializers = {initializer<float>("w", {2, 2}, {1, 2, 3, 4})}}
      .text();
}

}  // namespace

TEST_CASE("sessions in many threads compile and run at once") {
  const std::string bytes = model_bytes();  // the model's constants are views of it
  const importers::onnx::model m = importers::onnx::decode_model(bytes, nullptr, "m");
  targets::register_xsimd_target();
  const char* const names[] = {"interpreter", "xsimd"};
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  const int count = 4;
  for (int t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      try {
        for (i64 n = 1; n <= 5; ++n) {
          session s(m, {.target = names[t % 2], .threads = 2});
          tensor x(dtype::f32, {n, 2});
          for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, static_cast<double>(i + t));
          const tensor y = s.run(std::vector<tensor>{x}).at(0);
          const double last = static_cast<double>(2 * (2 * n - 2 + t) + 4 * (2 * n - 1 + t));
          right += y.at_f64(y.size() - 1) == last ? 1 : 0;
        }
      } catch (const error& e) { MESSAGE(e.what()); }
    });
  for (std::thread& t : threads) t.join();
  CHECK(right == count * 5);
}
