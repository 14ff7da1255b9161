// needs: llvm
// Native code on a caller's pool, stopped between and within kernels, and one session in many threads: constants are in
// memory once.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/cpu.hpp>

#include "importers/onnx_builder.hpp"
#include "support/caught.hpp"

using namespace tenon;
using tenon::testing::code_of;

namespace {

constexpr i64 width = 64;

/// Some products, each a kernel of its own: y = x * w * w * …, where w exchanges neighbours, so that two give x again.
std::string chain(int products, i64 rows) {
  using namespace onnx_builder;
  std::vector<float> w(width * width, 0.0f);
  for (size_t i = 0; i < width; ++i) w[i * width + (i ^ 1)] = 1;
  model m{.inputs = {onnx_builder::value("x", {rows, width})}, .outputs = {onnx_builder::value("y", {rows, width})}};
  m.initializers = {
      importers::onnx::encode_tensor(tensor::from<float>({width, width}, std::span<const float>(w)), "w")};
  for (int i = 0; i < products; ++i) {
    const std::string from = i == 0 ? "x" : "t" + std::to_string(i), to = "p" + std::to_string(i);
    m.nodes.push_back(node("MatMul", {from, "w"}, {to}));
    // A sum over rows between: nothing joins two products into a kernel.
    m.nodes.push_back(node("Softmax", {to}, {"s" + std::to_string(i)}));
    m.nodes.push_back(
        node("Add", {to, "s" + std::to_string(i)}, {i + 1 == products ? "y" : "t" + std::to_string(i + 1)}));
  }
  return m.text();
}
session session_of(const std::string& bytes) {
  targets::register_cpu_target();
  return session(importers::onnx::decode_model(bytes, nullptr, "m"), {.target = "cpu:threads=2", .threads = 2});
}
tensor counted(i64 rows) {
  tensor x(dtype::f32, {rows, width});
  for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, static_cast<double>(i % 7));
  return x;
}

/// Runs tasks here, counts loops and pieces, and asks to stop at one of them.
struct watching_pool final : loop_pool {
  int threads() const noexcept override { return 2; }
  void run(int count, void (*task)(void*, int), void* context) noexcept override {
    ++loops, last = pieces;
    for (int i = 0; i < count; ++i, ++pieces) {
      if (stop != nullptr && pieces == stop_at) stop->request();
      task(context, i);
    }
  }
  int loops = 0, pieces = 0, stop_at = -1;
  int last = 0;  ///< the piece with which the last loop began
  stop_flag* stop = nullptr;
};

/// Bytes of this process that no file stands for.
i64 anonymous_bytes() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("RssAnon:")) return std::atoll(line.c_str() + 8) * 1024;
  return -1;
}

}  // namespace

TEST_CASE("native code runs its loops on the caller's pool, and stops where it is asked to") {
  const std::string bytes = chain(6, 512);
  session s = session_of(bytes);
  const std::vector<tensor> x = {counted(512)};
  const tensor expected = s.run(x)[0];
  watching_pool all;
  CHECK(same_bits(s.run(x, {.pool = &all})[0], expected));
  REQUIRE(all.loops >= 6);
  for (int at = 0; at < all.pieces; at += 3) {
    stop_flag stop;
    watching_pool some;
    some.stop = &stop, some.stop_at = at;
    CHECK(code_of([&] { s.run(x, {.pool = &some, .stop = &stop}); }) == "program.stopped");
    // The loop that it was asked in ends, and no other begins.
    CHECK(some.pieces <= at + 8);
    CHECK(some.loops <= all.loops);
  }
  CHECK(same_bits(s.run(x)[0], expected));
}

TEST_CASE("within a kernel, pieces that begin behind the request are left out") {
  const std::string bytes = chain(1, 512);
  session s = session_of(bytes);
  const std::vector<tensor> x = {counted(512)};
  const program* code = s.prepare(x).native();
  REQUIRE(code != nullptr);
  watching_pool all;
  code->run(x, {.pool = &all});
  stop_flag stop;
  watching_pool some;
  some.stop = &stop, some.stop_at = all.last + 1;
  tensor y(dtype::f32, {512, width});
  for (i64 i = 0; i < y.size(); ++i) y.set_f64(i, -7);
  std::vector<tensor> outputs = {y};
  CHECK(code_of([&] { code->run_into(x, outputs, {.pool = &some, .stop = &stop}); }) == "program.stopped");
  CHECK(outputs[0].at_f64(0) != -7);
  CHECK(outputs[0].at_f64(outputs[0].size() - 1) == -7);
}

