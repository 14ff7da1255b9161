// Programs of functions that are written here: what a program does besides calling its code. Needs no LLVM.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include <tenon/runtime/program.hpp>
#include <tenon/runtime/threads.hpp>

using namespace tenon;

namespace {

/// y = x + constant, by way of the arena, with the number of elements from the table of sizes.
void add_entry(void* const* in, void* const* out, void* arena, const void* constants, const tenon_runtime* rt) {
  const i64 n = rt->sizes[0];
  const float c = *static_cast<const float*>(static_cast<const void* const*>(constants)[0]);
  float* const room = static_cast<float*>(arena);
  const float* const x = static_cast<const float*>(in[0]);
  float* const y = static_cast<float*>(out[0]);
  parallel_for(
      n, 1,
      [&](i64 begin, i64 end) {
        for (i64 i = begin; i < end; ++i) room[i] = x[i] + c;
      },
      2);
  for (i64 i = 0; i < n; ++i) y[i] = room[i];
}

program adder() {
  program::parts p;
  p.entry = &add_entry;
  p.inputs = {{"x", dtype::f32, {-2}}}, p.outputs = {{"y", dtype::f32, {-2}}};
  p.sizes.symbols = {"n"}, p.sizes.buffers = {{0, 1, "4*n"}};
  p.constants = {tensor::scalar(0.5f)};
  return program(std::move(p));
}

bool adds(const program& p, i64 n, float first) {
  tensor x(dtype::f32, {n});
  for (i64 i = 0; i < n; ++i) x.data<float>()[static_cast<size_t>(i)] = first + static_cast<float>(i);
  const tensor y = p.run({x}, 2).at(0);
  for (i64 i = 0; i < n; ++i)
    if (y.at_f64(i) != static_cast<double>(first) + static_cast<double>(i) + 0.5) return false;
  return y.shape() == std::vector<i64>{n};
}

}  // namespace

TEST_CASE("one program serves many threads at once, each with sizes of its own") {
  const program p = adder();
  CHECK(adds(p, 3, 1));
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) right += adds(p, 1 + (i * 7 + t) % 23, static_cast<float>(t)) ? 1 : 0;
    });
  for (std::thread& t : threads) t.join();
  CHECK(right == 6 * 200);
}

TEST_CASE("sizes that the code is not for are named by input and dimension, with what would fit") {
  program::parts p;
  p.entry = [](void* const*, void* const*, void*, const void*, const tenon_runtime*) {};
  p.inputs = {{"picture", dtype::f32, {-2, 3, -3}}, {"mask", dtype::f32, {-4}}}, p.outputs = {{"y", dtype::f32, {-2}}};
  p.sizes.symbols = {"batch", "p2o.DynamicDimension.1", "rows"};
  for (const char* c : {"p2o.DynamicDimension.1-1>=0", "((p2o.DynamicDimension.1+3)/4)-2>=0", "batch-rows==0"})
    p.sizes.conditions.push_back(extent_condition::parse(c).value());
  const program made(std::move(p));
  const auto said = [&](i64 batch, i64 width, i64 rows) {
    const std::vector<tensor> inputs = {tensor(dtype::f32, {batch, 3, width}), tensor(dtype::f32, {rows})};
    const std::optional<error> why = made.refusal(inputs);
    return why ? why->code() + ": " + why->message() : std::string();
  };
  CHECK(said(2, 5, 2).empty());
  for (int again = 0; again < 2; ++again)
    CHECK(said(2, 4, 2) == "program.condition: input 'picture', dimension 2 is 4, and must be at least 5");
  CHECK(said(2, 5, 3) ==
        "program.condition: input 'picture', dimension 0 is 2 and input 'mask', dimension 0 is 3, and they must be "
        "equal");
  CHECK(said(2, 0, 3) ==
        "program.condition: input 'picture', dimension 2 is 0, and must be at least 5; input 'picture', dimension 0 is "
        "2 and input 'mask', dimension 0 is 3, and they must be equal");
}
