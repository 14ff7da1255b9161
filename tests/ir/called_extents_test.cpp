// What a function says of extents, where it is called.
#include <tenon/ir/called_extents.hpp>

#include <doctest/doctest.h>

#include <tenon/ir/refine.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

using namespace tenon;

namespace {

const std::string calls = R"(tenon.module phase=optimization
  func entry @main(%x: tensor<NxMxf32>, %y: tensor<MxNxf32>, %z: tensor<?x3xf32>) -> (tensor<NxMxf32>, tensor<MxNxf32>, tensor<?x3xf32>) inputs("x", "y", "z") outputs("a", "b", "c") {
    %a = call(%x) {callee = @f} : tensor<?x?xf32>
    %b = call(%y) {callee = @f} : tensor<?x?xf32>
    %c = call(%z) {callee = @f} : tensor<?x?xf32>
    return(%a, %b, %c)
  }
  func @f(%v: tensor<MxNxf32>) -> (tensor<MxNxf32>) inputs("v") {
    %1 = concat(%v, %v) {axis = 1} : tensor<Mx"2*N"xf32>
    %2 = slice(%1) {starts = [0], ends = [-1], axes = [1]} : tensor<Mx"2*N-1"xf32>
    %3 = neg(%v) : tensor<MxNxf32>
    return(%3)
  }
)";
std::string shapes(const ir::module& m, std::string_view op) {
  std::string all;
  ir::for_each_op(m, [&](op_id o) {
    if (m.view(o).name() != op) return;
    const ir::type& t = m.view(o).result_type();
    for (const ir::dim d : t.shape)
      all += d.is_static() ? std::to_string(d.extent()) + " " : d.is_unknown() ? "? " : m.name(d.symbol()) + " ";
    all += "| ";
  });
  return all;
}

}  // namespace

TEST_CASE("types of calls are what the callee gives, in the extents of the arguments") {
  auto m = parse<phases::optimization>(calls);
  ir::refine_types(m.body());
  CHECK(shapes(m.body(), "call") == "N M | M N | ? 3 | ");
}

TEST_CASE("bodies that are inlined speak of the extents of their callers") {
  auto m = parse<phases::optimization>(calls);
  context cx;
  passes::inline_calls{}.run(m, cx);
  CHECK(shapes(m.body(), "neg") == "N M | M N | ? 3 | ");
  CHECK(shapes(m.body(), "slice") == "N 2*M-1 | M 2*N-1 | ? 5 | ");
}