TEST_CASE("a request from another thread ends a run on the process's pool, and of one thread") {
  const std::string bytes = chain(8, 2048);
  session s = session_of(bytes);
  const std::vector<tensor> x = {counted(2048)};
  s.prepare(x);
  for (int threads : {1, 2}) {
    stop_flag stop;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      stop.request();
    });
    std::string code = "none";
    while (code == "none") code = code_of([&] { s.run(x, {.threads = threads, .stop = &stop}); });
    other.join();
    CHECK(code == "program.stopped");
  }
}

TEST_CASE("one session in many threads: each run is right, code is made once, constants are in memory once") {
  const std::string bytes = chain(4, -1);
  session s = session_of(bytes);
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (i64 rows = 1 + t; rows < 40; rows += 4) {
        const named_tensors y = s.run_named({{"x", counted(rows)}});
        const tensor again = s.run(std::vector<tensor>{counted(rows)})[0];
        right += same_bits(y.at("y"), again) && again.shape()[0] == rows ? 1 : 0;
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(right == 40 - 1);
  CHECK(s.compilations() == 1);
  CHECK(code_of([&] { s.run_named({{"z", counted(1)}}); }) == "program.name");
  const error unknown = testing::caught([&] { s.run_named({{"x", counted(1)}}).at("Y"); });
  CHECK(unknown.code() == "program.name");
  CAPTURE(unknown.what());
  CHECK(unknown.hint() == "did you mean 'y'?");
}

TEST_CASE("a program file that is opened again and again has its constants in memory once, as pages of the file") {
  using namespace onnx_builder;
  constexpr i64 n = 2048;  // 16 MiB
  std::vector<float> w(static_cast<size_t>(n * n), 0.5f);
  const std::string bytes = model{
      .nodes = {node("MatMul", {"x", "w"}, {"y"})},
      .inputs = {onnx_builder::value("x", {1, n})},
      .outputs = {onnx_builder::value("y", {1, n})},
      .initializers = {importers::onnx::encode_tensor(
          tensor::from<float>({n, n}, std::span<const float>(w)),
          "w")}}.text();
  targets::register_cpu_target();
  const std::string path =
      (std::filesystem::temp_directory_path() / ("tenon_runs_" + std::to_string(getpid()))).string();
  save(path, build<targets::cpu>(importers::onnx::import_model(importers::onnx::decode_model(bytes, nullptr, "m"))));
  tensor x(dtype::f32, {1, n});
  std::vector<program> open;
  open.push_back(program::open(path));
  open[0].run({x});
  const i64 before = anonymous_bytes();
  for (int i = 0; i < 4; ++i) open.push_back(program::open(path)), open.back().run({x});
  const i64 more = anonymous_bytes() - before;
  MESSAGE("4 more programs of 16 MiB of constants: " << more / 1024 << " KiB more");
  CHECK(more < (i64{4} << 20));
  std::remove(path.c_str());
}

TEST_CASE("extents that are never equal broadcast where the sizes of a run make one of them 1") {
  using namespace onnx_builder;
  model m{.inputs = {onnx_builder::value("x", {-1, 4})}, .outputs = {open_value("y")}};
  m.initializers = {importers::onnx::encode_tensor(tensor::from<i64>({1}, {1}), "one"),
                    importers::onnx::encode_tensor(tensor::from<i64>({1}, {100}), "end"),
                    importers::onnx::encode_tensor(tensor::from<i64>({1}, {0}), "axis")};
  m.nodes = {node("Slice", {"x", "one", "end", "axis"}, {"rest"}), node("Sub", {"x", "rest"}, {"y"})};
  const std::string bytes = m.text();
  session s = session_of(bytes);
  const std::vector<tensor> two{tensor::from<float>({2, 4}, {1, 2, 3, 4, 10, 20, 30, 40})},
      three{tensor(dtype::f32, {3, 4})};
  CHECK(compare(s.run(two)[0], tensor::from<float>({2, 4}, {-9, -18, -27, -36, 0, 0, 0, 0})).ok);
  CHECK_THROWS_AS((void)s.run(three), error);
}
