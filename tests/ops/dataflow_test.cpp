// Dataflow regions: what they mean, what passes do with them, and where they end; tests/ir/dataflow_rules_test.cpp has
// what may stand inside.
#include <tenon/ops/graph/dataflow.hpp>

#include <doctest/doctest.h>

#include <tenon/importers/graph.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/compilation_plan.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include <support/checked_graph.hpp>
#include <support/dataflow_region.hpp>

using namespace tenon;

namespace {

size_t count(const ir::module& m, std::string_view name) {
  size_t n = 0;
  ir::for_each_op(m, [&](op_id op) { n += m.view(op).name() == name; });
  return n;
}
template <class... Passes>
ir::module after(const std::string& body) {
  ir::module m = checked_graph(body);
  ir_module<phases::optimization> typed = ir_module<phases::optimization>::adopt(std::move(m));
  context cx;
  (Passes{}.run(typed, cx), ...);
  ir::verify<phases::optimization>(typed.body());
  return std::move(typed.body());
}

const std::string negated = "    %a = neg(%x) : tensor<2xf32>\n";
const std::string branches =
    "if_else(%c) : tensor<2xf32> ({\n    yield(%x)\n  }, {\n    %b = neg(%x) : tensor<2xf32>\n    yield(%b)\n  })\n";

}  // namespace

TEST_CASE("a dataflow region means what its ops mean") {
  const ir::module m = checked_graph(region(negated));
  const tensor x = tensor::from<float>({2}, {1, 2});
  CHECK(interpret(m, "main", std::vector{x, tensor::scalar(true)})[0].at_f64(1) == -2);
}

TEST_CASE("passes that delete, merge and fold do so inside too, and the region stays one") {
  using passes::eliminate_common, passes::eliminate_dead;
  const ir::module m = after<eliminate_common, eliminate_dead>(
      region("    %u = exp(%x) : tensor<2xf32>\n    %v = exp(%x) : tensor<2xf32>\n    %d = neg(%v) : tensor<2xf32>\n"
             "    %a = add(%u, %v) : tensor<2xf32>\n"));
  CHECK(count(m, "dataflow") == 1);
  CHECK(count(m, "exp") == 1);
  CHECK(count(m, "neg") == 0);
  const ir::module unused = after<eliminate_dead>(
      "func entry @main(%x: tensor<2xf32>) -> (tensor<2xf32>) {\n  %y = dataflow() : tensor<2xf32> ({\n" + negated +
      "    yield(%a)\n  })\n  return(%x)\n}\n");
  CHECK(count(unused, "dataflow") == 0);
}

TEST_CASE("inline_calls ends regions before it brings in bodies that these must not hold") {
  const ir::module m = after<passes::inline_calls>(region(
      "    %a = call(%x, %c) {callee = @f} : tensor<2xf32>\n",
      "func @f(%x: tensor<2xf32>, %c: tensor<bool>) -> (tensor<2xf32>) {\n  %y = " + branches + "  return(%y)\n}\n"));
  CHECK(count(m, "dataflow") == 0);
  CHECK(count(m, "if_else") == 1);
}

TEST_CASE("what a region is constrained to, its ops are constrained to") {
  ir::module m = checked_graph(region(negated));
  ir::for_each_op(m, [&](op_id op) {
    if (m.view(op).is<op::dataflow>()) m[op].location = m.location("here", "gpu");
  });
  ir_module<phases::optimization> typed = ir_module<phases::optimization>::adopt(std::move(m));
  context cx;
  passes::inline_calls{}.run(typed, cx);
  std::string found;
  ir::for_each_op(typed.body(), [&](op_id op) {
    if (typed.body().view(op).name() == "neg") found = typed.body().target(typed.body()[op].location);
  });
  CHECK(found == "gpu");
}

TEST_CASE("a model with dataflow regions is one piece for targets") {
  nn::graph g("flow");
  const nn::variable x = g.input<float>("x", {2, 3});
  const nn::variable y = g.dataflow([&] { return exp(x) + x; });
  const auto both = g.dataflow([&] { return std::array{y * y, y - x}; });
  g.output("y", both[0]);
  g.output("z", both[1]);
  const auto m = std::move(g).finish();
  CHECK(count(m.body(), "dataflow") == 2);
  ir::verify<phases::ingestion>(m.body());
  register_target<targets::c_source>();
  CHECK(plan_of(m.body(), parse_target("c_source")).becomes == compilation_form::whole);
}
