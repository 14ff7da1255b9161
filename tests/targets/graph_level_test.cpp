// needs: llvm
// What targets begin with is one pipeline, which is a target too.
#include <tenon/targets/graph_level.hpp>

#include <doctest/doctest.h>

#include <tenon/compile/build.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/text/all.hpp>

#include "../../examples/custom/my_target/npu.hpp"

using namespace tenon;

namespace {
using level = targets::graph_level::pipeline::passes;
template <class Target>
constexpr size_t shared = tenon::detail::common_passes<level, typename Target::pipeline::passes>::size;
}  // namespace

// A composite of two such targets runs these passes once, and on where the targets agree beyond them.
static_assert(shared<targets::cpu> == meta::size_v<level> && shared<targets::c_source> == meta::size_v<level>);
static_assert(shared<targets::xsimd> == meta::size_v<level>);
static_assert(shared<targets::host_cpu> == meta::size_v<level> && shared<mine::npu> == meta::size_v<level>);
static_assert(tenon::detail::common_passes<targets::cpu::pipeline::passes, mine::npu::pipeline::passes>::size ==
              meta::size_v<level>);

TEST_CASE("the graph level by itself is a target: a graph that means the same") {
  const auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) inputs("x") outputs("y") {
  %a = call(%x) {callee = @twice} : tensor<2x3xf32>
  %b = call(%x) {callee = @twice} : tensor<2x3xf32>
  %y = mul(%a, %b) : tensor<2x3xf32>
  return(%y)
}
func @twice(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  %y = add(%x, %x) : tensor<2x3xf32>
  return(%y)
})");
  const tensor x = tensor::from<float>({2, 3}, {1, -2, 3, -4, 5, -6});
  const std::vector<tensor> want = interpret(m.body(), "main", {&x, 1});
  const auto graph = build<targets::graph_level>(m.clone());
  const std::string text = print(graph);
  CHECK(text.find("call(") == text.npos);
  CHECK(text.find("add(", text.find("add(") + 1) == text.npos);  // once
  const comparison same = compare(interpret(graph.body(), "main", {&x, 1})[0], want[0]);
  CHECK_MESSAGE(same.ok, same.message);
  // A target goes on from there.
  const program p = load(build<targets::cpu>(parse<phases::ingestion>(print(m, {.phase = "ingestion"}))));
  CHECK(compare(p.run({x})[0], want[0]).ok);
}
