// needs: llvm
// Code of docs/how_to/: programs and sessions.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include <doctest/doctest.h>

#include <tenon/compile/session.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/host_functions.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

namespace {
constexpr const char* weighted = R"(tenon.module phase=ingestion
func entry @main(%x: tensor<nx3xf32>, %w: tensor<nx3xf32>) -> (tensor<nx3xf32>) inputs("x", "weights") outputs("y") {
  %p = mul(%x, %w) : tensor<nx3xf32>
  return(%p)
}
)";
program compiled() { return load(build<targets::cpu>(parse<phases::ingestion>(weighted))); }
}  // namespace

TEST_CASE("my buffers") {
  const program p = compiled();
  // [buffers]
  alignas(64) float image[6] = {1, 2, 3, 4, 5, 6}, weights[6] = {2, 2, 2, 3, 3, 3}, result[6];
  const tensor inputs[] = {tensor::borrow(dtype::f32, {2, 3}, image), tensor::borrow(dtype::f32, {2, 3}, weights)};
  tensor outputs[] = {tensor::borrow(dtype::f32, {2, 3}, result)};
  p.run_into(inputs, outputs);  // allocates nothing after the first call
  // [end]
  CHECK(result[0] == 2);
  CHECK(result[5] == 18);
}

TEST_CASE("threads") {
  const program p = compiled();
  const tensor x = tensor::from<float>({1, 3}, {1, 2, 3}), w = x;
  // [threads]
  p.run({x, w}, 2);           // this run: on two threads
  set_thread_count(4);        // the process: four, where nothing else is said; 0 goes back to the processors it may use
  const thread_scope one(1);  // this thread, until the end of the block
  const auto y = p.run({x, w});
  // [end]
  CHECK(thread_count() == 1);
  CHECK(y[0].at_f64(2) == 9);
  set_thread_count(0);
}

TEST_CASE("dynamic batch") {
  targets::register_cpu_target();
  // [batch]
  session s(parse<phases::ingestion>(weighted), {.target = "cpu"});  // or importers::onnx::open("model.onnx")
  for (i64 n : {1, 2, 8}) {
    const tensor x(dtype::f32, {n, 3}), w(dtype::f32, {n, 3});
    const std::vector<tensor> y = s.run(std::vector{x, w});  // f32[n,3]
    CHECK(y[0].shape() == std::vector<i64>{n, 3});
  }
  CHECK(s.compilations() == 1);  // one code serves every n; s.reason() says why where it cannot
  // [end]
}

TEST_CASE("programs kept by sessions") {
  targets::register_cpu_target();
  std::string kept = (std::filesystem::temp_directory_path() / "tenonXXXXXX").string();
  REQUIRE(::mkdtemp(kept.data()) != nullptr);
  for (const int compiled : {1, 0}) {
    // [session_cache]
    session s(parse<phases::ingestion>(weighted),
              {.target = "cpu", .cache = kept});  // or program_cache::usual_folder()
    CHECK(s.run(std::vector{tensor(dtype::f32, {2, 3}), tensor(dtype::f32, {2, 3})})[0].shape()[0] == 2);
    CHECK(s.compilations() == compiled);
    // [end]
  }
  std::filesystem::remove_all(kept);
}

TEST_CASE("functions of the program") {
  targets::register_cpu_target();
  const char* const calls = R"(tenon.module phase=ingestion
func entry @main(%x: tensor<nx3xf32>) -> (tensor<nx3xf32>) inputs("x") outputs("y") {
  %a = add(%x, %x) : tensor<nx3xf32>
  %b = call_pure_packed(%a) {function = "mine.clamp"} : tensor<nx3xf32>
  %y = neg(%b) : tensor<nx3xf32>
  return(%y)
})";
  // [host]
  add_host_function("mine.clamp", [](std::span<const tensor> in) {
    tensor y = in[0].clone();
    for (float& v : y.data<float>()) v = v > 6 ? 6 : v;
    return std::vector<tensor>{y};
  });
  session s(parse<phases::ingestion>(calls), {.target = "cpu"});
  const std::vector<tensor> y = s.run(std::vector{tensor::from<float>({1, 3}, {1, 2, 30})});
  // [end]
  CHECK(y[0].at_f64(1) == -4);
  CHECK(y[0].at_f64(2) == -6);
  remove_host_function("mine.clamp");
}

TEST_CASE("inputs by name") {
  const program p = compiled();
  // [names]
  const named_tensors y = p.run_named({
      {"weights", tensor::from<float>({1, 3}, {1, 10, 100})},  // in any order; what is missing or misspelt is named
      {"x", tensor::from<float>({1, 3}, {1, 2, 3})},
  });
  // [end]
  CHECK(y.at("y").at_f64(2) == 300);
}

TEST_CASE("threads of the caller's, and runs that end early") {
  const program p = compiled();
  const std::vector<tensor> inputs = {tensor::from<float>({1, 3}, {1, 2, 3}), tensor::from<float>({1, 3}, {1, 2, 3})};
  // [pool]
  struct my_pool final : loop_pool {  // here: a thread for each task
    int threads() const noexcept override { return 2; }
    void run(int count, void (*task)(void*, int), void* context) noexcept override {
      std::vector<std::thread> all;
      for (int i = 0; i < count; ++i) all.emplace_back(task, context, i);
      for (std::thread& t : all) t.join();
    }
  } pool;
  const std::vector<tensor> y = p.run(inputs, {.pool = &pool});
  // [end]
  CHECK(y[0].at_f64(2) == 9);
  std::string said;
  // [cancel]
  stop_flag stop;
  std::thread other([&] { stop.request(); });  // any thread, at any time
  try {
    for (;;) p.run(inputs, {.stop = &stop});
  } catch (const error& e) { said = e.code(); }  // "program.stopped"; the program can be run again
  other.join();
  // [end]
  CHECK(said == "program.stopped");
}
