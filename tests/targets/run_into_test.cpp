// needs: llvm
// Programs that write into memory of the caller: borrowed, from DLPack, or owned; what cannot be written is refused.
#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include <tenon/runtime/dlpack.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/parse.hpp>

using namespace tenon;

namespace {

/// y = x + x and z = x * x, of 37 elements: no vector's multiple.
program both() {
  return load(build<targets::cpu>(parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<37xf32>) -> (tensor<37xf32>, tensor<37xf32>) inputs("x") outputs("y", "z") {
  %y = add(%x, %x) : tensor<37xf32>
  %z = mul(%x, %x) : tensor<37xf32>
  return(%y, %z)
}
)")));
}

tensor counted() {
  tensor x(dtype::f32, {37});
  for (i64 i = 0; i < 37; ++i) x.set_f64(i, static_cast<double>(i));
  return x;
}

template <class F>
std::string failure(F&& f) {
  try {
    f();
  } catch (const error& e) { return e.code() + ": " + e.message(); }
  return "no error";
}

}  // namespace

TEST_CASE("outputs are written in the caller's memory, wherever that begins, and nowhere else") {
  const program p = both();
  const tensor x = counted();
  for (size_t begin : {0u, 1u, 3u, 15u}) {  // aligned for the elements, for no vector
    std::vector<float> memory(128, -1);
    tensor outputs[] = {tensor::borrow(dtype::f32, {37}, memory.data() + begin),
                        tensor::borrow(dtype::f32, {37}, memory.data() + begin + 40)};
    p.run_into({&x, 1}, outputs);
    for (size_t i = 0; i < memory.size(); ++i) {
      const size_t y = i - begin, z = i - begin - 40;
      CHECK(memory[i] == (y < 37 ? static_cast<float>(2 * y) : z < 37 ? static_cast<float>(z * z) : -1));
    }
  }
}

TEST_CASE("inputs are read from the caller's memory each time") {
  const program p = both();
  std::vector<float> memory(37, 3);
  const tensor x = tensor::borrow(dtype::f32, {37}, memory.data());
  tensor outputs[] = {tensor(dtype::f32, {37}), tensor(dtype::f32, {37})};
  p.run_into({&x, 1}, outputs);
  CHECK(outputs[0].at_f64(36) == 6);
  memory[36] = 5;
  p.run_into({&x, 1}, outputs);
  CHECK(outputs[0].at_f64(36) == 10);
  CHECK(outputs[1].at_f64(36) == 25);
}

TEST_CASE("a tensor from DLPack is an output's place") {
  const program p = both();
  const tensor x = counted();
  std::vector<float> memory(37);
  i64 shape[] = {37};
  DLManagedTensor there{};
  there.dl_tensor = {memory.data(), {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, nullptr, 0};
  tensor outputs[] = {from_dlpack(&there), tensor(dtype::f32, {37})};
  p.run_into({&x, 1}, outputs);
  CHECK(memory[36] == 72);
}

TEST_CASE("an output that cannot be written where it is is refused by name, and nothing is written") {
  const program p = both();
  const tensor x = counted();
  std::vector<float> memory(128, -1);
  tensor y(dtype::f32, {37});
  {
    tensor outputs[] = {y, tensor::view(dtype::f32, {37}, memory.data(), nullptr)};
    const std::string said = failure([&] { p.run_into({&x, 1}, outputs); });
    CHECK(said.find("program.read_only: output 'z' is to be written to a tensor f32[37] that is read-only") == 0);
  }
  {  // a view that is a copy, since it was not aligned
    tensor outputs[] = {tensor::view(dtype::f32, {37}, reinterpret_cast<const char*>(memory.data()) + 1, nullptr), y};
    CHECK(failure([&] { p.run_into({&x, 1}, outputs); }).find("program.read_only: output 'y'") == 0);
  }
  {
    tensor outputs[] = {tensor::borrow(dtype::f32, {37}, memory.data()),
                        tensor::borrow(dtype::f32, {37}, memory.data() + 36)};
    CHECK(failure([&] {
            p.run_into({&x, 1}, outputs);
          }).find("program.overlap: output 'z' shares memory with output 'y'") == 0);
  }
  {
    tensor outputs[] = {y, tensor::borrow(dtype::f32, {37}, memory.data())};
    const tensor inside = tensor::view(dtype::f32, {37}, memory.data() + 36, nullptr);
    CHECK(failure([&] {
            p.run_into({&inside, 1}, outputs);
          }).find("program.overlap: output 'z' shares memory with input 'x'") == 0);
  }
  CHECK(y.at_f64(36) == 0);
  CHECK(memory == std::vector<float>(128, -1));
}
